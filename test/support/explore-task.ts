import type { DecisionState } from "../../src/model/decision.ts";
import type { Effect } from "../../src/model/effect.ts";
import type { FailureDigest } from "../../src/model/failure.ts";
import { type FailureSet, nameOfCheck } from "../../src/model/failure-set.ts";
import { fixesSinceProgress, iterationsOn, partsOf, type SpentByTask, spentOn } from "../../src/model/ledger.ts";
import { totalCap } from "../../src/model/limits.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import { escalates, hasLevels } from "../../src/model/rung.ts";
import { partNumber, type TaskId, wholeOf } from "../../src/model/task.ts";
import { fixesBelow, lineageIn } from "../../src/recover/check-limit.ts";
import { repeatsStrategy } from "../../src/recover/stuck.ts";
import { failingChecks } from "./failing-checks.ts";
import { answerOfOperator, answerOfPerson, digest, digestOf, type OperatorFate, type PersonFate } from "./play-task.ts";
import { answer, pendingIn, standingIn, startTask, type TaskState } from "./pure-task.ts";

interface Way {
  readonly label: string;
  readonly to: string;
}

export interface Place {
  readonly state: TaskState;
  readonly value: string;
  readonly context: DecisionState;
  readonly effect: Effect | undefined;
  readonly ways: readonly Way[];
}

export type Graph = ReadonlyMap<string, Place>;

type Labelled = readonly [label: string, answer: object];

export type Answers = (effect: Effect, context: DecisionState) => readonly Labelled[];

type Kind = "a" | "b";
const stage = "vitest";

const someOf = (kind: Kind, count: number) =>
  failingChecks(...Array.from({ length: count }, (_, index) => `${kind}${index + 1}`));

const kindOf = ({ ids }: FailureSet): Kind => (ids?.includes(nameOfCheck({ tool: stage, id: "a1" })) ? "a" : "b");
const otherKind = (kind: Kind): Kind => (kind === "a" ? "b" : "a");

const madeForIn = ({ spent, current }: DecisionState): FailureSet | undefined =>
  spentOn(spent, current).madeFor?.failing;

function setsIn(
  context: DecisionState,
  most: number,
): readonly (readonly [label: string, kind: Kind, count: number])[] {
  if (most === 0) return [];
  const madeFor = madeForIn(context);
  const kind = madeFor === undefined ? "a" : kindOf(madeFor);
  const least = context.escalation.best[stage] ?? null;
  const same = ["same set", kind, madeFor?.count ?? most] as const;
  const moved = ["moved", otherKind(kind), most] as const;
  if (least === null || least === 1) return [same, moved];
  return [same, moved, ["fewer", kind, least - 1], ["moved to fewer", otherKind(kind), least - 1]];
}

function leftIn(context: DecisionState): readonly Labelled[] {
  const madeFor = madeForIn(context);
  if (madeFor === undefined || madeFor.count === 1) return [];
  const least = context.escalation.best[stage] ?? null;
  const counts = new Set([madeFor.count - 1, ...(least === null || least === 1 ? [] : [least - 1])]);
  return [...counts]
    .filter((count) => count < madeFor.count)
    .map((count) => [`left ${count}`, { kind: "accepted", left: someOf(kindOf(madeFor), count) }]);
}

const numberIn = ({ spent }: DecisionState): number =>
  Object.values(spent).reduce((sum, { attempts }) => sum + attempts, 0);

/**
 * Only answers that affect the length of a run.
 *
 * @param most Number of named checks that fail at the start; 0 without names.
 */
export const leanWith =
  (most: number): Answers =>
  (effect, context) => {
    switch (effect.name) {
      case "delegate":
        return [["replied", { kind: "replied" }]];
      case "verify":
        return [
          ["accepted", { kind: "accepted" }],
          ["rejected", { kind: "rejected", layer: "commit", reason: "r" }],
          ["failed", { kind: "failed", layer: "signal", reason: "f" }],
          ...leftIn(context),
        ];
      case "readFailure": {
        const number = numberIn(context);
        return [
          ["new error", { ...digest, fingerprint: `f${number}` }],
          ["admission", digestOf({ error: `e${number}`, admission: "lost" }, effect.input.watch)],
          ...setsIn(context, most).map(([label, kind, count]) => [label, setDigest(kind, count)] as const),
        ];
      }
      case "insertFix":
        return [["inserted", { kind: "inserted", fix: `${effect.input.fixOf}.${effect.input.made + 1}` }]];
      case "askOperator":
        return directives(operators.slice(0, 5), effect.input.task, context);
      case "askPerson":
        return [["gate", answerOfPerson("gate")]];
      case "gatherParts":
        return [["gathered", { kind: "gathered" }]];
      case "recordSkip":
        return [["skipped", { kind: "skipped", task: effect.input.task }]];
      case "writeStuckReport":
        return [["written", { kind: "written", path: "stuck-report.md" }]];
      case "recordPass":
        return [["recorded", { kind: "recorded" }]];
      default:
        throw new Error(`No answer is known for ${effect.name}`);
    }
  };

const setDigest = (kind: Kind, count: number): FailureDigest => ({
  ...{ ...digest, fingerprint: `${kind}${count}` },
  ...someOf(kind, count),
});

export const wholeWith =
  (most: number): Answers =>
  (effect, context) => {
    const lean = leanWith(most);
    const gate = ["gate", { kind: "gate", reason: "g", hint: "h" }] as const;
    const denied = ["denied", { kind: "denied", limit: "maxGlobalIterations", task: context.current, max: 9 }] as const;
    switch (effect.name) {
      case "delegate":
        return [...lean(effect, context), ["requested", { kind: "requested" }], denied];
      case "changePlan":
        return [
          ["replanned", { kind: "replanned", change: "SPLIT_TASK", added: [] }],
          ["extended", { kind: "extended", change: "ADD_FOLLOWUP", added: [] }],
          ["refused", { kind: "refused", reason: "r" }],
          gate,
        ];
      case "verify":
        return [
          ...lean(effect, context),
          ["review due", { kind: "accepted", reviewDue: true }],
          ["unverified", { kind: "accepted", unverified: true }],
          ["blocked", { kind: "blocked", question: "q" }],
          gate,
        ];
      case "review":
        return [
          ["approved", { kind: "accepted", passed: true, findings: "" }],
          ["disapproved", { kind: "failed", findings: "f" }],
          denied,
          gate,
        ];
      case "readFailure":
        return [
          ...lean(effect, context),
          ["same error", sameAgain(context, effect.input.watch)],
          ["trouble", { ...digest, fingerprint: `t${numberIn(context)}`, environment: "e", repeated: true }],
          ["hindered", digestOf("hindered")],
          ["replaced", digestOf("replaced")],
        ];
      case "wait":
        return [["waited", { kind: "waited" }], gate];
      case "insertFix":
        return [...lean(effect, context), denied];
      case "askOperator":
        return directives(operators, effect.input.task, context);
      case "askPerson":
        return persons.map((fate) => [fate, answerOfPerson(fate)]);
      default:
        return lean(effect, context);
    }
  };

const sameAgain = ({ escalation: { lastFingerprint } }: DecisionState, watch: boolean) => ({
  ...digestOf({ error: "e", strategy: "s" }, watch),
  ...(lastFingerprint !== null && { fingerprint: lastFingerprint }),
});

const operators: readonly OperatorFate[] = [
  ...(["retry", "decompose3", "prune", "escalate", "malformed"] as const),
  ...(["decompose2", "denied"] as const),
];

const directives = (fates: readonly OperatorFate[], task: TaskId, { spent }: DecisionState): readonly Labelled[] =>
  fates
    .filter((fate) => !fate.startsWith("decompose") || partsOf(spent, task).length === 0)
    .map((fate) => [fate, answerOfOperator(fate, task, 0)]);

const persons: readonly PersonFate[] = ["gate", "retry", "skip", "skip-task", "stop", "guided"];

/** Equal for states with the same possible futures. Ignores done tasks and attempt numbers, which are only labels. */
export function nameOf(state: TaskState): string {
  const { value, output, run } = state;
  const { root, current, spent, policy, escalation, remedy, failure, rejection, repairs, question, leftOut } =
    standingIn(state);
  const { level, pivots, researches, races, failures, sameErrors, admission, approaches, lastFingerprint } = escalation;
  const { failing, best, sinceBest, evidence } = escalation;
  return JSON.stringify([
    value,
    Object.hasOwn(run.turn.retried, current),
    output?.kind,
    pathTo(spent, root, current).map((task) => {
      const { madeFor, fixes } = spentOn(spent, task);
      return [
        wholeOf(task) === null ? 0 : partNumber(task),
        [iterationsOn(spent, task), fixesSinceProgress(spent, task), fixes.length],
        partsOf(spent, task).length,
        madeFor && [nameOfSet(madeFor.failing), madeFor.fingerprint === lastFingerprint],
      ];
    }),
    fixesBelow(spent, root).length,
    Object.values(spent).reduce((sum, { repairs = 0 }) => sum + repairs, 0),
    [
      level,
      pivots,
      researches,
      races,
      totalCap(policy) === null || hasLevels(policy) ? 0 : failures,
      sameErrors,
      admission,
    ],
    [approaches.some(({ strategy }) => strategy !== null), repeatsStrategy(escalation)],
    [best, evidence !== null, ...(escalates(policy) ? [nameOfSet(failing), sinceBest] : [])],
    // Named checks always have the same fingerprint, but each other error has a new one.
    lastFingerprint !== null && /^[ab]/.test(lastFingerprint) && lastFingerprint,
    [remedy, failure && nameOfSet(failure.failing), rejection !== null, question?.about],
    repairs.findLast(({ task }) => task === current)?.directive.strategy,
    value === "skipping" && leftOut.at(-1)?.task === root,
  ]);
}

const nameOfSet = (failing: FailureSet | null | undefined): string =>
  failing == null ? "none" : `${kindOf(failing)}${failing.count}`;

function pathTo(spent: SpentByTask, root: TaskId, current: TaskId): TaskId[] {
  const [planned = current, ...parts] = current.split("~");
  const wholes = parts.map((_, index) => [planned, ...parts.slice(0, index + 1)].join("~"));
  return [...new Set([root, ...lineageIn(spent, planned), ...wholes])];
}

export function explore({ policy }: { readonly policy: PolicyInput }, answersTo = leanWith(0)): Graph {
  const graph = new Map<string, Place & { ways: Way[] }>();
  const open: string[] = [];
  const visit = (state: TaskState): string => {
    const name = nameOf(state);
    if (graph.has(name)) return name;
    graph.set(name, { state, value: state.value, context: standingIn(state), effect: pendingIn(state), ways: [] });
    open.push(name);
    return name;
  };
  visit(startTask({ root: "1", policy }));
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const { state, context, effect, ways } = graph.get(name) as Place & { ways: Way[] };
    if (effect === undefined) continue;
    for (const [label, given] of answersTo(effect, context)) {
      ways.push({ label, to: visit(answer(state, effect, given)) });
    }
  }
  return graph;
}

const isUnbounded = (place: Place, { label }: Way): boolean =>
  ["hindered", "replaced"].includes(label) ||
  (place.effect?.name === "askPerson" && ["retry", "guided"].includes(label));

export function mostDelegations(graph: Graph): number {
  const known = new Map<string, number>();
  const open = new Set<string>();
  const visit = (name: string): number => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (open.has(name)) throw new Error(`A cycle that spends no budget goes through ${name}`);
    open.add(name);
    const place = graph.get(name) as Place;
    const rest = place.ways.filter((way) => !isUnbounded(place, way)).map(({ to }) => visit(to));
    open.delete(name);
    const calls = Math.max(0, ...rest) + (place.effect?.name === "delegate" ? 1 : 0);
    known.set(name, calls);
    return calls;
  };
  return visit([...graph.keys()][0] as string);
}
