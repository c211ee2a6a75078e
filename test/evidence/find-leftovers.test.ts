import { describe, expect, it } from "vitest";
import { findLeftovers } from "../../src/evidence/find-leftovers.ts";

const made = (path: string, after: string | null = "", before: string | null = null) => ({ path, before, after });

const left = (task: string, touched: readonly string[], ...changes: ReturnType<typeof made>[]): string[] =>
  findLeftovers(changes, new Set(touched), task).map(({ path }) => path);

describe("leftovers of failed attempts", () => {
  it("include a new file that nothing names, and that names nothing", () => {
    expect(left("Write a", ["a.txt"], made("a.txt", "good\n"), made("junk1.txt", "junk\n"))).toEqual(["junk1.txt"]);
  });

  it.each([
    ["touched", [made("b.ts")]],
    ["changed, not new", [made("b.ts", "new", "old")]],
    ["gone", [made("b.ts", null, "old")]],
    ["a source of a language without names", [made("b.go")]],
  ])("exclude a file that is %s", (_, changes) => {
    expect(
      left(
        "",
        ["a.ts", "b.ts"].slice(0, changes[0]?.path === "b.ts" && changes[0].before === null ? 2 : 1),
        made("a.ts"),
        ...changes,
      ),
    ).toEqual([]);
  });

  it("exclude a file that the task names, with or without its extension", () => {
    expect(left("Make b.ts", ["a.ts"], made("a.ts"), made("b.ts"))).toEqual([]);
    expect(left("Make the b", ["a.ts"], made("a.ts"), made("b.ts"))).toEqual([]);
    expect(left("Edit the Makefile", ["a.ts"], made("a.ts"), made("Makefile"))).toEqual([]);
    expect(left("Make abc", ["a.ts"], made("a.ts"), made("b.ts"))).toEqual(["b.ts"]);
  });

  it("exclude a file that the work uses, directly or not, or that uses the work", () => {
    const changes = [made("src/a.ts", 'import "./lib/b"'), made("src/lib/b.ts", 'import "./deep"')];
    expect(left("", ["src/a.ts"], ...changes, made("src/lib/deep/index.ts"), made("index.ts"))).toEqual(["index.ts"]);
    expect(left("", ["src/a.ts"], made("src/a.ts"), made("test/x.test.ts", 'from "../src/a"'))).toEqual([]);
    expect(left("", ["gone.ts"], made("gone.ts", null, "x"), made("x.ts", "see gone"), made("y.ts"))).toEqual(["y.ts"]);
  });

  it("are empty if the accepted attempt changed nothing: then the new files are the work", () => {
    expect(left("", [], made("junk.txt"))).toEqual([]);
  });
});
