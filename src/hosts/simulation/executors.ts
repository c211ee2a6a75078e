import { readVerify } from "../../markdown/tasks/read-verify.ts";
import type { Policy } from "../../model/policy.ts";
import { type Random, randomFrom } from "../../model/random.ts";
import type { Ending, Reply } from "../../model/reply.ts";
import { roles } from "../../model/role.ts";
import { plannedTask } from "../../model/task.ts";
import type { Executor } from "../../ports/executor.ts";
import type { MemoryStore } from "../../testing/memory-store.ts";
import { failedReply } from "../../testing/scripted-ports.ts";
import type { Behaviour, SimulatedExecutor, SimulationOptions } from "./simulation.ts";
import type { VirtualClock } from "./virtual-clock.ts";

export interface Stage {
  readonly store: MemoryStore;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly policy: Policy;
  /** Verify commands that would pass now. */
  readonly finished: Set<string>;
  /** Number of file changes by simulated executors, whether or not they did their task. */
  edits: number;
}

/** Run a simulated executor like a real one: it ends when it replies, is aborted, or reaches the task's time limit. */
export function engage({ store, clock, random, policy, finished }: Stage, act: SimulatedExecutor): Executor {
  return (delegation, signal) =>
    new Promise((resolve, reject) => {
      let isAlive = true;
      const end = (settle: () => void): void => {
        if (!isAlive) return;
        isAlive = false;
        forget();
        signal.removeEventListener("abort", stop);
        settle();
      };
      const stopFor = (ended: Ending): void => end(() => resolve({ text: "", ended }));
      const stop = (): void => stopFor("signal");
      const forget = clock.after(policy.taskTimeout, () => stopFor("timeout"));
      signal.addEventListener("abort", stop, { once: true });
      const chance = random.fork(delegation.key);
      const tasks = {
        get text() {
          return store.tasks.text;
        },
        set text(text) {
          if (isAlive) store.tasks.text = text;
        },
      };
      const world = {
        tasks,
        elapsedMs: clock.elapsedMs,
        wait: (delayMs: number): Promise<void> =>
          new Promise((done) => {
            clock.after(delayMs, () => isAlive && done());
          }),
        finish: (command = commandFor(store, delegation.taskId)): void => {
          if (isAlive) finished.add(command);
        },
        random: chance.next,
      };
      if (signal.aborted) stop();
      else {
        act(delegation, signal, world).then(
          (reply) => end(() => resolve(reply)),
          (error: unknown) => end(() => reject(error)),
        );
      }
    });
}

function commandFor(store: MemoryStore, taskId: string): string {
  const id = plannedTask(taskId);
  const verify = readVerify(store.standing().plan.tasks.find((task) => task.id === id)?.fields.verify);
  return verify.kind === "command" ? verify.command : "";
}

const never: Readonly<Record<Behaviour, number>> = {
  ...{ does: 0, fails: 0, lies: 0, mumbles: 0, blocks: 0, crashes: 0, hangs: 0, unavailable: 0 },
};
const usual: NonNullable<SimulationOptions["rates"]> = {
  ...{ does: 60, fails: 20, lies: 10, mumbles: 2, blocks: 1, crashes: 3, hangs: 2, unavailable: 2 },
};
const errors = ["Too many re-renders", "Expected 2, received 1", "No such file: src/a.ts", "boom"] as const;
const directives = [
  "RETRY: use the other parser",
  "DECOMPOSE: read the lines | sort the fields",
  "PRUNE: the service is gone",
  "ESCALATE: everything | what to do",
] as const;

/** An executor that works for a while and then behaves randomly; as repair operator it returns a directive. */
export function simulatedExecutor(stage: Stage, rates: SimulationOptions["rates"] = usual): SimulatedExecutor {
  return async ({ role, taskId }, _signal, world) => {
    const random = randomFrom(world.random() * 2 ** 32);
    await world.wait(1000 + random.below(role === "operator" ? 10_000 : 600_000));
    if (role === "operator") return random.pick(directives);
    const behaviour = random.among<Behaviour>({ ...never, ...rates });
    const claim = roles[role].completions[0];
    if (behaviour !== "unavailable" && random.chance(0.7)) stage.edits += 1;
    const usage = { inputTokens: random.below(200_000), outputTokens: random.below(10_000) };
    const says = (text: string): Reply => ({ text, usage: { ...usage, costUsd: random.below(100) / 100 } });
    switch (behaviour) {
      case "does":
        world.finish();
        return says(`It works.\n${claim}`);
      case "lies":
        return says(`All done and verified.\n${claim}`);
      case "fails":
        return says(failedReply(taskId, random.pick(errors)));
      case "mumbles":
        return says("I could not do it.");
      case "blocks":
        return says("I looked at both.\nBLOCKED: Which of the two libraries?");
      case "crashes":
        return { text: "", exitCode: random.pick([1, 134, 137, 139]), stderr: "panic: boom" };
      case "unavailable": {
        const until = random.chance(0.5) ? stage.clock.now() + random.pick([60_000, 3_600_000]) : undefined;
        const problem = { kind: "rate-limit", message: "You have hit your limit", until } as const;
        return { text: "", exitCode: 1, problem };
      }
      case "hangs":
        return hang(stage.policy, world.wait);
    }
  };
}

async function hang({ idleTimeout }: Policy, wait: (delayMs: number) => Promise<void>): Promise<Reply> {
  if (idleTimeout === null) return new Promise(() => {});
  await wait(idleTimeout);
  return { text: "", ended: "idle" };
}
