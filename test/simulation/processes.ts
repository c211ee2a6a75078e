import type { Ending, Reply } from "../../src/model/reply.ts";
import type { Role } from "../../src/model/role.ts";
import { roleOf } from "../../src/model/task.ts";
import type { Delegation } from "../../src/ports/executor.ts";
import type { World } from "./world.ts";

export interface Process {
  readonly delegation: Delegation;
  readonly start: number;
  isAlive(): boolean;
  /** Never resolves if the process ends in the meantime. */
  work(delayMs: number): Promise<void>;
  hang(kind: "silent" | "chatty"): Promise<never>;
}

export interface Processes {
  begin(
    delegation: Delegation,
    signal: AbortSignal,
    act: (process: Process) => Promise<Reply | string>,
  ): Promise<Reply | string>;
  alive(): readonly Process[];
  end(keys: readonly string[]): void;
  /** Value of `World.next` when the last process of the delegation ended. */
  endedAt(key: string): number | undefined;
  begun(key: string): number;
}

const deafMs = 5000;

export function createProcesses(world: World): Processes {
  const { clock, policy } = world;
  const running = new Map<Process, (ended: Ending) => void>();
  const ends = new Map<string, number>();
  const begins = new Map<string, number>();
  return {
    alive: () => [...running.keys()],
    end: (keys) => {
      for (const [{ delegation }, end] of running) if (keys.includes(delegation.key)) end("signal");
    },
    endedAt: (key) => ends.get(key),
    begun: (key) => begins.get(key) ?? 0,
    begin: (delegation, signal, act) => {
      const { key } = delegation;
      begins.set(key, (begins.get(key) ?? 0) + 1);
      return new Promise((resolve, reject) => {
        const calls: (() => void)[] = [];
        const leave = (): boolean => {
          for (const call of calls) call();
          signal.removeEventListener("abort", abort);
          ends.set(key, world.next());
          return running.delete(process);
        };
        const end = (ended: Ending): void => {
          if (leave()) resolve({ text: "", ended });
        };
        const isDeaf = world.chanceOf("deaf").chance(0.1);
        const abort = (): void => {
          if (isDeaf) calls.push(clock.after(deafMs, () => end("signal")));
          else end("signal");
        };
        const process: Process = {
          delegation,
          start: world.start,
          isAlive: () => running.has(process),
          work: (delayMs) =>
            new Promise((done) => {
              calls.push(clock.after(delayMs, done));
            }),
          hang: (kind) => {
            if (kind === "silent" && policy.idleTimeout !== null) {
              calls.push(clock.after(policy.idleTimeout, () => end("idle")));
            }
            return new Promise(() => {});
          },
        };
        running.set(process, end);
        calls.push(clock.after(policy.taskTimeout, () => end("timeout")));
        signal.addEventListener("abort", abort, { once: true });
        act(process).then(
          (reply) => {
            if (leave()) resolve(reply);
          },
          (error: unknown) => {
            if (leave()) reject(error);
          },
        );
      });
    },
  };
}

export function watchWork(world: World, processes: Processes, delegation: Delegation): void {
  const { maxParallel } = world.policy;
  const others = processes.alive();
  const before = others.filter(({ start }) => start !== world.start);
  if (before.length > 0)
    world.violate("I8", `${delegation.key} begins while an executor of an earlier start still works`);
  const same = others.filter((other) => other.delegation.taskId === delegation.taskId);
  if (same.length > 0) world.violate("I8", `${delegation.taskId} is worked on twice at once`);
  if (others.length >= maxParallel)
    world.violate("I8", `${others.length + 1} are at work, at most ${maxParallel} may be`);
  const isAlone = (role: Role, id: string): boolean =>
    role === "verifier" && world.plan().tasks.some((task) => task.id === id && roleOf(task) === role);
  if (others.length > 0 && isAlone(delegation.role, delegation.taskId)) {
    world.violate("I8", `${delegation.taskId} is verified while others work`);
  }
}
