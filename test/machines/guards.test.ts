import { describe, expect, it } from "vitest";
import { type AnyStateMachine, assign, initialTransition, transition } from "xstate";
import { createBatchMachine } from "../../machines/batch.ts";
import { createEscalationMachine } from "../../machines/escalation.ts";
import { createPullRequestMachine } from "../../machines/pull-request.ts";
import { createRepairMachine } from "../../machines/repair.ts";
import { createSpecMachine } from "../../machines/spec.ts";
import { createTaskMachine } from "../../machines/task.ts";
import { noEscalation } from "../../src/model/escalation.ts";
import { noBook } from "../../src/model/pull-request-book.ts";
import { report, send, start } from "../../src/runtime/step.ts";
import { explore, whole } from "../support/explore-task.ts";
import { overdue, visitPullRequest } from "../support/visit-pull-request.ts";

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A chart that tells what it takes, and what it does not. */
interface Watched<Machine> {
  readonly machine: Machine;
  /** Guards that have not answered both ways. */
  oneSided(): string[];
  /** Transitions that were not taken. */
  untaken(): string[];
}

function watch<Machine extends AnyStateMachine>(chart: Machine): Watched<Machine> {
  const said = new Map<string, Set<boolean>>();
  const guards = chart.implementations.guards as Record<string, (...given: unknown[]) => boolean>;
  for (const name of Object.keys(guards)) said.set(name, new Set());
  const telling = Object.entries(guards).map(([name, guard]) => [
    name,
    (...given: unknown[]) => {
      const answer = guard(...given);
      said.get(name)?.add(answer);
      return answer;
    },
  ]);
  const machine = chart.provide({ guards: Object.fromEntries(telling) }) as Machine;
  const untaken = new Set<string>();
  for (const node of [machine.root, ...Object.values(machine.states)]) {
    for (const way of [...node.transitions.values(), node.always ?? []].flat()) {
      const guard = (way.guard as { type: string } | string | undefined) ?? "";
      const target = way.target?.map(({ key }) => key).join() ?? "nowhere";
      const name = `${node.key}: ${way.eventType} ${typeof guard === "string" ? guard : guard.type} to ${target}`;
      untaken.add(name);
      way.actions = [
        ...way.actions,
        assign(() => {
          untaken.delete(name);
          return {};
        }) as never,
      ];
    }
  }
  return {
    machine,
    oneSided: () =>
      [...said].filter(([, answers]) => answers.size !== 2).map(([name, [answer]]) => `${name}: ${answer}`),
    untaken: () => [...untaken],
  };
}

/** Send every event in every state, up to so many in a row. */
function roam(machine: AnyStateMachine, inputs: readonly object[], events: readonly Event[], depth: number): void {
  const seen = new Set<string>();
  let open = inputs.map((input) => initialTransition(machine, input)[0]);
  for (let length = 0; length < depth; length++) {
    const next = open.flatMap((snapshot) => events.map((event) => transition(machine, snapshot, event)[0]));
    open = next.filter((snapshot) => {
      const name = JSON.stringify([snapshot.value, snapshot.context]);
      return !seen.has(name) && seen.add(name);
    });
  }
}

const done = (id: string, output: object = {}): Event => ({
  type: `xstate.done.actor.${id}`,
  output,
  actorId: id,
});
const gate = { kind: "gate", reason: "r", hint: "h" };
const denied = { kind: "denied", limit: "maxCost", task: "1", max: 9 };
const said: readonly Event[] = [
  { type: "cancel" },
  { type: "pause" },
  { type: "resume" },
  { type: "guidance.given", text: "g" },
  ...["retry", "skip", "skip-task", "stop"].map((decision) => ({ type: "decision.made", decision })),
];
const ended = [
  { kind: "passed", root: "1" },
  { kind: "exhausted", root: "1", current: "1", denial: denied, lastError: null, spent: {} },
  { ...gate, root: "1" },
  { kind: "checkpoint", root: "1", reason: "r", hint: "h" },
  { kind: "cancelled", root: "1" },
];
const chosen = { kind: "task", root: "1", current: "1", spent: {} };
const member = (root: string) => ({ root, current: root, spent: {}, after: [] });

function walkTask({ machine, oneSided, untaken }: Watched<ReturnType<typeof createTaskMachine>>): void {
  const paused = start(machine, { root: "1", paused: true }).state;
  for (const event of said) send(machine, paused, event as never);
  start(machine, { root: "1", spent: { "1": { attempts: 1, retries: 0, fixes: [] } } });
  const tiny = { maxFixTasksPerOriginal: 1, maxFixTaskDepth: 1, maxFixTasksPerRoot: 1, repairBudget: 1 };
  const climbs = { maxPivotAttempts: 1, maxResearchAttempts: 1, maxTaskIterations: 1 };
  for (const policy of [
    { ...tiny, ...climbs, recovery: ["repair", "fix", "checkpoint"] as const, maxTotalAttempts: 4 },
    { ...tiny, ...climbs, recovery: ["retry", "pivot", "research", "checkpoint"] as const, maxTaskIterations: 2 },
    { ...tiny, ...climbs, recovery: ["repair"] as const, repairBudget: 2 },
  ]) {
    const graph = explore({ policy: { ...policy, recovery: [...policy.recovery] } }, whole, machine);
    const withheld = done("verify", { kind: "rejected", layer: "commit", reason: "r", withheld: true });
    for (const { state } of graph.values()) {
      if (oneSided().length === 0 && untaken().length === 0) return;
      for (const event of [...said, withheld]) send(machine, state, event as never);
    }
  }
}

function walkRepair({ machine }: Watched<ReturnType<typeof createRepairMachine>>): void {
  const answers = [denied, { kind: "directed", directive: {} }, { kind: "malformed", reason: "r" }];
  const events = ["askOperator", "askAgain"].flatMap((id) => answers.map((answer) => done(id, answer)));
  const input = { task: "1", attempt: "1#1" };
  roam(
    machine,
    [
      { ...input, budget: 0 },
      { ...input, budget: 1 },
    ],
    events,
    2,
  );
}

function walkEscalation({ machine }: Watched<ReturnType<typeof createEscalationMachine>>): void {
  const levels = ["normal", "pivot", "research", "checkpoint"] as const;
  const policy = { maxPivotAttempts: 1, maxResearchAttempts: 1 };
  const failed = { type: "attempt.failed", failure: { error: "e", admission: "I'm not sure what's causing it" } };
  const events = ["attempt.rejected", "attempt.passed", "attempts.exhausted"].map((type) => ({ type }));
  const inputs = levels.map((level) => ({ policy, escalation: { ...noEscalation, level } }));
  roam(machine, inputs, [...events, failed, ...said], 3);
}

function walkBatch({ machine }: Watched<ReturnType<typeof createBatchMachine>>): void {
  const members = ["1", "2"].map((root) => done(root, { ...ended[0], root }));
  roam(machine, [{ members: ["1", "2"].map(member), turn: 1 }], [...members, done("mergeProgress"), ...said], 4);
}

function walkSpec({ machine }: Watched<ReturnType<typeof createSpecMachine>>): void {
  const batch = { kind: "batch", members: [member("1")] };
  const events = [
    ...[chosen, batch, { kind: "none" }, { kind: "none", pullRequest: noBook }, gate].map((answer) =>
      done("chooseTask", answer),
    ),
    ...shipped.map((outcome) => done("pullRequest", outcome)),
    ...ended.map((outcome) => done("task", outcome)),
    ...ended.map((outcome) => done("batch", { outcomes: [outcome] })),
    ...[chosen, { kind: "none" }].map((answer) => done("chooseCleanup", answer)),
    ...ended.map((outcome) => done("cleanup", outcome)),
    ...[{ kind: "complete" }, { kind: "skipped" }, gate].map((answer) => done("confirmCompletion", answer)),
  ];
  roam(machine, [{}, { policy: { pullRequest: {} } }], [...events, ...said], 4);
}

const shipped = [
  { kind: "more", task: "5.5" },
  { kind: "ready", number: 7, url: "u", head: "h" },
  { kind: "merged", number: 7, url: "u" },
  { kind: "exhausted", denial: overdue },
  gate,
  { kind: "cancelled" },
];

function walkPullRequest({ machine }: Watched<ReturnType<typeof createPullRequestMachine>>): void {
  expect(visitPullRequest(machine, { start, report, send })).toEqual(new Set(Object.keys(machine.root.states)));
}

describe("every chart", () => {
  it.each([
    ["task", () => walked(watch(createTaskMachine()), walkTask)],
    ["repair", () => walked(watch(createRepairMachine()), walkRepair)],
    ["escalation", () => walked(watch(createEscalationMachine()), walkEscalation)],
    ["batch", () => walked(watch(createBatchMachine()), walkBatch)],
    ["pullRequest", () => walked(watch(createPullRequestMachine()), walkPullRequest)],
    ["spec", () => walked(watch(createSpecMachine()), walkSpec)],
  ])("can take both sides of every guard, and every transition: %s", (_, walk) => {
    const { oneSided, untaken } = walk();
    expect({ oneSided: oneSided(), untaken: untaken() }).toEqual({ oneSided: [], untaken: [] });
  });
});

function walked<Machine>(watched: Watched<Machine>, walk: (watched: Watched<Machine>) => void): Watched<Machine> {
  expect(watched.untaken()).not.toEqual([]);
  walk(watched);
  return watched;
}
