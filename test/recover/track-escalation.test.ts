import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calm, Escalation, Level } from "../../src/model/escalation.ts";
import type { FailureDigest, Signs } from "../../src/model/failure.ts";
import { afresh, afterClimb, afterFailure, afterPass, afterProgress } from "../../src/recover/track-escalation.ts";
import { prop } from "../support/prop.ts";

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
  failures.reduce<Escalation>((before, next) => afterFailure(before, "1.3", next), calm);

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
    const before: Escalation = { ...calm, level: "pivot" };
    expect(afterFailure(before, "1.3.1", failure("a", { strategy: "refs" })).approaches).toEqual([
      { level: "pivot", task: "1.3.1", strategy: "refs", error: "a" },
    ]);
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

describe("afterClimb", () => {
  const before = fail(failure("a", { strategy: "refs", changed: false }));

  it("counts the attempts of each level", () => {
    expect(afterClimb(before, "pivot", "same-error")).toEqual({
      ...before,
      level: "pivot",
      pivots: 1,
      stuck: "same-error",
    });
    expect(afterClimb(before, "research", null)).toEqual({ ...before, level: "research", researches: 1 });
    expect(afterClimb(before, "checkpoint", null)).toEqual({ ...before, level: "checkpoint" });
  });

  it("keeps why it began to climb", () => {
    const climbed = afterClimb(before, "pivot", "same-error");
    expect(afterClimb(climbed, "pivot", "admission").stuck).toBe("same-error");
    expect(afterClimb(afterClimb(before, "pivot", null), "research", "admission").stuck).toBeNull();
  });
});

const climbed: Escalation = {
  ...fail(failure("a", { strategy: "refs", findings: ["x"], fileState: "s", changed: false, admission: "i" })),
  level: "research",
  stuck: "same-error",
  pivots: 3,
  researches: 1,
};

describe("afterPass", () => {
  it("goes back to normal, and keeps what was spent and learned", () => {
    const { approaches, findings } = climbed;
    expect(afterPass(climbed)).toEqual({ ...calm, pivots: 3, researches: 1, failures: 1, approaches, findings });
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

describe("afresh", () => {
  it("keeps only what was learned", () => {
    const { approaches, findings } = climbed;
    expect(afresh(climbed)).toEqual({ ...calm, approaches, findings });
  });
});

type Move = (before: Escalation) => Escalation;

const texts = fc.constantFrom("a", "b", "c", "d");
const failures = fc.record({
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
      ({ error, signs }): Move =>
        (at) =>
          afterFailure(at, "1", failure(error, signs)),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Move>((at) => afterFailure(at, "1", null)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("pivot", "research", "checkpoint").map(
      (to): Move =>
        (at) =>
          afterClimb(at, to, null),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Move>(afterPass) },
);
const histories = fc.array(moves, { maxLength: 60 });

function trace(history: readonly Move[]): Escalation[] {
  const states: Escalation[] = [calm];
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

describe("lists that are full", () => {
  it("lose their oldest entries", () => {
    const full = fail(
      ...Array.from({ length: 25 }, (_, n) =>
        failure(`e${n}`, { strategy: `s${n}`, findings: [`f${n}`], fileState: `t${n}` }),
      ),
    );
    expect(full.approaches.map(({ strategy }) => strategy)).toEqual(Array.from({ length: 10 }, (_, n) => `s${n + 15}`));
    expect(full.findings).toEqual(Array.from({ length: 10 }, (_, n) => `f${n + 15}`));
    expect(full.fileStates).toEqual(Array.from({ length: 20 }, (_, n) => `t${n + 5}`));
    expect(full.failures).toBe(25);
  });
});
