import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Escalation, Level, noEscalation } from "../../src/model/escalation.ts";
import type { FailureDigest, Signs } from "../../src/model/failure.ts";
import type { FailureSet } from "../../src/model/failure-set.ts";
import {
  afterAcceptance,
  afterClimb,
  afterFailure,
  afterPass,
  afterProgress,
  afterRefund,
  afterReset,
  afterRunBefore,
  detectStuck,
  isNewMinimum,
} from "../../src/recover/escalation.ts";
import { prop } from "../support/prop.ts";
import { countOf, evidenceWith, measuredFailure, plainFailure, setOf } from "../support/sample-failure.ts";

const noSigns: Signs = { strategy: null, findings: [], admission: null, fileState: null, changed: null };
const failure = (error: string, signs?: Partial<Signs>): FailureDigest => ({
  kind: "task",
  error,
  attemptedFix: "",
  status: "",
  fingerprint: `#${error}`,
  ...(signs !== undefined && { signs: { ...noSigns, ...signs } }),
});
const fail = (...failures: (FailureDigest | null)[]): Escalation =>
  failures.reduce<Escalation>((before, next) => afterFailure(before, "1.3", next), noEscalation);

describe("afterFailure", () => {
  it("counts failures, and those in a row with one error", () => {
    expect(fail(failure("a"), failure("a"), failure("b"))).toMatchObject({
      failures: 3,
      sameErrors: 1,
      lastFingerprint: "#b",
      lastError: "b",
    });
    expect(fail(failure("a"), failure("b"), failure("b"))).toMatchObject({ failures: 3, sameErrors: 2 });
  });

  it("counts a rejected claim as an attempt that was not accepted, and nothing else of it", () => {
    const before = fail(failure("a", { admission: "i don't know how to", changed: false, fileState: "s" }));
    expect(afterFailure(before, "1.3", null)).toEqual({ ...before, failures: 2, admission: null });
  });

  it("takes nothing from a failure of which no signs were seen, and forgets what was admitted before", () => {
    const before = fail(failure("a", { admission: "i don't know how to", changed: false, fileState: "s" }));
    expect(afterFailure(before, "1.3", failure("a"))).toEqual({
      ...before,
      failures: 2,
      sameErrors: 2,
      sinceBest: 2,
      admission: null,
    });
  });

  it("counts failures in a row that changed no file; a change, or one that is not known, ends the row", () => {
    const idle = failure("a", { changed: false });
    expect(fail(idle, idle).unchanged).toBe(2);
    expect(fail(idle, idle, failure("a", { changed: true })).unchanged).toBe(0);
    expect(fail(idle, idle, failure("a", { changed: null })).unchanged).toBe(0);
    expect(fail(idle, failure("a", { changed: true }), idle).unchanged).toBe(1);
  });

  it("keeps what was tried, at which level and for which task", () => {
    const before: Escalation = { ...noEscalation, level: "pivot" };
    expect(afterFailure(before, "1.3.1", failure("a", { strategy: "refs" })).approaches).toEqual([
      { level: "pivot", task: "1.3.1", strategy: "refs", error: "a" },
    ]);
  });

  it("S5: tells the original approach from those after another level or a new beginning", () => {
    const tried = (before: Escalation, level?: Level) =>
      afterFailure(before, "1.3", failure("a", {}), level).approaches.map(({ later = false }) => later);
    const first = fail(failure("a", {}));
    expect(tried(first)).toEqual([false, false]);
    expect(tried(afterReset(first))).toEqual([false, true]);
    expect(tried(afterReset(first), "research")).toEqual([false, false]);
    const again = afterFailure(afterReset(first), "1.3", failure("a", {}));
    expect(tried(again)).toEqual([false, true, true]);
    for (const level of ["pivot", "research"] as const) {
      expect(tried(afterFailure(first, "1.3", failure("a", {}), level))).toEqual([false, false, true]);
    }
  });

  it("keeps a state of the files that is known", () => {
    expect(fail(failure("a", { fileState: "s" }), failure("a"), failure("a", { fileState: "t" })).fileStates).toEqual([
      "s",
      "t",
    ]);
  });

  it("keeps each finding once, and the last admission", () => {
    const one = failure("a", { findings: ["x", "y"], admission: "i don't know how to" });
    expect(fail(one, failure("b", { findings: ["y", "z"] }))).toMatchObject({
      findings: ["x", "y", "z"],
      admission: null,
    });
    expect(fail(one).admission).toBe("i don't know how to");
  });
});

const measured = (...sets: readonly (FailureSet | null)[]): Escalation => fail(...sets.map(failureWith));
const failureWith = (failing: FailureSet | null, index = 0): FailureDigest =>
  failing === null ? failure(`none ${index}`) : { ...failure(`set ${index}`), failing };
const detect = (escalation: Escalation, stuckAfterSameErrors = 5) =>
  detectStuck(escalation, { stuckAfterSameErrors, stuckAfterUnchanged: 99 });

describe("afterRunBefore", () => {
  const begun = afterRunBefore(noEscalation, countOf(5));

  it("measures the first attempt from what failed before it", () => {
    expect(begun).toEqual({ ...noEscalation, failing: countOf(5), best: { vitest: 5 } });
    const failing = (count: number): Escalation => afterFailure(begun, "1.3", failureWith(countOf(count)));
    expect(failing(3)).toMatchObject({ change: "progress", before: 5, best: { vitest: 3 }, sinceBest: 0 });
    expect(failing(5)).toMatchObject({ change: "same", before: 5, best: { vitest: 5 }, sinceBest: 1 });
    expect(failing(7)).toMatchObject({ change: "moved", before: 5, best: { vitest: 5 }, sinceBest: 1 });
  });

  it.each([
    ["nothing is known to fail", noEscalation, null],
    ["an attempt has failed since", measured(countOf(4)), countOf(5)],
    ["a fix was accepted since", afterAcceptance(measured(countOf(4)), null), countOf(5)],
  ] as const)("changes nothing where %s", (_, before, failing) => {
    expect(afterRunBefore(before, failing)).toBe(before);
  });

  it("is no new minimum, and no sign of being stuck", () => {
    expect(isNewMinimum(begun)).toBe(false);
    expect(detect(begun, 1)).toBeNull();
  });
});

describe("afterFailure, where it is known what failed", () => {
  it("keeps the last set, how it came out of the one before, and what it lost and gained", () => {
    const first = fail(measuredFailure(["a", "b", "c"]));
    expect(first).toMatchObject({
      ...{ failing: setOf("a", "b", "c"), change: "first", before: null, lost: [], gained: [] },
      ...{ best: { vitest: 3 }, sinceBest: 1, evidence: evidenceWith(["a", "b", "c"]) },
    });
    expect(afterFailure(first, "1.3", measuredFailure(["b", "d"]))).toMatchObject({
      ...{ failing: setOf("b", "d"), change: "moved", before: 3, lost: ["a", "c"], gained: ["d"] },
      ...{ best: { vitest: 2 }, sinceBest: 0, evidence: evidenceWith(["b", "d"]) },
    });
    expect(afterFailure(first, "1.3", measuredFailure(["c"]))).toMatchObject({ change: "progress", lost: ["a", "b"] });
    expect(afterFailure(first, "1.3", measuredFailure(["c", "b", "a"]))).toMatchObject({ change: "same", lost: [] });
  });

  it("names no checks of an attempt that came to no set as lost", () => {
    const crashed = plainFailure("Segmentation fault", {
      evidence: evidenceWith(["0a1b2c3d4e5f6071"], { source: "last-line" }),
    });
    const after = fail(measuredFailure(["a", "b"]), crashed, measuredFailure(["a"]));
    expect(after).toMatchObject({ change: "progress", before: 2, lost: [] });
  });

  it("names 20 checks that are lost, and 20 that are gained", () => {
    const ids = (from: string) => Array.from({ length: 30 }, (_, index) => `${from}${index}`);
    const { lost, gained } = fail(measuredFailure(ids("a")), measuredFailure(ids("b")));
    expect([lost, gained]).toEqual([ids("a").slice(0, 20), ids("b").slice(0, 20)]);
  });

  it("names none where only numbers are known", () => {
    const counted = measuredFailure(["a"], { failing: countOf(4) });
    const fewer = measuredFailure(["b"], { failing: countOf(3) });
    expect(fail(counted, fewer)).toMatchObject({ change: "progress", before: 4, lost: [], gained: [], sinceBest: 0 });
  });

  it("holds the next set against the last that is known", () => {
    const between = fail(measuredFailure(["a", "b"]), failure("boom"));
    expect(between).toMatchObject({
      failing: setOf("a", "b"),
      change: null,
      before: null,
      sinceBest: 2,
      evidence: null,
    });
    expect(afterFailure(between, "1.3", measuredFailure(["a"]))).toMatchObject({
      ...{ change: "progress", before: 2, sinceBest: 0, gained: [] },
    });
  });

  it("begins to count anew at each new minimum, and only there", () => {
    const counts = [4, 3, 3, 2, 3, 2, 1].map((count) => countOf(count));
    const sinceBest = counts.map((_, index) => measured(...counts.slice(0, index + 1)).sinceBest);
    expect(sinceBest).toEqual([1, 0, 1, 0, 1, 2, 0]);
    expect(counts.map((_, index) => isNewMinimum(measured(...counts.slice(0, index + 1))))).toEqual(
      sinceBest.map((count) => count === 0),
    );
  });

  it("takes 3 and 4 failing in turns for stuck, though each way down is progress", () => {
    const [three, four] = [setOf("a", "b", "c"), setOf("a", "b", "c", "d")];
    const turns = [three, four, three, four, three, four];
    expect(measured(...turns.slice(0, 3))).toMatchObject({ change: "progress", sinceBest: 3 });
    expect(turns.map((_, index) => detect(measured(...turns.slice(0, index + 1))))).toEqual([
      ...[null, null, null, null, "no-progress", "no-progress"],
    ]);
    expect(detect(measured(...turns, setOf("a", "b")))).toBeNull();
  });

  it("takes a stage that is seen for the first time for no minimum, unless its set is a part of the one before", () => {
    const tsc: FailureSet = { ...setOf("x"), stage: "tsc" };
    const tests = setOf("a", "b");
    expect(measured(tsc, tests)).toMatchObject({ change: "moved", best: { tsc: 1, vitest: 2 }, sinceBest: 2 });
    expect(measured(tsc, tests, setOf("b"))).toMatchObject({ sinceBest: 0 });
    const both: FailureSet = { ...tests, stage: "tsc+vitest", count: 3, ids: [...(tests.ids ?? []), "0"].sort() };
    expect(measured(both, tests)).toMatchObject({
      change: "progress",
      best: { "tsc+vitest": 3, vitest: 2 },
      sinceBest: 0,
    });
    expect(measured(both, countOf(2))).toMatchObject({ change: "moved", sinceBest: 2 });
  });

  it("goes back to normal from a level that has reached a new minimum", () => {
    const before = fail(measuredFailure(["a", "b"]));
    for (const level of ["pivot", "research"] as const) {
      const climbing = afterClimb(before, level);
      expect(afterFailure(climbing, "1.3", measuredFailure(["a"]))).toMatchObject({ level: "normal" });
      expect(afterFailure(climbing, "1.3", measuredFailure(["c", "d"]))).toMatchObject({ level });
    }
    const stopped = afterClimb(before, "checkpoint");
    expect(afterFailure(stopped, "1.3", measuredFailure(["a"])).level).toBe("checkpoint");
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
  const before = fail(measuredFailure(["a", "b", "c"]), measuredFailure(["a", "b", "d"]));

  it("forgets what failed where nothing is known to fail any more, but not the minimum", () => {
    expect(afterAcceptance(before, null)).toEqual({
      ...{ ...before, failing: null, change: null, before: null, lost: [], gained: [], evidence: null },
    });
    expect(isNewMinimum(afterAcceptance(fail(measuredFailure(["a", "b"]), measuredFailure(["a"])), null))).toBe(false);
  });

  it("goes on from what still fails", () => {
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

describe("afterFailure, on a ladder without the level that was reached", () => {
  it("keeps what was tried as what it was", () => {
    const before = afterClimb(noEscalation, "pivot");
    const signed = failure("a", { strategy: "refs" });
    expect(afterFailure(before, "1.3", signed).approaches).toMatchObject([{ level: "pivot" }]);
    expect(afterFailure(before, "1.3", signed, "normal")).toMatchObject({
      level: "pivot",
      approaches: [{ level: "normal" }],
    });
  });
});

describe("afterClimb", () => {
  const before = fail(failure("a", { strategy: "refs", changed: false }));

  it("counts the attempts of each level", () => {
    expect(afterClimb(before, "pivot")).toEqual({ ...before, level: "pivot", pivots: 1 });
    expect(afterClimb(before, "research")).toEqual({ ...before, level: "research", researches: 1 });
    expect(afterClimb(before, "checkpoint")).toEqual({ ...before, level: "checkpoint" });
  });
});

describe("afterRefund", () => {
  it("gives an attempt at a level back, and nothing else", () => {
    const spent = { ...noEscalation, level: "research", pivots: 3, researches: 2, failures: 4 } as const;
    expect(afterRefund(spent, "pivot")).toEqual({ ...spent, pivots: 2 });
    expect(afterRefund(spent, "research")).toEqual({ ...spent, researches: 1 });
    expect(afterRefund(spent, "normal")).toEqual(spent);
  });
});

const climbed: Escalation = {
  ...fail(failure("a", { strategy: "refs", findings: ["x"], fileState: "s", changed: false, admission: "i" })),
  level: "research",
  pivots: 3,
  researches: 1,
};

describe("afterPass", () => {
  it("goes back to normal, and keeps what was spent and learned", () => {
    const { approaches, findings } = climbed;
    expect(afterPass(climbed)).toEqual({
      ...noEscalation,
      pivots: 3,
      researches: 1,
      failures: 1,
      approaches,
      findings,
    });
  });

  it("keeps what still fails, so that the next failure is held against it", () => {
    const left = afterAcceptance(climbed, { failing: setOf("a"), evidence: evidenceWith(["a"]) });
    expect(afterPass(left)).toMatchObject({
      ...{ level: "normal", sinceBest: 0, failing: setOf("a"), change: "first", best: { vitest: 1 } },
      evidence: evidenceWith(["a"]),
    });
  });
});

describe("afterProgress", () => {
  it("goes back to normal from a level, as after a success", () => {
    expect(afterProgress(climbed)).toEqual(afterPass(climbed));
  });

  it("ends every row below it but that of the same error", () => {
    const before: Escalation = { ...climbed, level: "normal" };
    expect(afterProgress(before)).toEqual({ ...before, unchanged: 0, fileStates: [], admission: null });
  });
});

describe("afterReset", () => {
  it("keeps only what was learned", () => {
    const { approaches, findings } = climbed;
    expect(afterReset(climbed)).toEqual({ ...noEscalation, approaches, findings, earlier: 1 });
  });
});

type Move = (before: Escalation) => Escalation;

const texts = fc.constantFrom("a", "b", "c", "d");
const sets: fc.Arbitrary<FailureSet> = fc
  .record({
    stage: fc.constantFrom("tsc", "vitest"),
    ids: fc.subarray(["0", "1", "2", "3"], { minLength: 1 }),
    isNamed: fc.boolean(),
  })
  .map(({ stage, ids, isNamed }) => ({ stage, count: ids.length, ids: isNamed ? ids : null, ran: null }));
const failures = fc.record({
  failing: fc.option(sets, { nil: undefined }),
  error: texts,
  signs: fc.option(
    fc.record({
      strategy: fc.option(texts),
      findings: fc.array(fc.string({ maxLength: 3 }), { maxLength: 12 }),
      admission: fc.option(texts),
      fileState: fc.option(texts),
      changed: fc.option(fc.boolean()),
    }),
    { nil: undefined },
  ),
});
const moves: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: failures.map(
      ({ error, signs, failing }): Move =>
        (at) =>
          afterFailure(at, "1", { ...failure(error, signs), ...(failing !== undefined && { failing }) }),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Move>((at) => afterFailure(at, "1", null)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("pivot", "research", "checkpoint").map(
      (to): Move =>
        (at) =>
          afterClimb(at, to),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Move>(afterPass) },
);
const histories = fc.array(moves, { maxLength: 60 });

function trace(history: readonly Move[]): Escalation[] {
  const states: Escalation[] = [noEscalation];
  for (const move of history) states.push(move(states.at(-1) as Escalation));
  return states;
}

describe("what is tracked, for every history without guidance", () => {
  prop("counters of what was spent never fall", [histories], (history) => {
    const states = trace(history);
    for (const [index, { failures, pivots, researches }] of states.slice(1).entries()) {
      const before = states[index] as Escalation;
      expect(failures).toBeGreaterThanOrEqual(before.failures);
      expect(pivots).toBeGreaterThanOrEqual(before.pivots);
      expect(researches).toBeGreaterThanOrEqual(before.researches);
    }
  });

  prop("lists are capped, and hold the last entries", [histories], (history) => {
    for (const { approaches, findings, fileStates } of trace(history)) {
      expect(approaches.length).toBeLessThanOrEqual(10);
      expect(findings.length).toBeLessThanOrEqual(10);
      expect(fileStates.length).toBeLessThanOrEqual(20);
    }
  });

  prop("it is plain JSON of the form that is stored", [histories], (history) => {
    const last = trace(history).at(-1) as Escalation;
    expect(Escalation.parse(JSON.parse(JSON.stringify(last)))).toEqual(last);
    expect(Level.options).toContain(last.level);
  });
});

/** Whether each failure of a row was a new minimum, told by looking back from each at all before it. */
function newMinima(row: readonly (FailureSet | null)[]): boolean[] {
  return row.map((set, index) => {
    if (set === null) return false;
    const earlier = row.slice(0, index).filter((other) => other !== null);
    const alike = earlier.filter(({ stage }) => stage === set.stage);
    if (alike.length > 0) return alike.every(({ count }) => set.count < count);
    const last = earlier.at(-1);
    if (last === undefined || last.ids === null || set.ids === null) return false;
    return set.ids.length < last.ids.length && set.ids.every((id) => last.ids?.includes(id));
  });
}

describe("being stuck, for every row of what failed", () => {
  const rows = fc.array(fc.oneof({ weight: 5, arbitrary: sets }, { weight: 1, arbitrary: fc.constant(null) }), {
    maxLength: 25,
  });
  const thresholds = fc.integer({ min: 1, max: 6 });

  prop("a task is stuck only if it made no progress in as many failures", [rows, thresholds], (row, threshold) => {
    const states = row.map((_, index) => measured(...row.slice(0, index + 1)));
    const minima = newMinima(row);
    for (const [index, state] of states.entries()) {
      expect(isNewMinimum(state)).toBe(minima[index]);
      // As long as no set is known, errors alone decide.
      if (row.slice(0, index + 1).every((set) => set === null)) continue;
      const last = minima.slice(Math.max(0, index + 1 - threshold), index + 1);
      const isStuck = last.length === threshold && !last.includes(true);
      expect(isStuck ? ["no-progress", "same-error"] : [null]).toContain(detect(state, threshold));
    }
  });

  prop("each failure is counted since the last new minimum", [rows], (row) => {
    const minima = newMinima(row);
    const sinceBest = row.length === 0 ? 0 : minima.lastIndexOf(true);
    expect(measured(...row).sinceBest).toBe(row.length === 0 ? 0 : row.length - 1 - sinceBest);
  });
});

describe("lists that are full", () => {
  it("S5: lose their oldest entries, but for the original approach", () => {
    const full = fail(
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
