import { describe, expect, it } from "vitest";
import { type Approach, type Escalation, noEscalation } from "../../src/model/escalation.ts";
import { Progress } from "../../src/model/event.ts";
import type { FailureDigest, Signs } from "../../src/model/failure.ts";
import type { FailureSet } from "../../src/model/failure-set.ts";
import {
  afterAcceptance,
  afterFailure,
  afterPass,
  afterProgress,
  afterRejection,
  afterReset,
  isNewMinimum,
  progressOf,
} from "../../src/recover/escalation.ts";
import { detectStuck, repeatsStrategy } from "../../src/recover/stuck.ts";
import { countOf, evidenceWith, measuredFailure, plainFailure, setOf } from "../support/sample-failure.ts";

const limits = { stuckAfterSameErrors: 3, stuckAfterUnchanged: 5 };
const stuck = (part: Partial<Escalation>, policy = limits) => detectStuck({ ...noEscalation, ...part }, policy);
const tried = (...strategies: (string | null)[]): Pick<Escalation, "approaches" | "sinceCalm"> => ({
  sinceCalm: strategies.length,
  approaches: strategies.map((strategy): Approach => ({ level: "normal", task: "1.3", strategy, error: "e" })),
});

const noSigns: Signs = { strategy: null, findings: [], admission: null, fileState: null, changed: null };
const failure = (error: string, signs: Partial<Signs> = {}): FailureDigest => ({
  kind: "task",
  error,
  attemptedFix: "",
  status: "",
  fingerprint: error,
  signs: { ...noSigns, ...signs },
});
const seen = (...failures: (FailureDigest | null)[]): Escalation =>
  failures.reduce<Escalation>(
    (before, next) => (next === null ? afterRejection(before, "no signal") : afterFailure(before, "1.3", next)),
    noEscalation,
  );

describe("detectStuck", () => {
  it.each([
    ["the same error", { sameErrors: 2 }, { sameErrors: 3 }, "same-error"],
    ["no changed file", { unchanged: 4 }, { unchanged: 5 }, "no-change"],
    ["a state that comes back", { fileStates: ["a", "b"] }, { fileStates: ["a", "b", "a"] }, "state-again"],
    ["a strategy named again", tried("refs", "debounce"), tried("refs", "debounce", "refs"), "strategy-again"],
    ["an admission", { admission: null }, { admission: "i don't know how to" }, "admission"],
  ] as const)("reports stuck for %s from its threshold on", (_, below, at, reason) => {
    expect(stuck(below as Partial<Escalation>)).toBeNull();
    expect(stuck(at as Partial<Escalation>)).toBe(reason);
  });

  it("takes the thresholds from the policy", () => {
    expect(stuck({ sameErrors: 1 }, { ...limits, stuckAfterSameErrors: 1 })).toBe("same-error");
    expect(stuck({ sameErrors: 3 }, { ...limits, stuckAfterSameErrors: 4 })).toBeNull();
    expect(stuck({ unchanged: 1 }, { ...limits, stuckAfterUnchanged: 1 })).toBe("no-change");
    expect(stuck({ unchanged: 5 }, { ...limits, stuckAfterUnchanged: 6 })).toBeNull();
  });

  it("returns the first of several reasons", () => {
    const all = {
      admission: "i don't know how to",
      sameErrors: 3,
      unchanged: 5,
      fileStates: ["a", "b", "a"],
      ...tried("refs", "refs"),
    };
    expect(stuck(all)).toBe("admission");
    expect(stuck({ ...all, admission: null })).toBe("same-error");
    expect(stuck({ ...all, admission: null, sameErrors: 2 })).toBe("no-change");
    expect(stuck({ ...all, admission: null, sameErrors: 2, unchanged: 4 })).toBe("state-again");
    expect(stuck({ ...all, admission: null, sameErrors: 2, unchanged: 4, fileStates: [] })).toBe("strategy-again");
  });

  it("compares new minima if the failure count is known", () => {
    const measured = { best: { vitest: 2 }, change: "moved", sinceBest: 3 } as const;
    expect(stuck(measured)).toBe("no-progress");
    expect(stuck({ ...measured, sameErrors: 2 })).toBe("no-progress");
    expect(stuck({ ...measured, sameErrors: 3 })).toBe("same-error");
    expect(stuck({ ...measured, sameErrors: 3, admission: "i don't know how to" })).toBe("admission");
    expect(stuck({ ...measured, change: "progress" })).toBe("no-progress");
    expect(stuck({ ...measured, sinceBest: 2, sameErrors: 9 })).toBeNull();
    expect(stuck({ ...measured, sinceBest: 2 }, { ...limits, stuckAfterSameErrors: 2 })).toBe("no-progress");
  });

  it("reports no stuck task after progress, whatever other signs there are", () => {
    const all = {
      ...{ best: { vitest: 2 }, admission: "i don't know how to", sameErrors: 3, unchanged: 5 },
      ...{ fileStates: ["a", "b", "a"], ...tried("refs", "refs") },
    };
    expect(stuck({ ...all, sinceBest: 1, change: "progress" })).toBeNull();
    expect(stuck({ ...all, sinceBest: 0, change: "moved" })).toBeNull();
    expect(stuck({ ...all, sinceBest: 1, change: "same" })).toBe("admission");
    const silent = { ...all, admission: null, sinceBest: 1 };
    expect(stuck({ ...silent, change: "moved" })).toBe("no-change");
    expect(stuck({ ...silent, change: null, unchanged: 0 })).toBe("state-again");
    expect(stuck({ ...silent, change: "first", unchanged: 0, fileStates: [] })).toBe("strategy-again");
  });

  it.each([
    ["A-B-A", ["a", "b", "a"], "state-again"],
    ["A-B-C-A", ["a", "b", "c", "a"], "state-again"],
    ["A-B-B-A", ["a", "b", "b", "a"], "state-again"],
    ["A-B-A-A", ["a", "b", "a", "a"], "state-again"],
    ["A-A-B", ["a", "a", "b"], null],
    ["A-B-B", ["a", "b", "b"], null],
    ["A-B-C", ["a", "b", "c"], null],
    ["A-A-A", ["a", "a", "a"], null],
    ["A", ["a"], null],
    ["A-B-A-C", ["a", "b", "a", "c"], null],
  ] as const)("classifies the states %s of the files", (_, fileStates, reason) => {
    expect(stuck({ fileStates: [...fileStates] })).toBe(reason);
  });

  it("judges only failures: a rejected claim neither adds to a sequence nor interrupts it", () => {
    expect(detectStuck(seen(failure("e"), failure("e"), null), limits)).toBeNull();
    expect(detectStuck(seen(failure("e"), failure("e"), null, failure("e")), limits)).toBe("same-error");
  });
});

describe("repeatsStrategy", () => {
  it.each([
    [["useReducer", "Debounce", "use reducer"], false],
    [["useReducer", "Debounce", "**usereducer**!"], true],
    [["Adopt Zod (schema)", "refs", "adopt  zod: schema"], true],
    [["move it from a to b", "move it from b to a"], false],
    [["refs"], false],
    [["refs", "debounce", "debounce"], true],
    [["refs", "refs", "debounce"], false],
    [["refs", null], false],
    [[null, null], false],
    [["refs", null, "refs"], true],
    [["…", "!"], false],
    [[], false],
  ])("returns for the strategies %j: %s", (strategies, again) => {
    expect(repeatsStrategy(tried(...strategies))).toBe(again);
  });
});

it("ignores strategies from before an acceptance", () => {
  const approach = { level: "normal", task: "1.3", strategy: "Use a reducer", error: "boom" } as const;
  const tried = { ...noEscalation, approaches: [approach, approach] };
  expect(repeatsStrategy({ ...tried, sinceCalm: 2 })).toBe(true);
  expect(repeatsStrategy({ ...tried, sinceCalm: 1 })).toBe(false);
});

it("ignores an attempt that states it had no strategy", () => {
  for (const named of ["none", "None.", "N/A", "No fix attempted", "nothing", "unknown"]) {
    expect(repeatsStrategy(tried(named, named))).toBe(false);
  }
});

const first = afterFailure(noEscalation, "1.3", measuredFailure(["a", "b", "c"]));

describe("progressOf", () => {
  it("is unknown before a failure, without a failure set, and after an acceptance of everything", () => {
    expect(progressOf(noEscalation)).toBeNull();
    expect(progressOf(afterFailure(first, "1.3", plainFailure("boom")))).toBeNull();
    expect(progressOf(afterAcceptance(first, null))).toBeNull();
  });

  it("returns the failure count, its change since the previous attempt, and the minimum", () => {
    expect(progressOf(first)).toEqual({
      ...{ failing: 3, of: null, was: null, change: "first", lost: [], gained: [], best: 3 },
    });
    const second = afterFailure(first, "1.3", measuredFailure(["a"]));
    const third = afterFailure(second, "1.3", measuredFailure(["a", "d"], { failing: { ...setOf("a", "d"), ran: 9 } }));
    const told = progressOf(third);
    expect(told).toEqual({ failing: 2, of: 9, was: 1, change: "moved", lost: [], gained: ["d"], best: 1 });
    expect(Progress.parse(JSON.parse(JSON.stringify(told)))).toEqual(told);
  });

  it("returns the remaining failures of a fix too", () => {
    const left = afterAcceptance(first, { failing: setOf("b"), evidence: evidenceWith(["b"]) });
    expect(progressOf(left)).toMatchObject({ failing: 1, was: 3, change: "progress", lost: ["a", "c"], best: 1 });
  });

  it("takes the current count as the minimum if that of its stage is not stored", () => {
    expect(progressOf({ ...noEscalation, failing: countOf(4), change: "first" })).toMatchObject({
      failing: 4,
      best: 4,
    });
  });
});

const failureWith = (failing: FailureSet | null, index = 0): FailureDigest =>
  failing === null ? failure(`none ${index}`) : { ...failure(`set ${index}`), failing };
const measured = (...sets: readonly (FailureSet | null)[]): Escalation => seen(...sets.map(failureWith));

describe("afterFailure with known failures", () => {
  it("restarts counts at each new minimum, and only there", () => {
    const counts = [4, 3, 3, 2, 3, 2, 1].map((count) => countOf(count));
    const sinceBest = counts.map((_, index) => measured(...counts.slice(0, index + 1)).sinceBest);
    expect(sinceBest).toEqual([1, 0, 1, 0, 1, 2, 0]);
    expect(counts.map((_, index) => isNewMinimum(measured(...counts.slice(0, index + 1))))).toEqual(
      sinceBest.map((count) => count === 0),
    );
  });

  it("keeps the minima of 20 stages", () => {
    const stages = Array.from({ length: 25 }, (_, index) => countOf(2, { stage: `s${index}` }));
    const full = measured(...stages);
    expect(Object.keys(full.best)).toHaveLength(20);
    expect(afterFailure(full, "1.3", failureWith(countOf(1, { stage: "s24" })))).toMatchObject({ sinceBest: 26 });
    expect(afterFailure(full, "1.3", failureWith(countOf(1, { stage: "s19" })))).toMatchObject({ sinceBest: 0 });
    expect(measured(countOf(1, { stage: "__proto__" }), countOf(2, { stage: "toString" })).sinceBest).toBe(2);
  });
});

describe("afterAcceptance", () => {
  const before = seen(measuredFailure(["a", "b", "c"]), measuredFailure(["a", "b", "d"]));

  it("forgets the failures if no check is known to fail, but not the minimum", () => {
    expect(afterAcceptance(before, null)).toEqual({
      ...{ ...before, failing: null, change: null, before: null, lost: [], gained: [], evidence: null },
    });
    expect(isNewMinimum(afterAcceptance(seen(measuredFailure(["a", "b"]), measuredFailure(["a"])), null))).toBe(false);
  });

  it("continues with the checks that still fail", () => {
    const after = afterAcceptance(before, { failing: setOf("b"), evidence: evidenceWith(["b"]) });
    expect(after).toMatchObject({
      ...{ failing: setOf("b"), change: "progress", before: 3, lost: ["a", "d"], gained: [], best: { vitest: 1 } },
      ...{ sinceBest: 0, evidence: evidenceWith(["b"]), failures: 2 },
    });
    expect(isNewMinimum(after)).toBe(true);
    expect(afterFailure(afterPass(after), "1.3", measuredFailure(["b"]))).toMatchObject({ change: "same", before: 1 });
    expect(afterProgress(after)).toMatchObject({ failing: setOf("b"), best: { vitest: 1 }, sinceBest: 0 });
  });
});

describe("full lists", () => {
  it("S5: lose their oldest entries, except the original approach", () => {
    const full = seen(
      ...Array.from({ length: 25 }, (_, n) =>
        failure(`e${n}`, { strategy: `s${n}`, findings: [`f${n}`], fileState: `t${n}` }),
      ),
    );
    expect(full.approaches.map(({ strategy }) => strategy)).toEqual([
      "s0",
      ...Array.from({ length: 9 }, (_, n) => `s${n + 16}`),
    ]);
    expect(full.findings).toEqual(Array.from({ length: 10 }, (_, n) => `f${n + 15}`));
    expect(full.fileStates).toEqual(Array.from({ length: 20 }, (_, n) => `t${n + 5}`));
    expect(full.failures).toBe(25);
  });
});

it("keep the attempts before a person restarted a task, also after a success", () => {
  const again = afterReset({ ...noEscalation, failures: 2, earlier: 1 });
  expect([again, afterPass(again).earlier, afterReset(noEscalation)]).toEqual([
    ...[{ ...noEscalation, earlier: 3 }, 3, noEscalation],
  ]);
});
