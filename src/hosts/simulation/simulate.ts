import { createRunMemory } from "../../effects/run-memory.ts";
import { withMemory } from "../../effects/with-memory.ts";
import { readVerify } from "../../markdown/tasks/read-verify.ts";
import { InputError } from "../../model/errors.ts";
import type { RunEvent } from "../../model/event.ts";
import { readPolicy } from "../../model/policy.ts";
import { type Random, randomFrom } from "../../model/random.ts";
import type { TimedRunRecord } from "../../model/record.ts";
import type { Task } from "../../model/task.ts";
import { hashText } from "../../model/text.ts";
import type { Executors } from "../../ports/executor.ts";
import type { Shell } from "../../ports/shell.ts";
import { run } from "../../runtime/run.ts";
import { memoryStore } from "../../testing/memory-store.ts";
import { engage, type Stage, simulatedExecutor } from "./executors.ts";
import type { SimulatedRun, SimulationOptions } from "./simulation.ts";
import { virtualClock } from "./virtual-clock.ts";

const startMs = 1_700_000_000_000;

/**
 * Try a policy on a plan: one start of the real coordinator with its real effects, from the first task to the end, on a
 * virtual clock. Executors are simulated, or your own functions; Verify commands find out what was really done.
 *
 * @throws {InputError} `policy-invalid`, `plan-refused`
 * @see docs/browser.md
 */
export async function simulate({
  plan,
  seed = 0,
  rates,
  executors = {},
  person,
  ...options
}: SimulationOptions): Promise<SimulatedRun> {
  const policy = readPolicy(options.policy ?? {});
  const store = memoryStore(plan, "# Progress\n");
  check(store.standing().plan.problems);
  const clock = virtualClock(startMs);
  const random = randomFrom(seed);
  const commands = (tasks: readonly Task[]): string[] => tasks.flatMap(commandOf);
  const { tasks } = store.standing().plan;
  const finished = new Set(commands(tasks.filter(({ done }) => done)));
  const holds = (command: string): boolean =>
    finished.has(command) || !commands(store.standing().plan.tasks).includes(command);
  const stage: Stage = { store, clock, random, policy, finished, edits: 0 };
  const { executor = simulatedExecutor(stage, rates), ...others } = executors;
  const cast = Object.entries({ executor, ...others }).map(([role, act]) => [role, engage(stage, act)]);
  const records: TimedRunRecord[] = [];
  const events: RunEvent[] = [];
  const outputs = new Map<string, string>();
  const memory = createRunMemory({
    elapsedMs: clock.elapsedMs,
    store: {
      append: (made, { at = clock.now() }) => {
        records.push(...structuredClone(made).map((record) => ({ ...record, at })));
      },
      writeOutput: (key, text) => outputs.set(key, text),
      readOutput: async (key) => outputs.get(key) ?? "",
    },
    onAdmit: async ({ task, title, role, attempt, key }, iteration) => {
      events.push({ type: "task.delegated", task, title, role, attempt, key, iteration });
    },
  });
  const ports = withMemory({
    executors: Object.fromEntries(cast) as Executors,
    shell: simulatedShell(stage, random.fork("shell"), holds),
    ...{ documents: store, clock, attempts: memory, workspace: "/work", spec: "/work/specs/sample" },
    consent: async () => ({ given: true }),
    fileState: async () => hashText(`${stage.edits}\n${[...finished].join("\n")}`),
    ...(person !== undefined && { person }),
  });
  const signal = new AbortController().signal;
  const setup = { ports, memory, policy, records: [], midTurn: false, signal };
  const onEvent = (event: RunEvent): number => events.push(event);
  const { ended, denial } = await clock.drive(run({ ...setup, onEvent, refreshViews: async () => {} }));
  memory.record([{ type: "ended", ending: ended, planHash: hashText(store.tasks.text), denial }]);
  events.push(ended);
  return {
    ...{ ended, events, records },
    ...{ tasks: store.tasks.text, progress: store.log.text, summary: store.summary.text },
  };
}

/**
 * Create a shell in which a Verify of the plan passes if the executor has done its work; every other command passes.
 */
function simulatedShell({ clock }: Stage, random: Random, holds: (command: string) => boolean): Shell {
  return {
    exists: async (word) => !/^[A-Z]/.test(word),
    run: async (command, { timeoutMs }) => {
      const durationMs = Math.min(timeoutMs, random.below(3000));
      await clock.wait(durationMs);
      const isDone = holds(command);
      const stderr = isDone ? "" : `${command}: not done\n`;
      return { exitCode: isDone ? 0 : 1, stdout: "", stderr, durationMs, timedOut: false };
    },
  };
}

const commandOf = ({ fields }: Task): string[] => {
  const verify = readVerify(fields.verify);
  return verify.kind === "command" ? [verify.command] : [];
};

function check(problems: readonly { readonly severity: string; readonly message: string }[]): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const message = `Cannot simulate the plan: ${errors.map((error) => error.message).join("; ")}`;
  throw new InputError(message, { code: "plan-refused" });
}
