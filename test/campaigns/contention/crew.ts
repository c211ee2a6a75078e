import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Surroundings } from "../campaign.ts";

export interface Told {
  readonly workspace: string;
  readonly spec: string;
  readonly workMs: number;
  readonly waits?: boolean;
  readonly patient?: boolean;
  readonly oneTask?: boolean;
  readonly takeOver?: boolean;
  /** Signal that the process sends to itself right before this change of a file, counted from 1. */
  readonly breaking?: { readonly change: number; readonly signal: "SIGSTOP" | "SIGKILL" } | null;
}

export interface End {
  readonly outcome: string | null;
  readonly code: string | null;
  readonly error: string | null;
}

export interface Coordinator {
  readonly pid: number;
  begin(told: Told): Promise<End>;
  atWork(): Promise<void>;
  goOn(): void;
  wake(): void;
  stopped(end: Promise<End>): Promise<boolean>;
  isGone(): boolean;
}

export interface Crew {
  muster(count: number): Promise<readonly Coordinator[]>;
  dismiss(): Promise<void>;
}

export function createCrew(surroundings: Surroundings, through: Through = (command) => command): Crew {
  let members: readonly Coordinator[] = [];
  const children = new Set<ChildProcess>();
  return {
    muster: async (count) => {
      const left = members.filter((member) => !member.isGone());
      const missing = Array.from({ length: Math.max(0, count - left.length) }, () =>
        enlist(surroundings, through, children),
      );
      members = [...left, ...(await Promise.all(missing))];
      return members.slice(0, count);
    },
    dismiss: async () => {
      await Promise.all(
        [...children].map((child) => {
          const gone = once(child, "exit");
          child.kill("SIGKILL");
          return gone;
        }),
      );
    },
  };
}

type Through = (command: readonly string[]) => readonly string[];

async function enlist(
  { root, program }: Surroundings,
  through: Through,
  children: Set<ChildProcess>,
): Promise<Coordinator> {
  const script = join(root, "test/campaigns/contention/coordinator.mjs");
  const [file = "", ...args] = through([process.execPath, script, program]);
  const child = spawn(file, args, { stdio: ["ignore", 1, 2, "ipc"] });
  children.add(child);
  let gone = false;
  const exit = once(child, "exit").then((): End => {
    gone = true;
    children.delete(child);
    return { outcome: null, code: "killed", error: null };
  });
  const said = (kind: string): Promise<never> =>
    new Promise((resolve) => {
      const listen = (message: { readonly kind: string }): void => {
        if (message.kind !== kind) return;
        child.off("message", listen);
        resolve(message as never);
      };
      child.on("message", listen);
    });
  const tell = (message: object): void => void child.send(message, () => {});
  await said("ready");
  const pid = child.pid as number;
  return {
    pid,
    begin: (told) => {
      const end = said("end");
      tell({ kind: "coordinate", breaking: null, ...told });
      return Promise.race([end, exit]);
    },
    atWork: () => said("at work"),
    goOn: () => tell({ kind: "go on" }),
    wake: () => void child.kill("SIGCONT"),
    stopped: async (end) => {
      let ended = false;
      void end.then(() => {
        ended = true;
      });
      while (!ended && !isStopped(pid)) await sleep(1);
      return !ended;
    },
    isGone: () => gone || !child.connected,
  };
}

function isStopped(pid: number): boolean {
  try {
    return /^\d+ \(.*\) T/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}
