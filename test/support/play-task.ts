import type { TaskOutcome } from "../../machines/task-machine.ts";
import type { DecisionState } from "../../src/model/decision.ts";
import type { Directive } from "../../src/model/directive.ts";
import type { Answer, Effect } from "../../src/model/effect.ts";
import type { RunEvent } from "../../src/model/event.ts";
import type { FailureDigest, FailureLeft, Signs } from "../../src/model/failure.ts";
import type { SpentByTask } from "../../src/model/ledger.ts";
import type { Denial } from "../../src/model/limits.ts";
import type { PersonDecision } from "../../src/model/person-event.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import { hashText } from "../../src/model/text.ts";
import { failingChecks } from "./failing-checks.ts";
import { answer as answerIn, pendingIn, standingIn, startTask } from "./pure-task.ts";

export interface Shown extends Partial<Signs> {
  /** Failures with the same text have the same fingerprint, unless checks are named. */
  readonly error: string;
  readonly failing?: readonly string[];
  readonly trouble?: string;
}

interface Left {
  readonly left: readonly string[];
}

export type Fate =
  | "accepted"
  | "unverified"
  | "blocked"
  | "rejected"
  | "failed"
  | "reviewed"
  | "disapproved"
  | "hindered"
  | "replaced"
  | "extended"
  | "refused"
  | "replanned"
  | Left
  | Shown;

export type OperatorFate = "retry" | "decompose2" | "decompose3" | "prune" | "escalate" | "malformed" | "denied";

/** `gate`: no one answers, and the run stops. */
export type PersonFate = PersonDecision | "guided" | "gate";

/** Answers in order. After the last one, the operator escalates and the person is silent. */
export interface Others {
  readonly operator?: readonly OperatorFate[];
  readonly person?: readonly PersonFate[];
}

export interface Played {
  readonly outcome: TaskOutcome & { readonly spent: SpentByTask; readonly denial?: Denial };
  readonly keys: readonly string[];
  readonly delegated: readonly string[];
  readonly contexts: readonly DecisionState[];
  readonly events: readonly RunEvent[];
}

export const digest = {
  kind: "task",
  error: "boom",
  attemptedFix: "none",
  status: "blocked",
  fingerprint: "f",
} as const;

const nothingShown: Signs = { strategy: null, findings: [], admission: null, fileState: null, changed: null };

export function digestOf(fate: Fate, watch = true): FailureDigest {
  if (fate === "hindered" || fate === "replaced") {
    return { ...digest, kind: "rate-limit", until: 1000, fallback: fate === "replaced" };
  }
  if (typeof fate === "string" || "left" in fate) return digest;
  const { error, failing, trouble, ...shown } = fate;
  const found = failing === undefined ? null : failingChecks(...failing);
  return {
    ...{ ...digest, error, fingerprint: found === null ? error : hashText(String(found.failing.ids)) },
    ...found,
    ...(trouble !== undefined && { environment: trouble, repeated: true }),
    ...(watch && { signs: { ...nothingShown, ...shown } }),
  };
}

const leftBy = ({ left }: Left): FailureLeft => failingChecks(...left);

export function answerOfOperator(fate: OperatorFate, task: string, n: number): Answer<"askOperator"> {
  const directed = (directive: Directive): Answer<"askOperator"> => ({ kind: "directed", directive });
  const parts = [`first ${n}`, `second ${n}`, `third ${n}`];
  switch (fate) {
    case "retry":
      return directed({ strategy: "retry", adjustment: `adjustment ${n}` });
    case "decompose2":
      return directed({ strategy: "decompose", parts: parts.slice(1) });
    case "decompose3":
      return directed({ strategy: "decompose", parts });
    case "prune":
      return directed({ strategy: "prune", justification: `justification ${n}` });
    case "escalate":
      return directed({ strategy: "escalate", tried: `tried ${n}`, decision: `decision ${n}` });
    case "malformed":
      return { kind: "malformed", reason: `reason ${n}` };
    case "denied":
      return { kind: "denied", limit: "maxGlobalIterations", task, max: 100 };
  }
}

export function answerOfPerson(fate: PersonFate): Answer<"askPerson"> {
  if (fate === "gate") return { kind: "gate", reason: "nobody is there", hint: "resume" };
  return fate === "guided" ? { kind: "guided", text: "as advised" } : { kind: "decided", decision: fate };
}

function answerTask(effect: Effect, fate: Fate, operator: OperatorFate, person: PersonFate, n: number) {
  switch (effect.name) {
    case "delegate":
      return { kind: isOneOf(fate, "extended", "refused", "replanned") ? "requested" : "replied" };
    case "changePlan":
      return fate === "refused"
        ? { kind: fate, reason: "as scripted" }
        : { kind: fate as "extended", change: "ADD_FOLLOWUP", added: ["9.9"] };
    case "verify": {
      if (fate === "rejected") return { kind: fate, layer: "commit", reason: "as scripted" };
      if (fate === "blocked") return { kind: fate, question: "as scripted" };
      if (fate === "unverified") return { kind: "accepted", proof: { kind: "unverified" } };
      if (typeof fate !== "string" && "left" in fate)
        return { kind: "accepted", proof: { kind: "proven" }, left: leftBy(fate) };
      if (typeof fate !== "string" || isOneOf(fate, "failed", "hindered", "replaced")) {
        return { kind: "failed", layer: "signal", reason: "as scripted" };
      }
      return { kind: "accepted", proof: { kind: "proven" }, reviewDue: isOneOf(fate, "reviewed", "disapproved") };
    }
    case "review":
      return fate === "reviewed"
        ? { kind: "accepted", passed: true, findings: "" }
        : { kind: "failed", findings: "as scripted" };
    case "readFailure":
      return digestOf(fate, effect.input.watch);
    case "wait":
      return { kind: "waited" };
    case "insertFix":
      return { kind: "inserted", fix: `${effect.input.fixOf}.${effect.input.made + 1}` };
    case "askOperator":
      return answerOfOperator(operator, effect.input.task, n);
    case "gatherParts":
      return { kind: "gathered" };
    case "recordSkip":
      return { kind: "skipped", task: effect.input.task };
    case "writeStuckReport":
      return { kind: "written", path: "stuck-report.md" };
    case "askPerson":
      return answerOfPerson(person);
    case "recordPass":
      return { kind: "recorded" };
    default:
      throw new Error(`The task machine does not ask for ${effect.name}`);
  }
}

const isOneOf = (fate: Fate, ...fates: readonly Fate[]): boolean => fates.includes(fate);

/** After the given results, every attempt is accepted. */
export function playTask(
  input: { readonly root: string; readonly policy?: PolicyInput },
  fates: readonly Fate[] | ((task: string) => Fate),
  others: Others = {},
): Played {
  const scripted = typeof fates === "function" ? [] : [...fates];
  const next = typeof fates === "function" ? fates : (): Fate => scripted.shift() ?? "accepted";
  const operator = [...(others.operator ?? [])];
  const person = [...(others.person ?? [])];
  let fate: Fate = "accepted";
  const keys: string[] = [];
  const contexts: DecisionState[] = [];
  let state = startTask(input);
  const events: RunEvent[] = [...state.events];
  for (let effect = pendingIn(state); effect !== undefined; effect = pendingIn(state)) {
    contexts.push(standingIn(state));
    if (effect.name === "delegate") fate = next(effect.input.task);
    if (effect.name === "gatherParts") fate = scripted.shift() ?? "accepted";
    const asked = effect.name === "askOperator" ? (operator.shift() ?? "escalate") : "escalate";
    const decided = effect.name === "askPerson" ? (person.shift() ?? "gate") : "gate";
    const answer = answerTask(effect, fate, asked, decided, keys.length) as Answer<Effect["name"]>;
    keys.push(effect.key);
    state = answerIn(state, effect, answer);
    events.push(...state.events);
  }
  const delegated = keys.filter((key) => key.endsWith("/delegate")).map((key) => key.slice(0, key.lastIndexOf("#")));
  const output = state.output as TaskOutcome;
  const { end } = output;
  const denial = end?.kind === "denied" ? end : end?.kind === "exhausted" ? end.denial : undefined;
  const outcome = { ...output, ...(denial !== undefined && { denial }), spent: state.run.tasks };
  return { outcome, keys, delegated, contexts, events };
}
