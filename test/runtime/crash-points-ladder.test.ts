import { describe, expect, it } from "vitest";
import type { RunEnded } from "../../src/model/event.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { PersonAnswer } from "../../src/ports/person.ts";
import { delegationsIn, testKills, unanswered } from "../support/crash-points.ts";
import { allWaiting, block, failing, planOf, type Story, tell, type World, waitingIn } from "./kill-story.ts";

const two = planOf(block("1.1", "First"), block("1.2", "Second"));
const batched = planOf(block("1.1", "[P] First"), block("1.2", "[P] Second"), block("1.3", "[VERIFY] All"));
const escalation = { maxPivotAttempts: 1, maxResearchAttempts: 1 };
const climbing = ["pivot", "research", "checkpoint"] as const;
const decided = (decision: "retry" | "skip" | "stop"): PersonAnswer => ({ kind: "decided", decision });
const guided = (text: string): PersonAnswer => ({ kind: "guided", text });
const lost = "I don't know how to go on.";
/** What a compiler prints of names that it does not find in the file of task 1.1. */
const errors = (...names: readonly string[]): string =>
  names.map((name) => `src/1.1.ts(1,1): error TS2304: Cannot find name '${name}'.\n`).join("");
const limited = (until: number): Reply => ({
  ...{ text: "", exitCode: 1 },
  problem: { kind: "rate-limit", message: "You have hit your limit", until },
});
const limitedUntil =
  (until: number, then: string) =>
  ({ clock }: World): Reply | string =>
    clock.now() < until ? limited(until) : then;
const requesting = (task: string, id: string, title: string, type: string, claim = ""): string =>
  `It is more than that.\nTASK_MODIFICATION_REQUEST\n\`\`\`json\n${JSON.stringify({
    ...{ type, originalTaskId: task, reasoning: "It is more than that" },
    proposedTasks: [block(id, title)],
  })}\n\`\`\`\n${claim}`;

const stories: readonly Story[] = [
  {
    name: "a task that climbs to its checkpoint and is resumed with guidance",
    plan: two,
    policy: { recovery: ["retry", ...climbing], maxTaskIterations: 2, ...escalation },
    outcomes: ["checkpoint", "complete"],
    attempts: {
      "1.1": [
        failing("1.1", "a", "Trying: one way", "Found: a fact"),
        failing("1.1", "b", "Trying: two ways"),
        failing("1.1", "c", "Trying: three ways"),
        failing("1.1", "d", "Trying: four ways", "Found: more"),
        failing("1.1", "e"),
      ],
    },
    person: [null, guided("Use the other library")],
    fileState: ({ made }) => `state ${made.records.filter(({ type }) => type === "answered").length > 20}`,
  },
  {
    name: "a task whose executor cannot work and whose claims are turned down while it is stuck",
    isTriedTwice: true,
    plan: two,
    policy: { recovery: ["retry", ...climbing], maxPivotAttempts: 2, maxResearchAttempts: 2 },
    outcomes: ["complete"],
    attempts: {
      "1.1": [
        failing("1.1", "a", lost),
        limitedUntil(5000, ""),
        "It needs human eyes\nTASK_COMPLETE",
        failing("1.1", "b"),
        limited(9000),
        failing("1.1", "c"),
      ],
    },
  },
  {
    name: "a task that is stuck again and again, whose checkpoint a person answers at once",
    plan: two,
    policy: { recovery: [...climbing], ...escalation, maxTotalAttempts: 3 },
    outcomes: ["complete"],
    attempts: { "1.1": Array.from({ length: 7 }, (_, index) => failing("1.1", `error ${index}`)) },
    person: [decided("retry"), guided(""), guided("Look again")],
  },
  {
    name: "a checkpoint at which a task is left out",
    isTriedTwice: true,
    plan: two,
    policy: { recovery: ["checkpoint"] },
    outcomes: ["checkpoint", "skipped"],
    attempts: { "1.1": [failing("1.1", "a")] },
    person: [null, decided("skip")],
  },
  {
    name: "fixes, and the way up from one of them",
    plan: two,
    policy: { recovery: ["fix", ...climbing], maxFixTasksPerOriginal: 1, maxFixTaskDepth: 1, ...escalation },
    outcomes: ["checkpoint", "complete"],
    attempts: {
      "1.1": [failing("1.1", "a"), failing("1.1", "f", lost)],
      "1.1.1": [failing("1.1.1", "b"), failing("1.1.1", "c"), failing("1.1.1", "d")],
    },
    person: [null, guided("Begin anew")],
  },
  {
    name: "a repair by another attempt",
    plan: two,
    policy: { recovery: ["repair"] },
    outcomes: ["complete"],
    attempts: { "1.1": [failing("1.1", "a"), failing("1.1", "b")] },
    operator: { "1.1#1/askOperator": "RETRY: use the old parser", "1.1#2/askOperator": "RETRY: use the new parser" },
  },
  {
    name: "a repair by parts, one of which fails and is repaired, one of which is left out",
    isTriedTwice: true,
    plan: two,
    policy: { recovery: ["repair"], repairBudget: 3 },
    outcomes: ["complete"],
    attempts: { "1.1": [failing("1.1", "a")], "1.1~1": [failing("1.1~1", "b")], "1.1~2": [failing("1.1~2", "c")] },
    operator: {
      "1.1#1/askOperator": "DECOMPOSE: read the lines | sort the fields | write the report",
      "1.1~1#1/askOperator": "RETRY: mind the line ends",
      "1.1~2#1/askOperator": "PRUNE: nothing is to be sorted",
    },
  },
  {
    name: "parts of parts, and a whole whose check fails",
    plan: two,
    policy: { recovery: ["repair"], repairBudget: 3 },
    outcomes: ["gate", "complete"],
    attempts: { "1.1": [failing("1.1", "a")], "1.1~1": [failing("1.1~1", "b")] },
    operator: {
      "1.1#1/askOperator": "DECOMPOSE: read the lines | sort the fields",
      "1.1~1#1/askOperator": "DECOMPOSE: open the file | split it at line ends",
    },
    exits: { "1.1": [1, 0] },
    person: [null, decided("retry")],
  },
  {
    name: "a task that is left out",
    plan: two,
    policy: { recovery: ["repair"] },
    outcomes: ["skipped"],
    attempts: { "1.1": [failing("1.1", "a")] },
    operator: { "1.1#1/askOperator": "PRUNE: the service is gone" },
  },
  {
    name: "an operator that gives no directive, and a gate at which the task is left out",
    plan: two,
    policy: { recovery: ["repair"] },
    outcomes: ["gate", "skipped"],
    attempts: { "1.1": [failing("1.1", "a")] },
    operator: { "1.1#1/askOperator": "Well.", "1.1#1/askAgain": "DECOMPOSE: First" },
    person: [null, decided("skip")],
  },
  {
    name: "an operator that has to wait before it is asked again",
    isTriedTwice: true,
    plan: two,
    policy: { recovery: ["repair"] },
    outcomes: ["complete"],
    attempts: { "1.1": [failing("1.1", "a")] },
    operator: {
      "1.1#1/askOperator": limited(7000),
      "1.1#1/askAgain": limitedUntil(7000, "RETRY: use the old parser"),
    },
  },
  {
    name: "a gate at which the run is stopped",
    plan: two,
    policy: { recovery: ["repair"], repairBudget: 0 },
    outcomes: ["gate", "cancelled"],
    attempts: { "1.1": [failing("1.1", "a")] },
    person: [null, decided("stop")],
  },
  {
    name: "a gate that is answered with another attempt, twice",
    isTriedTwice: true,
    plan: two,
    policy: { recovery: ["repair"], repairBudget: 1 },
    outcomes: ["gate", "complete"],
    attempts: { "1.1": [failing("1.1", "a"), failing("1.1", "b"), failing("1.1", "c"), failing("1.1", "d")] },
    operator: { "1.1#1/askOperator": "RETRY: use the old parser", "1.1#3/askOperator": "RETRY: use the old parser" },
    person: [null, decided("retry"), guided("It is in the second file")],
  },
  {
    name: "fixes that help in part, one beside the other, and one below for what it has brought",
    isTriedTwice: true,
    plan: two,
    policy: { recovery: ["fix"], maxFixTasksPerOriginal: 2 },
    outcomes: ["complete"],
    prints: {
      "1.1": [
        errors("a", "b", "c", "d"),
        // The same, then the last one less, then the first two less, and something else.
        ...[errors("a", "b", "c", "d"), errors("a", "b", "c"), errors("c"), errors("c")],
        ...[errors("x"), "", "", ""],
      ],
    },
  },
  {
    name: "a task that gets on at a level, and is stuck again",
    isTriedTwice: true,
    plan: two,
    policy: {
      recovery: ["retry", ...climbing],
      ...{ maxTaskIterations: 2, stuckAfterSameErrors: 2, maxPivotAttempts: 2, maxResearchAttempts: 1 },
    },
    outcomes: ["checkpoint", "complete"],
    prints: {
      "1.1": [
        ...[errors("a", "b", "c"), errors("a", "b", "c"), errors("a", "b"), errors("b", "c")],
        ...[errors("a", "c"), errors("a"), errors("b"), errors("c"), errors("a"), errors("b")],
      ],
    },
    person: [null, guided("It is in the second file")],
  },
  {
    name: "executors that ask a person, a fix among them, and are told",
    isTriedTwice: true,
    plan: two,
    policy: { recovery: ["fix"] },
    outcomes: ["gate", "gate", "complete"],
    attempts: {
      "1.1": ["There are two.\nBLOCKED: Which port is it?", failing("1.1", "a")],
      "1.1.1": ["BLOCKED: May the schema change?"],
    },
    person: [null, guided("8080"), null, decided("retry")],
  },
  {
    name: "a program that is missing, until a person has dealt with it",
    plan: two,
    policy: { recovery: ["fix"] },
    outcomes: ["gate", "complete"],
    prints: { "1.1": Array.from({ length: 3 }, () => "sh: 1: pytest: not found\n") },
    person: [null, decided("retry")],
  },
  {
    name: "members of a batch of which one gets on by its fixes and the other asks",
    plan: batched,
    policy: { recovery: ["fix"], maxFixTasksPerOriginal: 1 },
    outcomes: ["gate", "complete"],
    attempts: { "1.2": ["BLOCKED: Which port is it?"] },
    prints: { "1.1": [errors("a", "b", "c"), errors("a", "b"), errors("b"), errors("b"), "", "", ""] },
    person: [null, guided("8080")],
  },
  {
    name: "the whole ladder",
    plan: two,
    policy: {
      recovery: ["retry", "fix", "repair", ...climbing],
      ...{ maxTaskIterations: 2, maxFixTasksPerOriginal: 1, repairBudget: 1, ...escalation },
    },
    outcomes: ["checkpoint", "complete"],
    attempts: {
      "1.1": ["a", "b", "c", "d", "e", "f"].map((error) => failing("1.1", error)),
      "1.1.1": [failing("1.1.1", "g")],
    },
    operator: { "1.1#3/askOperator": "DECOMPOSE: read the lines | write the report" },
    exits: { "1.1": [0, 0, 1] },
    person: [null, guided("It is in the second file")],
  },
  {
    name: "a run that is paused and advised while it works",
    isTriedTwice: true,
    plan: two,
    policy: { recovery: ["retry"] },
    outcomes: ["complete"],
    attempts: {
      "1.1": [
        ({ control }) => {
          control.send({ type: "guidance.given", text: "Use the other library" });
          control.send({ type: "pause" });
          return failing("1.1", "a");
        },
        failing("1.1", "b"),
      ],
    },
    // It pauses behind the attempt that is under way.
    onEvent: ({ type }, control) => {
      if (type === "task.decided") control.send({ type: "resume" });
    },
  },
  {
    name: "members of a batch that climb, are repaired, and are left out",
    plan: batched,
    policy: {
      recovery: ["fix", "repair", ...climbing],
      ...{ maxFixTasksPerOriginal: 1, maxFixTaskDepth: 1, repairBudget: 1, ...escalation },
    },
    outcomes: ["checkpoint", "skipped"],
    attempts: {
      "1.1": ["a", "b", "c", "d", "e"].map((error) => failing("1.1", error)),
      "1.2": [failing("1.2", "a"), failing("1.2", "b", lost), failing("1.2", "c"), failing("1.2", "d")],
    },
    operator: {
      "1.1#2/askOperator": "What?",
      "1.1#2/askAgain": "DECOMPOSE: read the lines | write the report",
    },
    exits: { "1.1": [0, 1, 0], "1.2": [0] },
    person: [null, decided("skip"), decided("skip")],
  },
  {
    name: "all else that a member of a batch and a task may come to",
    plan: `# Tasks\n\n## Phase 0: Before\n\n${block("0.1", "Zeroth")}\n${batched.slice(9)}\n## Phase 2: More\n\n${block("2.1", "Fourth")}`,
    policy: { recovery: ["repair"] },
    outcomes: ["gate", "gate", "skipped"],
    attempts: {
      "1.1": [requesting("1.1", "1.2", "Taken", "ADD_FOLLOWUP", "TASK_COMPLETE")],
      "1.2": [limitedUntil(3000, failing("1.2", "a")), failing("1.2", "b"), failing("1.2", "c")],
      "2.1": [requesting("2.1", "2.2", "What follows", "ADD_FOLLOWUP", "TASK_COMPLETE")],
    },
    operator: { "1.2#3/askOperator": "PRUNE: it is gone" },
    reviewer: { "2.1#1/review": "CODE: it leaks\nREVIEW_FAIL" },
    person: [null, decided("retry"), null, decided("retry")],
  },
  {
    name: "a task that is exhausted, and what is cleaned up",
    plan: planOf(block("1.1", "First"), block("VE3", "[VERIFY] E2E cleanup")),
    policy: { recovery: ["retry"], maxTaskIterations: 1 },
    outcomes: ["limit"],
    attempts: { "1.1": [failing("1.1", "a")] },
  },
];

const told: ReadonlySet<string> = new Set([
  ...["task.decided", "level.changed", "repair.chosen", "repair.refused", "task.skipped", "fix.inserted"],
  ...["task.passed", "task.failed", "task.rejected"],
]);

/** What happened, by task: those of a batch come in any order. */
function decisionsIn({ events }: ReturnType<typeof tell>): Record<string, readonly object[]> {
  const decisions: Record<string, object[]> = {};
  for (const event of events) {
    if (!told.has(event.type) || !("task" in event)) continue;
    const task = event.task.split(/[~.]/, 2).join(".");
    decisions[task] = [...(decisions[task] ?? []), event];
  }
  return decisions;
}

/** What a story comes to, but for the number of delegations. */
const endOf = (story: ReturnType<typeof tell>, { toOperator: _, ...ended }: RunEnded) => ({
  ended: { ...ended, attempts: 0 },
  tasks: story.store.tasks.text,
  progress: story.store.log.text,
  summary: story.store.summary.text,
  reports: [...story.store.reports],
  decisions: decisionsIn(story),
  prompts: new Map([...story.prompts].sort(([one], [other]) => (one < other ? -1 : 1))),
});

/** States in which some story was killed. */
const met = new Set<string>();

/** The story without a kill, and what must hold of it when it is killed before each of these records. */
async function undisturbed(story: Story) {
  const whole = tell(story);
  let before: RunEnded | null = null;
  for (const outcome of story.outcomes) {
    before = await whole.start(before !== null);
    expect(before).toMatchObject({ outcome });
  }
  const expected = endOf(whole, before as RunEnded);
  const usual = delegationsIn(whole.records).length;
  /** Whether there was a record for each of the kills. */
  const survives = async (kills: readonly number[]): Promise<boolean> => {
    const made = tell(story);
    const left = [...kills];
    let repeats = 0;
    let last: RunEnded | null = null;
    let echoes = 0;
    for (let stage = 0, asksAgain = false; stage < story.outcomes.length; ) {
      const ended: RunEnded | null = await made.start(asksAgain, left[0]);
      asksAgain = ended !== null;
      if (ended === null) {
        left.shift();
        repeats += unanswered(made.records);
        if (!story.plan.includes("[P]")) expect(repeats).toBeLessThanOrEqual(kills.length);
        if (kills.length === 1) for (const state of waitingIn(made.records, story.policy)) met.add(state);
        continue;
      }
      last = ended;
      // What was said to a start that was killed is to be said again.
      const isEcho = stage > 0 && ended.outcome === story.outcomes[stage - 1] && echoes < kills.length;
      if (isEcho) echoes++;
      else stage++;
    }
    if (left.length > 0) return false;
    const surplus = Math.max(0, delegationsIn(made.records).length - usual - repeats);
    expect({ ...endOf(made, last as RunEnded), surplus, kills }).toEqual({ ...expected, surplus: 0, kills });
    return true;
  };
  return { survives, moments: whole.records.length };
}

testKills(stories, undisturbed, { step: 1, firsts: 3, stride: 97, moments: 6 });

describe("all of them", () => {
  it("were killed in every state that waits for an effect, alone and in a batch", () => {
    expect(allWaiting().filter((state) => !met.has(state))).toEqual([]);
  });
});
