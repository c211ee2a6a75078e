import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const tests = resolve(import.meta.dirname, "..");
const page = readFileSync(resolve(tests, "../docs/evidence/source.md"), "utf8");

const rows = page
  .split("\n## Part by part\n")[1]
  ?.split("\n")
  .filter((line) => line.startsWith("|") && !/^\| (?:---|the source coordinator|requirement) \|/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim()),
  ) as string[][];

const named = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

function missing(test: string): string | null {
  const [file = "", title] = test.split(" › ");
  if (title === undefined) return `${test}: names no test`;
  const path = join(tests, file);
  if (!existsSync(path)) return `${test}: there is no such file`;
  return readFileSync(path, "utf8").replaceAll("\\", "").includes(title) ? null : `${test}: there is no such test`;
}

describe("the table of the source coordinator", () => {
  it("has a row for each of its parts and requirements", () => {
    expect(rows.length).toBeGreaterThan(120);
    const first = rows.map(([part = ""]) => part);
    const sections = [...Array.from({ length: 11 }, (_, index) => `§${index + 1}`), "§6b", "§6c", "§6d"];
    const criteria = [4, 4, 4, 3, 3].flatMap((count, story) =>
      Array.from({ length: count }, (_, index) => `AC-${story + 1}.${index + 1}`),
    );
    const functional = Array.from({ length: 10 }, (_, index) => `FR-${index + 1}`);
    const parts = [...sections, ...criteria, ...functional, "NFR-1", "NFR-2", "NFR-3"];
    expect(parts.filter((part) => !first.some((cell) => cell.startsWith(`${part} `)))).toEqual([]);
  });

  it("has three cells in each row, none empty", () => {
    expect(rows.filter((cells) => cells.length !== 3 || cells.some((cell) => cell === ""))).toEqual([]);
  });

  it("names existing tests, or a decision", () => {
    expect(rows.flatMap(([, , cell = ""]) => named(cell).map(missing)).filter((reason) => reason !== null)).toEqual([]);
    expect(rows.filter(([, , cell = ""]) => cell !== "decided" && named(cell).length === 0)).toEqual([]);
  });

  it("gives the reason of a decision", () => {
    const decided = rows.filter(([, , cell]) => cell === "decided");
    expect(decided.filter(([, reason = ""]) => reason.length < 20)).toEqual([]);
  });
});
