import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareSets, FailureSet, failureSetOf, nameOfCheck } from "../../src/model/failure-set.ts";
import { prop } from "../support/prop.ts";
import { countOf, digestOf, failedCheck, nameOf, setOf } from "../support/sample-failure.ts";

describe("nameOfCheck", () => {
  it("consists of a tool and an id, whatever else is known of the check", () => {
    expect(nameOf("adds")).toMatch(/^[0-9a-f]{16}$/);
    expect(nameOfCheck(failedCheck("adds", { file: "a.ts", line: 3, message: "m", expected: "1", actual: "2" }))).toBe(
      nameOf("adds"),
    );
    const names = [failedCheck("adds"), failedCheck("takes"), failedCheck("adds", { tool: "tsc" })].map(nameOfCheck);
    expect(new Set(names).size).toBe(3);
    expect(nameOfCheck({ tool: "a b", id: "c" })).not.toBe(nameOfCheck({ tool: "a", id: "b c" }));
  });
});

describe("failureSetOf", () => {
  it("has the names from a tool, in canonical order", () => {
    expect(failureSetOf(digestOf(["b", "a"], { ran: 6 }))).toEqual({
      ...{ stage: "vitest", count: 2, ids: [nameOf("a"), nameOf("b")].sort(), ran: 6 },
    });
    expect(setOf("a", "b")).toEqual(setOf("b", "a"));
  });

  it("has the tools as its stage, in canonical order", () => {
    const failures = [failedCheck("b"), failedCheck("a", { tool: "tsc" }), failedCheck("c")];
    expect(failureSetOf(digestOf([], { failures, failed: 3 }))?.stage).toBe("tsc+vitest");
  });

  it("has only the count if not all are listed, or too many", () => {
    expect(failureSetOf(digestOf(["a"], { failed: 3 }))).toEqual(countOf(3));
    expect(failureSetOf(digestOf(["a", "b"], { failed: 1 }))?.count).toBe(2);
    expect(failureSetOf(digestOf(["a", "b"], { failed: null }))?.ids).toHaveLength(2);
    const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
    expect(failureSetOf(digestOf(many(200)))?.ids).toHaveLength(200);
    expect(failureSetOf(digestOf(many(201)))).toEqual(countOf(201));
  });

  it("has the count from a line that states it", () => {
    expect(failureSetOf(digestOf([], { source: "count", failed: 4, ran: 9 }))).toEqual({
      ...{ stage: "count", count: 4, ids: null, ran: 9 },
    });
  });

  it.each(["passing-run", "failing-run", "last-line", "nothing"] as const)(
    "is null if nothing names or counts the failures: %s",
    (source) => {
      expect(failureSetOf(digestOf(["a line"], { source }))).toBeNull();
    },
  );

  it("excludes checks that have not failed", () => {
    expect(failureSetOf(digestOf([], { failed: 0, ran: 5 }))).toBeNull();
    expect(failureSetOf(digestOf([], { source: "count", failed: null }))).toBeNull();
  });
});

describe("compareSets with counts only", () => {
  it.each([
    [4, 3, "progress"],
    [4, 4, "same"],
    [4, 5, "moved"],
  ] as const)("compares %i and then %i failures as %s", (before, after, change) => {
    expect(compareSets(countOf(before), countOf(after))).toBe(change);
  });

  it("does not compare counts of different stages", () => {
    expect(compareSets(countOf(4), countOf(3, { stage: "tsc" }))).toBe("moved");
  });

  it("compares a count with the size of a named set of its stage", () => {
    const many = countOf(250, { stage: setOf("a").stage });
    expect(compareSets(many, setOf("a", "b"))).toBe("progress");
    expect(compareSets(setOf("a", "b"), many)).toBe("moved");
  });

  it("ignores the command", () => {
    expect(compareSets(countOf(4, { ran: 9 }), countOf(4, { ran: 5 }))).toBe("same");
    expect(compareSets({ ...setOf("a"), ran: 1 }, { ...setOf("a"), ran: 2 })).toBe("same");
  });
});

const ids = fc.subarray(["0", "1", "2", "3", "4"], { minLength: 1 });
const stages = fc.constantFrom("tsc", "vitest");
const named: fc.Arbitrary<FailureSet> = fc
  .tuple(stages, ids)
  .map(([stage, names]) => ({ stage, count: names.length, ids: names, ran: null }));
const counted = fc.tuple(stages, fc.integer({ min: 1, max: 5 })).map(([stage, count]) => countOf(count, { stage }));
const sets = fc.oneof(named, counted);

describe("compareSets, for all sets with names", () => {
  prop("progress is antisymmetric", [named, named], (one, other) => {
    if (compareSets(one, other) !== "progress") return;
    expect(compareSets(other, one)).toBe("moved");
  });

  prop("progress is transitive", [named, named, named], (one, two, three) => {
    if (compareSets(one, two) !== "progress" || compareSets(two, three) !== "progress") return;
    expect(compareSets(one, three)).toBe("progress");
  });

  prop("progress means fewer members and no new ones", [named, named], (one, other) => {
    const [before, after] = [one.ids ?? [], other.ids ?? []];
    const gained = after.filter((id) => !before.includes(id));
    const lost = before.filter((id) => !after.includes(id));
    const change = gained.length > 0 ? "moved" : lost.length > 0 ? "progress" : "same";
    expect(compareSets(one, other)).toBe(change);
  });
});

describe("compareSets, for all sets", () => {
  prop("no set is progress from itself", [sets], (set) => {
    expect(compareSets(set, set)).toBe("same");
  });

  prop("progress leaves fewer failures", [sets, sets], (one, other) => {
    if (compareSets(one, other) === "progress") expect(other.count).toBeLessThan(one.count);
    if (compareSets(one, other) === "same") expect(compareSets(other, one)).toBe("same");
  });

  prop("a set matches the stored schema", [fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 250 })], (all) => {
    const set = failureSetOf(digestOf(all, { ran: all.length }));
    expect(FailureSet.parse(JSON.parse(JSON.stringify(set)))).toEqual(set);
  });
});
