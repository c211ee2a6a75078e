import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Surroundings } from "../campaign.ts";
import { boxesOf, type Ground, isMade, verifiedIn } from "./ground.ts";

export interface Start {
  readonly exitCode: number | null;
  readonly said: string;
  readonly hung: boolean;
  readonly killed: boolean;
  readonly pid: number;
  readonly from: number;
  readonly left: {
    readonly unmade: readonly string[];
    readonly unticked: readonly string[];
    readonly unverified: readonly string[];
  };
}

export interface StartOptions {
  readonly words?: readonly string[];
  readonly within?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Far above the duration of a start, whose programs take at most two seconds. */
const longestMs = 120_000;
const graceMs = 20_000;

const foreign = /^(?:GIT_|NODE_|FIXPOINT_|npm_|XDG_)/;

export function startOn(ground: Ground, { program }: Surroundings, from: number, options: StartOptions = {}) {
  const { folder, workspace, spec } = ground;
  const { words = [], within = [], env = {} } = options;
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const main = join(program, "src/hosts/cli/main.js");
  const line = [
    ...within,
    process.execPath,
    main,
    "run",
    spec,
    "--exec",
    "./executor.sh",
    "--reporter",
    "plain",
    ...words,
  ];
  const child = spawn(line[0] as string, line.slice(1), {
    cwd: workspace,
    env: { ...Object.fromEntries(inherited), HOME: join(folder, "home"), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, end: endOf(child, ground, from) };
}

async function endOf(child: ReturnType<typeof spawn>, ground: Ground, from: number): Promise<Start> {
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  // Listen early, because the streams may close before the process exits.
  const closed = new Promise((resolve) => child.once("close", resolve));
  let hung = false;
  const told = setTimeout(() => {
    hung = true;
    child.kill("SIGTERM");
  }, longestMs);
  const killed = setTimeout(() => child.kill("SIGKILL"), longestMs + graceMs);
  // Wait only for the exit: programs that outlive a killed coordinator may keep its output open.
  const [exitCode, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  clearTimeout(told);
  clearTimeout(killed);
  await Promise.race([closed, sleep(2000, undefined, { ref: false })]);
  return {
    exitCode,
    said,
    hung,
    killed: signal === "SIGKILL" && !hung,
    pid: child.pid ?? 0,
    from,
    left: leftIn(ground),
  };
}

function leftIn(ground: Ground): Start["left"] {
  const ids = ground.tasks.map(({ id }) => id);
  const boxes = boxesOf(ground);
  const verified = verifiedIn(ground);
  return {
    unmade: ids.filter((id) => !isMade(ground, id)),
    unticked: ids.filter((id) => boxes?.get(id) !== true),
    unverified: ids.filter((id) => !verified.has(id)),
  };
}
