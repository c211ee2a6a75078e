import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTaskMachine } from "../../machines/task.ts";
import { adjustmentFor } from "../../machines/task-moves.ts";
import { fixesSinceProgress, iterationsOn } from "../../src/model/ledger.ts";
import { totalCap, totalSpent } from "../../src/model/limits.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import { escalates } from "../../src/model/rung.ts";
import type { TaskContext } from "../../src/model/task-context.ts";
import { pending, report, start } from "../../src/runtime/step.ts";
import { ladderFates, ladders, others, shown, unnamed } from "../support/ladder-arbitraries.ts";
import { answerTask, type Fate, type Others, type Played, playTask } from "../support/play-task.ts";
import { prop } from "../support/prop.ts";

const up = ["pivot", "research", "checkpoint"] as const;

/** What is done one after the other, without the checks in between; the level an attempt is made at is named. */
function story({ keys, contexts }: Played): string[] {
  return keys.flatMap((key, index) => {
    const { level } = (contexts[index] as TaskContext).escalation;
    const [task, effect] = [key.slice(0, key.lastIndexOf("#")), key.slice(key.lastIndexOf("/") + 1)];
    if (effect === "delegate") return [level === "normal" ? `delegate ${task}` : `delegate ${task} at ${level}`];
    return ["verify", "readFailure"].includes(effect) ? [] : [`${effect} ${task}`];
  });
}

const run = (
  recovery: PolicyInput["recovery"],
  fates: readonly Fate[],
  others: Others = {},
  policy: PolicyInput = {},
) => playTask({ root: "1.3", policy: { ...policy, recovery } }, fates, others);

/** Failures with errors of their own, so that no detector sees a repetition. */
const failures = (count: number): Fate[] => Array.from({ length: count }, (_, index) => ({ error: `error ${index}` }));

describe("task machine, on the ladder of each source system", () => {
  it("[fix]: writes a fix task for every failure, and a fix of the fix that fails with something new", () => {
    const played = run(["fix"], ["failed", { error: "new" }, "accepted", "accepted", "failed"]);
    expect(story(played)).toEqual([
      ...["delegate 1.3", "insertFix 1.3"],
      ...["delegate 1.3.1", "insertFix 1.3.1"],
      ...["delegate 1.3.1.1", "recordPass 1.3.1.1"],
      ...["delegate 1.3.1", "recordPass 1.3.1"],
      ...["delegate 1.3", "insertFix 1.3"],
      ...["delegate 1.3.2", "recordPass 1.3.2"],
      ...["delegate 1.3", "recordPass 1.3"],
    ]);
    expect(played.outcome.kind).toBe("passed");
  });

  it("[fix]: writes another fix task beside one that has not helped, and does not try that again", () => {
    expect(story(run(["fix"], ["failed", "failed", "failed", "accepted", "failed"]))).toEqual([
      ...["delegate 1.3", "insertFix 1.3"],
      ...["delegate 1.3.1", "insertFix 1.3.1"],
      ...["delegate 1.3.2", "insertFix 1.3.2"],
      ...["delegate 1.3.3", "recordPass 1.3.3"],
      ...["delegate 1.3", "insertFix 1.3"],
      ...["delegate 1.3.4", "recordPass 1.3.4"],
      ...["delegate 1.3", "recordPass 1.3"],
    ]);
  });

  it("[retry, pivot, research, checkpoint]: retries until it is stuck, then climbs to a report for a person", () => {
    const played = run(["retry", ...up], Array(20).fill("failed"));
    expect(story(played)).toEqual([
      ...Array(5).fill("delegate 1.3"),
      ...Array(3).fill("delegate 1.3 at pivot"),
      ...Array(3).fill("delegate 1.3 at research"),
      ...["writeStuckReport 1.3", "askPerson 1.3"],
    ]);
    expect(played.outcome).toMatchObject({ kind: "checkpoint", reason: "nobody is there", root: "1.3" });
    expect(played.events.filter(({ type }) => type === "level.changed")).toMatchObject([
      { level: "pivot", attempt: 1, max: 3 },
      { level: "pivot", attempt: 2, max: 3 },
      { level: "pivot", attempt: 3, max: 3 },
      { level: "research", attempt: 1, max: 3 },
      { level: "research", attempt: 2, max: 3 },
      { level: "research", attempt: 3, max: 3 },
      { level: "checkpoint", attempt: 0, max: 0 },
    ]);
    expect(played.events).toContainEqual({ type: "person.asked", task: "1.3", about: "checkpoint", question: null });
  });

  it("[repair]: asks the operator, follows it within its budget, then asks a person", () => {
    const played = run(["repair"], ["failed", "failed", "accepted", "failed", "accepted", "accepted", "failed"], {
      operator: ["retry", "decompose3", "retry"],
    });
    expect(story(played)).toEqual([
      ...["delegate 1.3", "askOperator 1.3"],
      ...["delegate 1.3", "askOperator 1.3"],
      ...["delegate 1.3~1", "recordPass 1.3~1"],
      // Two directives were followed: the part has no budget of its own.
      ...["delegate 1.3~2", "askPerson 1.3~2"],
    ]);
    expect(played.outcome).toMatchObject({ kind: "gate", root: "1.3", current: "1.3~2" });
    expect(played.events).toContainEqual({ type: "person.asked", task: "1.3~2", about: "repair", question: null });
    expect(played.events).toContainEqual({
      ...{ type: "task.passed", task: "1.3~1", attempts: 1, fixes: [] },
      unverified: false,
    });
  });

  it("[repair]: shares what is left of the budget among the parts, then checks the whole without delegating it", () => {
    const script: Fate[] = ["failed", "failed", "accepted", "failed", "accepted", "failed"];
    const operator = ["decompose2", "retry", "prune"] as const;
    const played = run(["repair"], script, { operator }, { repairBudget: 3 });
    expect(story(played)).toEqual([
      ...["delegate 1.3", "askOperator 1.3"],
      ...["delegate 1.3~1", "askOperator 1.3~1"],
      ...["delegate 1.3~1", "recordPass 1.3~1"],
      ...["delegate 1.3~2", "askOperator 1.3~2", "recordSkip 1.3~2"],
      ...["gatherParts 1.3", "recordPass 1.3"],
    ]);
    expect(played.keys).toContain("1.3#2/verify");
    expect(played.keys).not.toContain("1.3#2/delegate");
    expect(played.outcome.kind).toBe("passed");
    expect(played.events.filter(({ type }) => type === "repair.chosen")).toMatchObject([
      { task: "1.3", strategy: "decompose", budgetLeft: 2 },
      { task: "1.3~1", strategy: "retry", budgetLeft: 1 },
      { task: "1.3~2", strategy: "prune", budgetLeft: 1 },
    ]);
  });

  it("[fix, repair, pivot, research, checkpoint]: one remedy after the other, each until it is used up", () => {
    const recovery = ["fix", "repair", ...up] as const;
    const limits = { maxFixTasksPerOriginal: 1, repairBudget: 1, maxPivotAttempts: 1, maxResearchAttempts: 1 };
    const [first, ...others] = failures(5) as [Fate, ...Fate[]];
    const played = run([...recovery], [first, "accepted", ...others], { operator: ["retry"] }, limits);
    expect(story(played)).toEqual([
      ...["delegate 1.3", "insertFix 1.3"],
      ...["delegate 1.3.1", "recordPass 1.3.1"],
      ...["delegate 1.3", "askOperator 1.3"],
      "delegate 1.3",
      "delegate 1.3 at pivot",
      "delegate 1.3 at research",
      ...["writeStuckReport 1.3", "askPerson 1.3"],
    ]);
    const decided = played.events.flatMap((event) => (event.type === "task.decided" ? [event.decision] : []));
    expect(decided).toEqual(["fix", "repair", "pivot", "research", "checkpoint"]);
  });
});

describe("task machine, repairing", () => {
  it("asks executors for a tick of their own of tasks in the plan, of parts and what they make up never", () => {
    const machine = createTaskMachine();
    const policy = { recovery: ["repair" as const], requireExecutorTick: true };
    let { state } = start(machine, { root: "1.3", policy });
    const asked: [string, boolean][] = [];
    for (let effect = pending(machine, state)[0]; effect !== undefined; effect = pending(machine, state)[0]) {
      if (effect.name === "verify") asked.push([effect.key, effect.input.requireExecutorTick]);
      const answer = answerTask(
        effect,
        effect.key.startsWith("1.3#1/") || effect.key.startsWith("1.3#2/") ? "failed" : "accepted",
        effect.key.startsWith("1.3#1/") ? "decompose2" : "retry",
        "gate",
        1,
      );
      state = report(machine, state, effect.key, answer as never).state;
    }
    expect(asked).toEqual([
      ["1.3#1/verify", true],
      ["1.3~1#1/verify", false],
      ["1.3~2#1/verify", false],
      ["1.3#2/verify", false],
      ["1.3#3/verify", true],
    ]);
  });

  it("shares one budget among a planned task and its fixes", () => {
    const limits = { maxFixTasksPerOriginal: 1, maxFixTaskDepth: 1, repairBudget: 2 };
    const script = [...failures(3), "accepted" as const, ...failures(2)];
    const { events, outcome } = run(["fix", "repair"], script, { operator: ["retry", "retry", "retry"] }, limits);
    expect(events.filter(({ type }) => type === "repair.chosen")).toMatchObject([
      { task: "1.3.1", budgetLeft: 1 },
      { task: "1.3.1", budgetLeft: 0 },
    ]);
    expect(outcome).toMatchObject({ kind: "gate", current: "1.3" });
  });

  it("gives the operator's adjustment to the next attempt only", () => {
    const limits = { repairBudget: 1, maxTaskIterations: 2 };
    const { contexts, keys } = run(["repair", "retry"], failures(2), { operator: ["retry"] }, limits);
    const adjusted = keys.flatMap((key, index) =>
      key.endsWith("/delegate") ? [adjustmentFor(contexts[index] as TaskContext)] : [],
    );
    expect(adjusted).toEqual([null, expect.stringContaining("adjustment"), null]);
  });
});

describe("task machine, stuck", () => {
  it("comes back to normal when a fix passes that was made with another approach, and keeps what it has spent", () => {
    const { outcome, events, contexts } = run(
      ["fix", ...up],
      [
        "failed",
        { error: "e", admission: "I don't know how to", strategy: "a", findings: ["f"] },
        "accepted",
        "failed",
      ],
    );
    expect(outcome.kind).toBe("passed");
    expect(events.filter(({ type }) => type === "level.changed")).toHaveLength(1);
    expect(contexts.at(-1)?.escalation).toMatchObject({ level: "normal", pivots: 1, failures: 3 });
    expect(contexts.at(-1)?.escalation).toMatchObject({
      findings: ["f"],
      approaches: [{ task: "1.3.1", strategy: "a" }],
    });
  });

  it("takes another remedy where a fix with the same approach led to the same error", () => {
    const same = { error: "e", strategy: "a" };
    const { events } = run(["fix", "retry"], [same, "accepted", same]);
    expect(events.filter(({ type }) => type === "task.decided")).toMatchObject([
      { decision: "fix" },
      {
        decision: "retry",
        considered: [
          { rung: "fix", passedOver: "repeated" },
          { rung: "retry", passedOver: null },
        ],
      },
    ]);
  });

  it("still knows the remedy behind a claim that was not in order", () => {
    const same = { error: "e", strategy: "a" };
    const { events } = run(["fix", "retry"], [same, "accepted", "rejected", same]);
    const decided = events.filter(({ type }) => type === "task.decided");
    expect(decided.at(-1)).toMatchObject({ decision: "retry", considered: [{ passedOver: "repeated" }, {}] });
  });

  it("still counts an error behind an accepted fix, and begins anew with the next part", () => {
    const fixed = run(["fix"], [{ error: "e" }, "accepted"]);
    expect(fixed.contexts.at(-1)?.escalation).toMatchObject({ sameErrors: 1 });
    const parted = run(["repair"], [{ error: "e" }, { error: "e" }, "accepted"], { operator: ["decompose2", "retry"] });
    expect(story(parted).at(-1)).toBe("recordPass 1.3");
    const next = parted.contexts.find(({ current }) => current === "1.3~2");
    expect(next?.escalation).toMatchObject({ sameErrors: 0, failures: 2 });
  });

  it("tells executors at which level they work, what was tried, and what the operator wants", () => {
    const { contexts } = run(["repair", "pivot"], failures(3), { operator: ["retry"] }, { repairBudget: 1 });
    expect(contexts.at(-1)).toMatchObject({ remedy: "pivot", escalation: { level: "pivot", pivots: 2, failures: 3 } });
  });

  it.each([["pivot"], ["checkpoint"]] as const)("remembers what was tried where its only rung tells it: %s", (rung) => {
    const { contexts } = run([rung], failures(2), {}, { maxPivotAttempts: 1 });
    expect(contexts.at(-1)?.escalation.approaches[0]).toMatchObject({ level: "normal", error: "error 0" });
  });

  it("goes on after a checkpoint as a person decides, with new budgets and new numbers of attempts", () => {
    const stuck = { maxPivotAttempts: 0, maxResearchAttempts: 0, maxTaskIterations: 1 };
    const { keys, outcome, contexts } = run(
      ["retry", ...up],
      ["failed", "failed"],
      { person: ["guided", "retry"] },
      stuck,
    );
    expect(keys.filter((key) => key.endsWith("/delegate"))).toEqual([1, 2, 3].map((n) => `1.3#${n}/delegate`));
    expect(contexts.at(-1)).toMatchObject({ guidance: "as advised", escalation: { level: "normal", failures: 0 } });
    expect(outcome.kind).toBe("passed");
  });

  it("leaves the task out, or stops, as a person decides at a checkpoint", () => {
    const stuck = { maxPivotAttempts: 0, maxResearchAttempts: 0, maxTaskIterations: 1 };
    const decided = (person: "skip" | "stop") => run(["retry", ...up], ["failed"], { person: [person] }, stuck).outcome;
    expect(decided("skip")).toMatchObject({ kind: "pruned", justification: "left out by decision of a person" });
    expect(decided("stop")).toMatchObject({ kind: "cancelled" });
  });

  it("leaves the task out when the operator prunes it or a fix of it, with the operator's reason", () => {
    const { outcome, events } = run(["repair"], ["failed"], { operator: ["prune"] });
    expect(outcome).toMatchObject({
      kind: "pruned",
      root: "1.3",
      justification: expect.stringContaining("justification"),
    });
    expect(events).toContainEqual(expect.objectContaining({ type: "task.skipped", task: "1.3" }));
    const limits = { maxFixTaskDepth: 1 };
    const fixed = run(["fix", "repair"], ["failed", { error: "new" }], { operator: ["prune"] }, limits);
    expect(fixed.outcome).toMatchObject({ kind: "pruned", root: "1.3", current: "1.3.1" });
  });

  it.each(["escalate", "denied"] as const)("ends as told when the operator's answer is %s", (answer) => {
    const { outcome } = run(["repair"], ["failed"], { operator: [answer] });
    expect(outcome.kind).toBe(answer === "denied" ? "exhausted" : "gate");
  });

  it("goes on from where an earlier start left it: at its level, with what it had spent", () => {
    const before = run(["retry", ...up], Array(6).fill("failed"));
    const left = before.contexts.findLast(({ escalation }) => escalation.level === "pivot") as TaskContext;
    const policy = { recovery: ["retry" as const, ...up] };
    const { spent, escalation } = left;
    const again = playTask({ root: "1.3", policy, spent, escalation, guidance: "as advised" }, []);
    expect(story(again)[0]).toBe("delegate 1.3 at pivot");
    // The attempt that the earlier start did not see the end of stays counted.
    expect(again.contexts[0]).toMatchObject({ guidance: "as advised", escalation: { pivots: 3, failures: 6 } });
  });
});

/** Each answer, and what was kept before and after it. */
const steps = ({ keys, contexts }: Played) =>
  contexts.slice(1).map((after, index) => ({
    effect: keys[index]?.slice(keys[index].lastIndexOf("/") + 1) as string,
    before: contexts[index] as TaskContext,
    after,
  }));

const levels = ["normal", "pivot", "research", "checkpoint"];
const leastOf = ({ escalation: { best } }: TaskContext): number => best["vitest"] ?? 0;

describe("task machine, for every ladder and every sequence of fates", () => {
  prop(
    "comes down a level only after a pass, by a person, or where fewer checks fail than ever before",
    [ladders, ladderFates, others],
    (policy, script, answers) => {
      for (const { effect, before, after } of steps(playTask({ root: "1", policy }, script, answers))) {
        const isFewer = leastOf(after) < leastOf(before);
        if (["recordPass", "askPerson"].includes(effect) || isFewer) continue;
        expect(levels.indexOf(after.escalation.level)).toBeGreaterThanOrEqual(levels.indexOf(before.escalation.level));
      }
    },
  );

  prop(
    "I16: lowers no count but by a person, and those of a level by an attempt that spent nothing",
    [ladders, ladderFates, others],
    (policy, script, answers) => {
      for (const { effect, before, after } of steps(playTask({ root: "1", policy }, script, answers))) {
        const counts = ({ spent, escalation }: TaskContext): (readonly [string, number])[] => [
          ...Object.entries(spent).flatMap(
            ([task, { attempts, retries, fixes, waits = 0, reviews = 0, repairs = 0 }]) => [
              ...([
                [`${task} attempts`, attempts],
                [`${task} fixes`, fixes.length],
              ] as const),
              ...([
                [`${task} waits`, waits],
                [`${task} reviews`, reviews],
              ] as const),
              // Given again by a person.
              ...(effect === "askPerson"
                ? []
                : ([
                    [`${task} retries`, retries],
                    [`${task} repairs`, repairs],
                  ] as const)),
            ],
          ),
          ...(effect === "askPerson"
            ? []
            : ([
                [
                  "at levels",
                  Object.values(spent).reduce(
                    (sum, { waits = 0 }) => sum + waits,
                    escalation.pivots + escalation.researches,
                  ),
                ],
                ["failures", escalation.failures],
              ] as const)),
        ];
        const now = new Map(counts(after));
        for (const [name, was] of counts(before))
          expect([name, now.get(name)]).toEqual([name, expect.toSatisfy((is) => is >= was)]);
      }
    },
  );

  prop(
    "I9: asks for nothing twice under one key, a person's new start included",
    [ladders, ladderFates, others],
    (...given) => {
      const { keys } = playTask({ root: "1", policy: given[0] }, given[1], given[2]);
      expect(new Set(keys).size).toBe(keys.length);
    },
  );

  prop(
    "I1: makes at most 64 steps between two delegations",
    [ladders, ladderFates, others],
    (policy, script, answers) => {
      const { keys } = playTask({ root: "1", policy }, script, answers);
      const gaps = keys.join(" ").split("/delegate");
      expect(Math.max(...gaps.map((gap) => gap.split(" ").length))).toBeLessThanOrEqual(64);
    },
  );

  it("I2: tries a task again from the normal level behind a fix that a person has left out", () => {
    const policy = Policy.parse({
      ...{ recovery: ["fix", "retry", "research"], maxTaskIterations: 1, maxResearchAttempts: 2 },
      ...{ maxFixTasksPerOriginal: 1, stuckAfterUnchanged: 1, stuckAfterSameErrors: 2 },
    });
    const same = { error: "one" };
    const script = ["failed" as const, same, same, { ...same, trouble: "the program node is missing" }];
    const { contexts } = playTask({ root: "1", policy }, script, { operator: [], person: ["skip"] });
    expect(contexts.at(-1)?.escalation).toMatchObject({ level: "normal", researches: 1 });
  });

  it.each([1, 2])("I2: tries nothing more behind part %i of two that a person leaves out at the cap", (part) => {
    const policy = Policy.parse({ recovery: ["repair"], repairBudget: 1, maxTotalAttempts: 2 });
    const failed = { error: "one" };
    const script = [failed, ...(part === 1 ? [failed] : ["accepted" as const, failed]), failed];
    const { outcome, keys } = playTask({ root: "1", policy }, script, { operator: ["decompose2"], person: ["skip"] });
    expect(outcome).toMatchObject({ kind: "exhausted", denial: { limit: "maxTotalAttempts", task: "1", max: 2 } });
    expect(keys.filter((key) => key.endsWith("/verify")).at(-1)).toBe(`1~${part}#1/verify`);
  });

  prop("I2: stays within every limit in every state", [ladders, ladderFates, others], (given, script, answers) => {
    const policy = Policy.parse(given);
    for (const { spent, escalation } of playTask({ root: "1", policy }, script, answers).contexts) {
      const all = Object.values(spent);
      for (const task of Object.keys(spent)) {
        expect(iterationsOn(spent, task)).toBeLessThanOrEqual(policy.maxTaskIterations);
        expect(fixesSinceProgress(spent, task)).toBeLessThanOrEqual(policy.maxFixTasksPerOriginal);
      }
      expect(all.flatMap(({ fixes }) => fixes).length).toBeLessThanOrEqual(policy.maxFixTasksPerRoot);
      expect(all.reduce((sum, { repairs = 0 }) => sum + repairs, 0)).toBeLessThanOrEqual(policy.repairBudget);
      expect(escalation.pivots).toBeLessThanOrEqual(policy.maxPivotAttempts);
      expect(escalation.researches).toBeLessThanOrEqual(policy.maxResearchAttempts);
      expect(totalSpent(policy, escalation)).toBeLessThanOrEqual(totalCap(policy) ?? Number.POSITIVE_INFINITY);
    }
  });

  prop(
    "I3: makes each fix a child of the task that it repairs, numbered in order",
    [ladders, ladderFates, others],
    (policy, script, answers) => {
      const { outcome, events } = playTask({ root: "1", policy }, script, answers);
      for (const [task, { fixes }] of Object.entries(outcome.spent)) {
        expect(fixes).toEqual(fixes.map((_, index) => `${task}.${index + 1}`));
      }
      for (const event of events) {
        if (event.type !== "fix.inserted") continue;
        const { task, fix, supersedes } = event;
        expect(outcome.spent[task]?.fixes).toContain(fix);
        if (supersedes === null) continue;
        expect(outcome.spent[task]?.fixes).toContain(supersedes);
        expect(outcome.spent[supersedes]).toMatchObject({ supersededBy: fix });
      }
    },
  );

  prop(
    "delegates no fix again that another has taken the place of",
    [ladders, ladderFates, others],
    (policy, script, answers) => {
      for (const { before, effect } of steps(playTask({ root: "1", policy }, script, answers))) {
        const { current, spent } = before;
        if (effect === "delegate") expect(spent[current]?.supersededBy).toBeUndefined();
      }
    },
  );

  prop(
    "I10: passes only after the root itself was accepted last",
    [ladders, ladderFates, others],
    (policy, script, answers) => {
      const { outcome, keys, events } = playTask({ root: "1", policy }, script, answers);
      const passed = events.at(-1);
      expect(outcome.kind === "passed").toBe(
        passed?.type === "task.passed" && passed.task === "1" && keys.at(-1)?.endsWith("/recordPass") === true,
      );
    },
  );

  prop(
    "stops at a checkpoint only when no level has an attempt left, and as exhausted only when no rung has",
    [ladders, ladderFates, others],
    (policy, script, answers) => {
      for (const event of playTask({ root: "1", policy }, script, answers).events) {
        if (event.type !== "task.decided") continue;
        const passedOver = event.considered.flatMap(({ rung, passedOver: why }) =>
          event.decision === "exhausted" || (event.decision === "checkpoint" && ["pivot", "research"].includes(rung))
            ? [why]
            : [],
        );
        for (const why of passedOver) expect(["spent", "total"]).toContain(why);
      }
    },
  );
});

/**
 * Tasks that a tree can have if it fails at all, and all its parts. A fix that has not helped has another beside it, and
 * where checks are named a task may have its fixes again for each new minimum: then only the tree has a limit.
 */
function tasksWithin({ recovery, repairBudget, ...limits }: Policy, named: boolean): number {
  const { maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot } = limits;
  const width = recovery.includes("fix") ? maxFixTasksPerOriginal : 0;
  const tree = Array.from({ length: maxFixTaskDepth + 1 }, (_, depth) => width ** depth).reduce((a, b) => a + b, 0);
  const most = 1 + (width === 0 || maxFixTaskDepth === 0 ? 0 : maxFixTasksPerRoot);
  const planned = named ? most : Math.min(tree, most);
  return planned + (recovery.includes("repair") ? 3 * repairBudget : 0);
}

/** Attempts that every task may need, whatever a detector says: each failure may cost an attempt at a level. */
function attemptsAllowed(policy: Policy, named = false): number {
  const { recovery, maxPivotAttempts, maxResearchAttempts, maxTaskIterations } = policy;
  const cap = totalCap(policy) ?? Number.POSITIVE_INFINITY;
  const levels =
    (recovery.includes("pivot") ? maxPivotAttempts : 0) + (recovery.includes("research") ? maxResearchAttempts : 0);
  // The cap is on attempts at levels where there are any, else on failed ones.
  const climbs = Math.min(levels, cap);
  const total = recovery.includes("pivot") || recovery.includes("research") ? Number.POSITIVE_INFINITY : cap - 1;
  // Without levels no detector is asked, and every task has retries of its own.
  const retries = recovery.includes("retry") ? maxTaskIterations - 1 : 0;
  const allows = (fails: number): boolean => {
    const all = fails * tasksWithin(policy, named);
    return all <= total && (escalates(policy) ? all <= climbs : fails <= retries);
  };
  let fails = 0;
  while (allows(fails + 1)) fails += 1;
  return 1 + fails;
}

const count = (max: number) => fc.integer({ min: 0, max });

describe("task machine, with an executor that succeeds in the end", () => {
  const roomy: fc.Arbitrary<PolicyInput> = fc.record({
    recovery: fc
      .tuple(
        fc.shuffledSubarray(["retry", "fix", "repair"] as const),
        fc.constantFrom([], ["pivot"], ["research"], ["pivot", "research"], [...up], ["pivot", "checkpoint"]),
      )
      .map(([low, high]) => [...low, ...high] as Policy["recovery"])
      .filter((recovery) => recovery.length > 0),
    maxTaskIterations: fc.integer({ min: 1, max: 4 }),
    maxFixTasksPerOriginal: count(2),
    maxFixTaskDepth: count(2),
    maxFixTasksPerRoot: count(4),
    repairBudget: count(1),
    maxPivotAttempts: count(8),
    maxResearchAttempts: count(8),
    maxTotalAttempts: fc.option(fc.integer({ min: 1, max: 20 })),
    stuckAfterSameErrors: fc.integer({ min: 1, max: 3 }),
    stuckAfterUnchanged: fc.integer({ min: 1, max: 3 }),
  });
  const bad = fc.oneof({ weight: 4, arbitrary: shown }, { weight: 1, arbitrary: fc.constant<Fate>("rejected") });
  const names = (fates: readonly Fate[]): boolean =>
    fates.some((fate) => typeof fate !== "string" && "failing" in fate);
  const between = fc.constantFrom<Fate | null>(null, null, null, "hindered", "replaced");

  prop(
    "I29: passes whenever each task succeeds within the attempts of the levels, whatever its failures look like",
    [
      roomy,
      fc.oneof(...[bad.map(unnamed), bad].map((each) => fc.array(each, { minLength: 1, maxLength: 30 }))),
      fc.array(between, { maxLength: 30 }),
      fc.nat(5),
      fc.boolean(),
    ],
    (given, failing, waits, fewer, splitting) => {
      const policy = Policy.parse(given);
      const succeeds = Math.max(1, attemptsAllowed(policy, names(failing)) - fewer);
      const judged = new Map<string, number>();
      let calls = 0;
      const work = (task: string): Fate => {
        const wait = waits[calls++];
        if (wait !== null && wait !== undefined) return wait;
        const attempt = (judged.get(task) ?? 0) + 1;
        judged.set(task, attempt);
        return attempt >= succeeds ? "accepted" : (failing[calls % failing.length] as Fate);
      };
      const operator = Array(30).fill(splitting ? "decompose3" : "retry");
      expect(playTask({ root: "1", policy }, work, { operator }).outcome.kind).toBe("passed");
    },
  );

  it("I29: allows the first attempt and those of all levels, as far as the cap on these allows", () => {
    const policy = (limits: PolicyInput) => Policy.parse({ recovery: ["retry", ...up], ...limits });
    expect(attemptsAllowed(policy({}))).toBe(1 + 3 + 3);
    expect(attemptsAllowed(policy({ maxTotalAttempts: 4 }))).toBe(1 + 4);
  });
});
