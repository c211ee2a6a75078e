import { describe, expect, it } from "vitest";
import type { DecisionState } from "../../src/model/decision.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import { type Fate, type Others, type Played, playTask, type Shown } from "../support/play-task.ts";

const up = ["pivot", "research", "checkpoint"] as const;
const six = ["a", "b", "c", "d", "e", "f"];

const run = (
  recovery: PolicyInput["recovery"],
  fates: readonly Fate[],
  limits: PolicyInput = {},
  others: Others = {},
) => playTask({ root: "1.1", policy: { ...limits, recovery } }, fates, others);

const fails = (...failing: string[]): Shown => ({ error: `${failing[0]} fails`, failing });

const decisionsOf = ({ events }: Played): string[] =>
  events.flatMap((event) => (event.type === "task.decided" ? [event.decision] : []));
const insertionsOf = ({ events }: Played): (readonly [fix: string, task: string, supersedes: string | null])[] =>
  events.flatMap((event) =>
    event.type === "fix.inserted" ? [[event.fix, event.task, event.supersedes] as const] : [],
  );
const lastOf = ({ contexts }: Played): DecisionState => contexts.at(-1) as DecisionState;

const ladders = [["fix"], ["retry", ...up], ["fix", ...up]] as const;

describe("an executor that makes progress", () => {
  it.each(ladders.map((recovery) => [recovery.join(", "), recovery] as const))(
    "completes without a different approach if each attempt mends the last failing check: %s",
    (_, recovery) => {
      const script = six.map((_check, index) => fails(...six.slice(0, six.length - index)));
      const played = run([...recovery], script);
      expect(played.outcome.kind).toBe("passed");
      expect(decisionsOf(played)).toEqual(Array(6).fill(recovery[0]));
      // Each fix helps only in part, so the next fix becomes its sibling.
      const beside = six.slice(1).map((_check, index) => [`1.1.${index + 2}`, "1.1", `1.1.${index + 1}`]);
      expect(insertionsOf(played)).toEqual(recovery[0] === "fix" ? [["1.1.1", "1.1", null], ...beside] : []);
    },
  );

  it.each([ladders[0], ladders[2]].map((recovery) => [recovery.join(", "), recovery] as const))(
    "completes if each fix mends the first failing check: %s",
    (_, recovery) => {
      const script = six.map((_check, index) =>
        index % 2 === 0 ? fails(...six.slice(index)) : { left: six.slice(index) },
      );
      const played = run([...recovery], script);
      expect(played.outcome.kind).toBe("passed");
      expect(played.delegated).toEqual(["1.1", "1.1.1", "1.1", "1.1.2", "1.1", "1.1.3", "1.1"]);
      expect(decisionsOf(played)).toEqual(["fix", "fix", "fix"]);
      const told = played.events.flatMap((event) =>
        event.type === "task.passed" && event.left != null ? [[event.task, event.left.was, event.left.failing]] : [],
      );
      expect(told).toEqual([
        ["1.1.1", 6, 5],
        ["1.1.2", 4, 3],
        ["1.1.3", 2, 1],
      ]);
    },
  );

  it.each(ladders.map((recovery) => [recovery.join(", "), recovery] as const))(
    "stops if the failed checks are different each time, but the same number: %s",
    (_, recovery) => {
      const moving = Array.from({ length: 20 }, (_unused, index) => fails(`${index} one`, `${index} two`));
      expect(run([...recovery], moving).outcome.kind).toBe(recovery.length === 1 ? "exhausted" : "checkpoint");
    },
  );

  it("restarts the limits on one task at each new minimum, but not those of the tree", () => {
    const script = [fails("a", "b", "c"), fails("a", "b", "c"), fails("a", "b"), fails("a", "b"), fails("a")];
    const limits = { maxFixTasksPerOriginal: 2, maxFixTasksPerRoot: 5 };
    const played = run(["fix"], [...script, fails("a"), fails("a")], limits);
    expect(played.events.filter(({ type }) => type === "fix.inserted")).toMatchObject(
      [1, 2, 1, 2, 1].map((attempts, index) => ({ fix: `1.1.${index + 1}`, attempts, limit: 2 })),
    );
    expect(played.outcome).toMatchObject({
      kind: "exhausted",
      denial: { limit: "maxFixTasksPerRoot", task: "1.1", max: 5 },
      spent: { "1.1": { fixes: ["1.1.1", "1.1.2", "1.1.3", "1.1.4", "1.1.5"] } },
    });
  });

  it("restarts its iterations at each new minimum", () => {
    const limits = { maxTaskIterations: 2 };
    const played = run(["retry"], [fails("a", "b"), fails("a"), ...Array(9).fill(fails("a"))], limits);
    expect(played.delegated).toHaveLength(4);
    expect(played.outcome).toMatchObject({ denial: { limit: "maxTaskIterations", task: "1.1", max: 2 } });
    expect(run(["retry"], [fails("a"), fails("b"), fails("c")], limits).delegated).toHaveLength(2);
  });

  it("returns to normal after a new minimum of failed checks, and keeps its spent counts", () => {
    const script = [...Array(4).fill(fails("a", "b")), fails("a"), fails("a")];
    const played = run(["retry", ...up], script);
    expect(decisionsOf(played)).toEqual([...Array(3).fill("retry"), "pivot", "retry", "retry"]);
    expect(played.events.filter(({ type }) => type === "task.decided")[3]).toMatchObject({ stuck: "same-error" });
    expect(lastOf(played).escalation).toMatchObject({ level: "normal", pivots: 1, failures: 6 });
  });

  it("stays at its level if as many checks fail as before, others or the same", () => {
    const script = [...Array(4).fill(fails("a", "b")), fails("a", "c"), fails("a", "b")];
    expect(decisionsOf(run(["retry", ...up], script)).slice(3)).toEqual(["pivot", "pivot", "pivot"]);
  });

  it("is stuck without a new minimum, whatever each failure says", () => {
    const moving = Array.from({ length: 4 }, (_, index) => fails(`${index} one`));
    const { events } = run(["retry", ...up], moving);
    expect(events.filter(({ type }) => type === "task.decided").at(-1)).toMatchObject({
      decision: "pivot",
      stuck: "no-progress",
    });
    const unnamed = moving.map(({ error }) => ({ error }));
    expect(decisionsOf(run(["retry", ...up], unnamed, { maxTaskIterations: 9 }))).not.toContain("pivot");
  });

  it("reports the failure count after each attempt, and which checks are new and gone", () => {
    const { events } = run(["retry"], [fails("a", "b", "c"), fails("b", "c"), fails("c", "d"), { error: "e" }]);
    const told = events.flatMap((event) => (event.type === "task.failed" ? [event.progress] : []));
    expect(told).toEqual([
      { failing: 3, of: 10, was: null, change: "first", lost: [], gained: [], best: 3 },
      { failing: 2, of: 10, was: 3, change: "progress", lost: ["a"], gained: [], best: 2 },
      { failing: 2, of: 10, was: 2, change: "moved", lost: ["b"], gained: ["d"], best: 2 },
      null,
    ]);
  });
});

describe("a fix that fails", () => {
  it("has a sibling if it leaves its target failing, or a part of it", () => {
    const same = run(["fix"], [fails("a", "b"), fails("a", "b")]);
    expect(same.delegated).toEqual(["1.1", "1.1.1", "1.1.2", "1.1"]);
    expect(insertionsOf(same)).toEqual([
      ["1.1.1", "1.1", null],
      ["1.1.2", "1.1", "1.1.1"],
    ]);
    const part = run(["fix"], [fails("a", "b"), fails("a")]);
    expect(insertionsOf(part)).toEqual(insertionsOf(same));
    expect(part.outcome).toMatchObject({
      kind: "passed",
      spent: { "1.1": { fixes: ["1.1.1", "1.1.2"] }, "1.1.1": { fixes: [], supersededBy: "1.1.2" } },
    });
  });

  it("has a child if it causes new failures", () => {
    for (const brought of [fails("x"), fails("a", "b", "x"), { error: "Cannot find module" }]) {
      const { delegated, events } = run(["fix"], [fails("a", "b"), brought]);
      expect(delegated).toEqual(["1.1", "1.1.1", "1.1.1.1", "1.1.1", "1.1"]);
      expect(events.filter(({ type }) => type === "fix.inserted")[1]).toMatchObject({
        ...{ task: "1.1.1", fix: "1.1.1.1", supersedes: null, attempts: 1 },
      });
    }
  });

  it("counts, like its sibling, for the task that both were made for", () => {
    const limits = { maxFixTasksPerOriginal: 2, maxFixTaskDepth: 1 };
    const { outcome, delegated } = run(["fix"], Array(9).fill(fails("a")), limits);
    expect(delegated).toEqual(["1.1", "1.1.1", "1.1.2"]);
    expect(outcome).toMatchObject({
      kind: "exhausted",
      current: "1.1.2",
      denial: { limit: "maxFixTasksPerOriginal", task: "1.1", max: 2 },
    });
  });

  it("has its own fixes as siblings too, and continues upwards from the last of them", () => {
    const script = [fails("a"), fails("x"), fails("x"), "accepted", "accepted"] as const;
    const { delegated, outcome } = run(["fix"], script);
    expect(delegated).toEqual(["1.1", "1.1.1", "1.1.1.1", "1.1.1.2", "1.1.1", "1.1"]);
    expect(outcome.spent).toMatchObject({
      "1.1": { fixes: ["1.1.1"] },
      "1.1.1": { fixes: ["1.1.1.1", "1.1.1.2"] },
      "1.1.1.1": { supersededBy: "1.1.1.2" },
    });
  });

  it("has no sibling if its claim was rejected", () => {
    expect(run(["fix"], [fails("a"), "rejected", "accepted"]).delegated).toEqual(["1.1", "1.1.1", "1.1.1", "1.1"]);
  });
});

describe("an executor that asks a person", () => {
  it("spends no attempt, and stops the run with its question if no one is there", () => {
    const { events, outcome, keys } = run(["retry"], ["blocked"], { maxTaskIterations: 1 });
    expect(keys).toEqual(["1.1#1/delegate", "1.1#1/verify", "1.1#1/askPerson"]);
    expect(events).toEqual([{ type: "person.asked", task: "1.1", about: "blocked", question: "as scripted" }]);
    expect(outcome).toMatchObject({ kind: "gated", spent: { "1.1": { attempts: 1, waits: 1, retries: 0 } } });
  });

  it.each(["guided", "retry"] as const)("continues with the answer: %s", (person) => {
    const { outcome, contexts, events, keys } = run(["fix"], ["blocked"], {}, { person: [person] });
    expect(keys).toContain("1.1#2/delegate");
    expect(outcome.kind).toBe("passed");
    expect(contexts.at(-1)).toMatchObject({ question: null, guidance: person === "guided" ? "as advised" : null });
    expect(events.at(-1)).toMatchObject({ type: "task.passed", attempts: 2 });
  });

  it("is skipped, or stops the run, as the person decides", () => {
    const decided = (person: "skip" | "stop") => run(["fix"], ["blocked"], {}, { person: [person] });
    expect(decided("skip").outcome.kind).toBe("pruned");
    expect(decided("skip").events.at(-1)).toMatchObject({
      ...{ type: "task.skipped", justification: "by a person's decision" },
    });
    expect(decided("stop").outcome.kind).toBe("cancelled");
  });

  it("asks the usual question if the task fails after an answer", () => {
    const { events } = run(["repair"], ["blocked", "failed"], { repairBudget: 0 }, { person: ["guided"] });
    expect(events.filter(({ type }) => type === "person.asked")).toMatchObject([
      { about: "blocked", question: "as scripted" },
      { about: "repair", question: null },
    ]);
  });

  it("continues with the fix if the question was about a fix", () => {
    const { delegated, outcome } = run(["fix"], [fails("a"), "blocked"], {}, { person: ["guided"] });
    expect(delegated).toEqual(["1.1", "1.1.1", "1.1.1", "1.1"]);
    expect(outcome.kind).toBe("passed");
  });
});

describe("trouble of the environment that affects one task after the other", () => {
  const trouble: Shown = { error: "pytest: not found", trouble: "the program pytest is missing" };

  it.each(ladders.map((recovery) => [recovery.join(", "), recovery] as const))(
    "is put before a person instead of a remedy: %s",
    (_, recovery) => {
      const { events, outcome, keys } = run([...recovery], [trouble]);
      expect(keys).toEqual(["delegate", "verify", "readFailure", "askPerson"].map((effect) => `1.1#1/${effect}`));
      expect(events).toMatchObject([
        { type: "task.failed", failure: { error: "pytest: not found" } },
        { type: "person.asked", task: "1.1", about: "environment", question: "the program pytest is missing" },
      ]);
      expect(outcome.kind).toBe("gated");
    },
  );

  it("is over for the task once a person has dealt with it", () => {
    const { outcome, contexts, delegated } = run(["fix"], [trouble], {}, { person: ["retry"] });
    expect(delegated).toEqual(["1.1", "1.1"]);
    expect(outcome.kind).toBe("passed");
    expect(contexts.at(-1)).toMatchObject({ question: null, escalation: { failures: 0 } });
  });
});

describe("a task that no command has proven", () => {
  it("passes as unverified, unlike one that a command has proven", () => {
    expect(run(["retry"], ["unverified"]).events).toMatchObject([
      { type: "task.passed", proof: { kind: "unverified" } },
    ]);
    const fixed = run(["fix"], ["failed", "unverified", "accepted"]);
    expect(fixed.events.filter(({ type }) => type === "task.passed")).toMatchObject([
      { task: "1.1.1", proof: { kind: "unverified" } },
      { task: "1.1", proof: { kind: "proven" } },
    ]);
  });
});
