import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { depthBelow, descendsFrom, fixId, isFixOf, lineage, repairedBy } from "../../src/model/task-id.ts";
import { prop } from "../support/prop.ts";

describe("fixId", () => {
  it("appends the number of the fix", () => {
    expect(fixId("1.3", 1)).toBe("1.3.1");
    expect(fixId("V4", 12)).toBe("V4.12");
  });
});

describe("isFixOf", () => {
  it.each([
    ["1.3.1", "1.3", true],
    ["1.3.12", "1.3", true],
    ["1.3.1.1", "1.3", false],
    ["1.3.x1", "1.3", false],
    ["1.3.1x", "1.3", false],
    ["1.3.", "1.3", false],
    ["1.31", "1.3", false],
    ["2.3.1", "1.3", false],
    ["1.3", "1.3", false],
  ])("says of %s and %s: %s", (id, task, isFix) => {
    expect(isFixOf(id, task)).toBe(isFix);
  });
});

describe("descendsFrom", () => {
  it.each([
    ["1.3.1", "1.3", true],
    ["1.3.1.1", "1.3", true],
    ["1.3", "1.3", false],
    ["1.10", "1.1", false],
    ["1.3", "1.3.1", false],
  ])("says of %s and %s: %s", (id, ancestor, descends) => {
    expect(descendsFrom(id, ancestor)).toBe(descends);
  });
});

describe("lineage", () => {
  it("names the ids from a root down to a task of its tree", () => {
    expect(lineage("1.3", "1.3")).toEqual(["1.3"]);
    expect(lineage("1.3", "1.3.1.2")).toEqual(["1.3", "1.3.1", "1.3.1.2"]);
  });
});

describe("task ids, for every tree", () => {
  const roots = fc.constantFrom("1.1", "1.10", "V4", "T001", "3", "G-1.2a");
  const paths = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 5 });

  prop("I3 each id of a lineage is a fix of the one before", [roots, paths], (root, path) => {
    const current = path.reduce(fixId, root);
    const ids = lineage(root, current);
    expect(ids[0]).toBe(root);
    expect(ids.at(-1)).toBe(current);
    expect(depthBelow(root, current)).toBe(path.length);
    for (const [index, n] of path.entries()) expect(ids[index + 1]).toBe(fixId(ids[index] ?? "", n));
  });

  prop(
    "I3 a task is repaired by the one its last number was appended to",
    [roots, paths, fc.nat()],
    (root, path, n) => {
      const parent = path.reduce(fixId, root);
      expect(repairedBy(root, fixId(parent, n))).toBe(parent);
      expect(repairedBy(root, root)).toBeNull();
      expect(descendsFrom(fixId(parent, n), root)).toBe(true);
    },
  );
});
