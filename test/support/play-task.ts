import { createTaskMachine, type TaskInput } from "../../machines/task.ts";
import type { Answer, Effect } from "../../src/model/effect.ts";
import type { RunEvent } from "../../src/model/event.ts";
import type { TaskContext } from "../../src/model/task-context.ts";
import type { TaskOutcome } from "../../src/model/task-outcome.ts";
import { pending, report, start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";

/**
 * What becomes of an attempt: its verdict; or that a reviewer found something; that its executor could not work, or
 * another stood in for it; or that it asked for other tasks.
 */
export type Fate =
  | "accepted"
  | "rejected"
  | "failed"
  | "reviewed"
  | "disapproved"
  | "hindered"
  | "replaced"
  | "extended"
  | "refused"
  | "replanned";

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

/** Answer an effect as the outside would: attempts have the fate that is up, everything else succeeds. */
function answerTask(effect: Effect, fate: Fate): Answer<Effect["name"]> {
  switch (effect.name) {
    case "delegate":
      return { kind: ["extended", "refused", "replanned"].includes(fate) ? "requested" : "replied" };
    case "changePlan":
      return fate === "refused"
        ? { kind: fate, reason: "as scripted" }
        : { kind: fate as "extended", change: "ADD_FOLLOWUP", added: ["9.9"] };
    case "verify": {
      if (fate === "rejected") return { kind: fate, layer: "commit", reason: "as scripted" };
      if (["failed", "hindered", "replaced"].includes(fate)) {
        return { kind: "failed", layer: "signal", reason: "as scripted" };
      }
      return { kind: "accepted", reviewDue: fate === "reviewed" || fate === "disapproved" };
    }
    case "review":
      return fate === "reviewed"
        ? { kind: "accepted", passed: true, findings: "" }
        : { kind: "failed", findings: "as scripted" };
    case "readFailure":
      return fate === "hindered" || fate === "replaced"
        ? { ...digest, kind: "rate-limit", until: 1000, fallback: fate === "replaced" }
        : digest;
    case "wait":
      return { kind: "waited" };
    case "insertFix":
      return { kind: "inserted", fix: `${effect.input.task}.${effect.input.made + 1}` };
    case "recordPass":
      return { kind: "recorded" };
    case "chooseTask":
    case "chooseCleanup":
    case "mergeProgress":
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
  let fate: Fate = "accepted";
  const keys: string[] = [];
  const events: RunEvent[] = [];
  const contexts: TaskContext[] = [];
  let state: StepState = start(machine, input).state;
  for (let effect = pending(machine, state)[0]; effect !== undefined; effect = pending(machine, state)[0]) {
    contexts.push(state.nodes[""]?.context as TaskContext);
    for (const late of keys) expectIgnored(state, late);
    if (effect.name === "delegate") fate = left.shift() ?? "accepted";
    const answer = answerTask(effect, fate);
    const step = report(machine, JSON.parse(JSON.stringify(state)) as StepState, effect.key, answer);
    keys.push(effect.key);
    events.push(...step.events);
    state = step.state;
  }
  const delegated = keys.filter((key) => key.endsWith("/delegate")).map((key) => key.slice(0, key.lastIndexOf("#")));
  return { outcome: state.output as TaskOutcome, keys, delegated, contexts, events };
}
