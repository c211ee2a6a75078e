import { createTaskMachine } from "../../machines/task.ts";
import type { TaskInput } from "../../machines/task-input.ts";
import type { Answer, Effect } from "../../src/model/effect.ts";
import { partsOf, repairsOn, type SpentByTask, spentOn } from "../../src/model/ledger.ts";
import { totalCap } from "../../src/model/policy.ts";
import type { TaskContext } from "../../src/model/task-context.ts";
import type { TaskId } from "../../src/model/task-id.ts";
import { fixesBelow, lineageIn } from "../../src/recover/check-limit.ts";
import { repeatsStrategy } from "../../src/recover/detect-stuck.ts";
import { pending, report, start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";
import { answerOfOperator, answerOfPerson, digest, digestOf, type OperatorFate, type PersonFate } from "./play-task.ts";

/** One way on from a state: what it is answered with, and where that leads. */
interface Way {
  readonly label: string;
  readonly to: string;
}

/** A state that was reached, and all ways on from it. */
export interface Place {
  readonly state: StepState;
  readonly value: string;
  readonly context: TaskContext;
  /** The effect that is up; undefined at an end. */
  readonly effect: Effect | undefined;
  readonly ways: readonly Way[];
}

export type Graph = ReadonlyMap<string, Place>;

type Labelled = readonly [label: string, answer: object];

/** Answers that matter for how long a run can get: no gates of other effects, no waits, no reviews. */
function lean(effect: Effect, { escalation }: TaskContext): readonly Labelled[] {
  switch (effect.name) {
    case "delegate":
      return [["replied", { kind: "replied" }]];
    case "verify":
      return [
        ["accepted", { kind: "accepted" }],
        ["rejected", { kind: "rejected", layer: "commit", reason: "r" }],
        ["failed", { kind: "failed", layer: "signal", reason: "f" }],
      ];
    case "readFailure":
      return [
        ["new error", { ...digest, fingerprint: `f${escalation.failures}` }],
        ["admission", digestOf({ error: `e${escalation.failures}`, admission: "lost" }, effect.input.watch)],
      ];
    case "insertFix":
      return [["inserted", { kind: "inserted", fix: `${effect.input.task}.${effect.input.made + 1}` }]];
    case "askOperator":
      return operators.slice(0, 5).map((fate) => [fate, answerOfOperator(fate, effect.input.task, 0)]);
    case "askPerson":
      return [["gate", answerOfPerson("gate")]];
    case "gatherParts":
      return [["gathered", { kind: "gathered" }]];
    case "recordSkip":
      return [["skipped", { kind: "skipped" }]];
    case "writeStuckReport":
      return [["written", { kind: "written", path: "stuck-report.md" }]];
    case "recordPass":
      return [["recorded", { kind: "recorded" }]];
    case "changePlan":
    case "review":
    case "wait":
    case "chooseTask":
    case "chooseCleanup":
    case "mergeProgress":
    case "confirmCompletion":
      throw new Error(`Nobody answers ${effect.name}`);
  }
}

/** Everything that may be answered. */
export function whole(effect: Effect, context: TaskContext): readonly Labelled[] {
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
      return [...lean(effect, context), ["review due", { kind: "accepted", reviewDue: true }], gate];
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
        ["hindered", digestOf("hindered")],
        ["replaced", digestOf("replaced")],
      ];
    case "wait":
      return [["waited", { kind: "waited" }], gate];
    case "insertFix":
      return [...lean(effect, context), denied];
    case "askOperator":
      return operators.map((fate) => [fate, answerOfOperator(fate, effect.input.task, 0)]);
    case "askPerson":
      return persons.map((fate) => [fate, answerOfPerson(fate)]);
    case "gatherParts":
    case "recordSkip":
    case "writeStuckReport":
    case "recordPass":
    case "chooseTask":
    case "chooseCleanup":
    case "mergeProgress":
    case "confirmCompletion":
      return lean(effect, context);
  }
}

/** The error before once more, and the strategy before. */
const sameAgain = ({ escalation: { lastFingerprint } }: TaskContext, watch: boolean) => ({
  ...digestOf({ error: "e", strategy: "s" }, watch),
  ...(lastFingerprint !== null && { fingerprint: lastFingerprint }),
});

const operators: readonly OperatorFate[] = [
  ...(["retry", "decompose3", "prune", "escalate", "malformed"] as const),
  ...(["decompose2", "denied"] as const),
];
const persons: readonly PersonFate[] = ["gate", "retry", "skip", "stop", "guided"];

/** All that decides what can follow. Numbers of attempts are only a name; what is done with counts no more. */
export function nameOf({ nodes, output }: StepState): string {
  const { value, context } = nodes[""] as { value: string; context: TaskContext };
  const { root, current, spent, policy, escalation, remedy, failure, rejection, paused, repairs } = context;
  const { level, pivots, researches, failures, sameErrors, admission, approaches } = escalation;
  return JSON.stringify([
    value,
    nodes["repair"]?.value,
    (output as { kind: string } | null)?.kind,
    pathTo(spent, root, current).map((task) => {
      const { retries, fixes } = spentOn(spent, task);
      return [task, retries, fixes.length, repairsOn(spent, task), partsOf(spent, task).length];
    }),
    fixesBelow(spent, root).length,
    [level, pivots, researches, totalCap(policy) === null ? 0 : failures, sameErrors, admission],
    [approaches.some(({ strategy }) => strategy !== null), repeatsStrategy(escalation)],
    [remedy, failure !== null, rejection !== null, paused],
    repairs.findLast(({ task }) => task === current)?.directive.strategy,
  ]);
}

/** From the root of a tree down to a task of it: by fixes, and by parts. */
function pathTo(spent: SpentByTask, root: TaskId, current: TaskId): TaskId[] {
  const [planned = current, ...parts] = current.split("~");
  const wholes = parts.map((_, index) => [planned, ...parts.slice(0, index + 1)].join("~"));
  return [...new Set([root, ...lineageIn(spent, planned), ...wholes])];
}

const plain = createTaskMachine();

/** Every state that a task machine can reach. @param machine Another one to walk through: one that tells its guards. */
export function explore(input: Omit<TaskInput, "root">, answersTo = lean, machine = plain): Graph {
  const graph = new Map<string, Place & { ways: Way[] }>();
  const open: string[] = [];
  const visit = (state: StepState): string => {
    const name = nameOf(state);
    if (graph.has(name)) return name;
    const { value, context } = state.nodes[""] as { value: string; context: TaskContext };
    graph.set(name, { state, value, context, effect: pending(machine, state)[0], ways: [] });
    open.push(name);
    return name;
  };
  visit(start(machine, { root: "1", ...input }).state);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const { state, context, effect, ways } = graph.get(name) as Place & { ways: Way[] };
    if (effect === undefined) continue;
    for (const [label, answer] of answersTo(effect, context)) {
      const to = visit(report(machine, state, effect.key, answer as Answer<Effect["name"]>).state);
      ways.push({ label, to });
    }
  }
  return graph;
}

/** Ways that a person has to open, or the time: they may be taken again and again. */
export const isUnbounded = (place: Place, { label }: Way): boolean =>
  ["hindered", "replaced"].includes(label) ||
  (place.effect?.name === "askPerson" && ["retry", "guided"].includes(label));

/** The most delegations on any way through a graph; throws on a cycle that spends no budget. */
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
