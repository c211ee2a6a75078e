import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nextFixNumber, nextTask, type Plan } from "../../src/model/plan.ts";
import { prop } from "../support/prop.ts";

/** A plan of ids; `x` in front ticks one, and `<` names the task it repairs. */
const plan = (...lines: readonly string[]): Plan => ({
  tasks: lines.map((line, index) => {
    const [id = "", fixOf = null] = line.replace("x ", "").split("<");
    const place = { line: index + 1, start: 0, end: 0, box: 0 };
    return { id, title: id, markers: [], done: line.startsWith("x "), phase: null, fields: {}, fixOf, ...place };
  }),
  phases: [],
  problems: [],
});

describe("nextTask", () => {
  it.each([
    [[], null],
    [["x 1.1", "x 1.2"], null],
    [["x 1.1", "1.2", "1.3"], { root: "1.2", current: "1.2" }],
    [["1.1", "1.1.1<1.1", "1.2"], { root: "1.1", current: "1.1.1" }],
    [["1.1", "x 1.1.1<1.1", "1.2"], { root: "1.1", current: "1.1" }],
    [["1.1", "1.1.1<1.1", "1.1.1.1<1.1.1", "1.2"], { root: "1.1", current: "1.1.1.1" }],
    [["1.1", "x 1.1.1<1.1", "1.1.2<1.1"], { root: "1.1", current: "1.1.2" }],
    [["1.1", "1.1.1<1.1", "1.1.1.1<1.1.1", "1.1.2<1.1"], { root: "1.1", current: "1.1.1.1" }],
    [["1.1<1.1", "1.2"], { root: "1.1", current: "1.1" }],
    [["1.1<1.1.1", "1.1.1<1.1"], { root: "1.1", current: "1.1.1" }],
    [["1.1", "1.10", "1.10.1<1.10"], { root: "1.1", current: "1.1" }],
    [["1.1", "1.1.1"], { root: "1.1", current: "1.1" }],
    [["x 1.1", "1.1.1<1.1"], { root: "1.1.1", current: "1.1.1" }],
    [["1.1.1<1.1", "1.1"], { root: "1.1", current: "1.1.1" }],
    [["1.1.1<9.9"], { root: "1.1.1", current: "1.1.1" }],
  ])("finds in %j what is up: %j", (lines, next) => {
    expect(nextTask(plan(...lines))).toEqual(next);
  });
});

describe("nextFixNumber", () => {
  it.each([
    [["1.3"], 0, 1],
    [["1.3", "1.3.1<1.3"], 1, 2],
    [["1.3", "1.3.1"], 0, 2],
    [["1.3", "1.3.1", "1.3.2", "1.3.4"], 0, 3],
    [["1.3", "1.3.10"], 0, 1],
    [["1.3"], 2, 3],
  ])("counts on in %j after %i", (lines, made, number) => {
    expect(nextFixNumber(plan(...lines), "1.3", made)).toBe(number);
  });
});

describe("nextFixNumber, for every plan", () => {
  const used = fc.uniqueArray(fc.integer({ min: 1, max: 12 }));

  prop(
    "I3 it is free, above those made, and leaves no free number out",
    [used, fc.nat({ max: 12 })],
    (suffixes, made) => {
      const number = nextFixNumber(plan("1.3", ...suffixes.map((n) => `1.3.${n}`)), "1.3", made);
      expect(suffixes).not.toContain(number);
      expect(number).toBeGreaterThan(made);
      for (let n = made + 1; n < number; n += 1) expect(suffixes).toContain(n);
    },
  );
});
