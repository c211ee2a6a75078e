import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";
import { known, readFixtures } from "../support/output-fixtures.ts";

const fixtures = readFixtures();
const idsOf = (tool: string, text: string): string[] =>
  digestOutput(text, { folder: "/project" })
    .failures.filter((failure) => failure.tool === tool)
    .map(({ id }) => id)
    .toSorted();

describe("the recorded outputs", () => {
  it("exist", () => {
    expect(fixtures.length).toBeGreaterThan(100);
  });

  it.each(fixtures.filter(({ name }) => !Object.hasOwn(known, name)))("$name names the failures", (fixture) => {
    expect(idsOf(fixture.tool, fixture.text)).toEqual(fixture.expected.toSorted());
  });

  it.each(fixtures.filter(({ name }) => !Object.hasOwn(known, name)))("$name reports nothing else", (fixture) => {
    const { source, failures } = digestOutput(fixture.text, { folder: "/project" });
    const others = source === "tools" ? failures.filter(({ tool }) => tool !== fixture.tool) : [];
    expect(others.map(({ tool, id }) => `${tool}: ${id}`)).toEqual([]);
  });

  it.each(fixtures.filter(({ expected, name }) => expected.length > 0 && !Object.hasOwn(known, name)))(
    "$name states count, location and reason",
    ({ name, tool, text, expected, failed, ran, at }) => {
      const digest = digestOutput(text, { folder: "/project" });
      const found = digest.failures.filter((failure) => failure.tool === tool);
      expect(digest.source).toBe("tools");
      expect(found[0]?.message, name).toMatch(/\w/);
      expect(digest.failed).toBe(failed ?? Math.max(digest.failed ?? 0, expected.length));
      if (ran !== null) expect(digest.ran).toBe(ran);
      const places = Object.fromEntries(
        found.filter(({ id }) => Object.hasOwn(at, id)).map(({ id, file, line }) => [id, `${file}:${line}`]),
      );
      expect(places).toEqual(
        Object.fromEntries(Object.entries(at).map(([id, place]) => [id, place.replace("/project/", "")])),
      );
    },
  );

  it("are read with few exceptions", () => {
    const counts = fixtures.map(({ tool, text, expected }) => {
      const ids = idsOf(tool, text);
      return { found: ids.length, right: ids.filter((id) => expected.includes(id)).length, expected: expected.length };
    });
    const sum = (key: "found" | "right" | "expected"): number => counts.reduce((all, each) => all + each[key], 0);
    expect(sum("right") / sum("found")).toBeGreaterThanOrEqual(0.98);
    expect(sum("right") / sum("expected")).toBeGreaterThanOrEqual(0.98);
  });
});
