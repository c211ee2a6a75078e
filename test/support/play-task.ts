import { createTaskMachine, type TaskInput } from "../../machines/task.ts";
import type { TaskOutcome } from "../../machines/task-outcome.ts";
import type { Answer, Effect } from "../../src/model/effect.ts";
import type { RunEvent } from "../../src/model/event.ts";
import type { TaskContext } from "../../src/model/task-context.ts";
import { pending, report, start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";

/** What becomes of an attempt. */
export type Fate = "accepted" | "rejected" | "failed";

/** A run of the task machine, step by step. */
export interface Played {
  readonly outcome: TaskOutcome;
  /** Keys of all effects, in the order in which they were asked for. */
  readonly keys: readonly string[];
  /** Tasks in the order in which they were delegated. */
  readonly delegated: readonly string[];
  readonly contexts: readonly TaskContext[];
  readonly events: readonly RunEvent[];
}

const machine = createTaskMachine();
export const digest = {
  kind: "task",
  error: "boom",
  attemptedFix: "none",
  status: "blocked",
  fingerprint: "f",
} as const;

/** Answer an effect as the outside would: attempts have the fate given, everything else succeeds. */
function answerTask(effect: Effect, fate: () => Fate): Answer<Effect["name"]> {
  switch (effect.name) {
    case "delegate":
      return { kind: "replied" };
    case "verify": {
      const kind = fate();
      return kind === "accepted" ? { kind } : { kind, layer: "signal", reason: "as scripted" };
    }
    case "readFailure":
      return digest;
    case "insertFix":
      return { kind: "inserted", fix: `${effect.input.task}.${effect.input.made + 1}` };
    case "recordPass":
      return { kind: "recorded" };
    case "chooseTask":
    case "confirmCompletion":
      throw new Error(`The task machine does not ask for ${effect.name}`);
  }
}

/** An answer that comes late or again changes nothing, not even the object. */
function expectIgnored(state: StepState, key: string): void {
  const { state: after, effects, events } = report(machine, state, key, { kind: "accepted" });
  if (after !== state || effects.length > 0 || events.length > 0) throw new Error(`A late answer to ${key} counted`);
}

/** Play a task to its end. After the last fate every attempt is accepted. The state goes through JSON at each step. */
export function playTask(input: TaskInput, fates: readonly Fate[]): Played {
  const left = [...fates];
  const keys: string[] = [];
  const events: RunEvent[] = [];
  const contexts: TaskContext[] = [];
  let state: StepState = start(machine, input).state;
  for (let effect = pending(machine, state)[0]; effect !== undefined; effect = pending(machine, state)[0]) {
    contexts.push(state.nodes[""]?.context as TaskContext);
    for (const late of keys) expectIgnored(state, late);
    const answer = answerTask(effect, () => left.shift() ?? "accepted");
    const step = report(machine, JSON.parse(JSON.stringify(state)) as StepState, effect.key, answer);
    keys.push(effect.key);
    events.push(...step.events);
    state = step.state;
  }
  const delegated = keys.filter((key) => key.endsWith("/delegate")).map((key) => key.slice(0, key.lastIndexOf("#")));
  return { outcome: state.output as TaskOutcome, keys, delegated, contexts, events };
}
