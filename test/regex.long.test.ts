import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { judgeRegex, verdictLine } from "./support/judge-regex.ts";
import { type ProgramRegexes, regexesOfProgram } from "./support/regexes-of-program.ts";

const recorded = resolve(import.meta.dirname, "fixtures/linear-regexes.txt");
const head = "Judged, and recorded by `npx vitest run test/regex.long.test.ts -u`:";

const written = (source: string) => ({ file: "none", line: 1, source, flags: "" });

describe("the regular expressions of the program", () => {
  let found: ProgramRegexes;

  beforeAll(async () => {
    found = await regexesOfProgram(resolve(import.meta.dirname, ".."));
  });

  it("are all known, including those constructed at run time", () => {
    expect(found.literals).toBeGreaterThan(50);
    expect(found.unseen).toEqual([]);
  });

  it("take linear time for any text, and are recorded", async () => {
    const known = new Set(readFileSync(recorded, "utf8").split("\n"));
    const waiting = found.all.filter((each) => !known.has(verdictLine(each)));
    const slow: (string | null)[] = [];
    const judge = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        slow.push(await judgeRegex(next));
      }
    };
    await Promise.all([judge(), judge()]);
    expect(slow.filter((why) => why !== null)).toEqual([]);
    const lines = found.all.map((each) => verdictLine(each)).toSorted();
    await expect([head, ...lines, ""].join("\n")).toMatchFileSnapshot(recorded);
  });

  it.each(["^(a+)+$", "^(?=x)(?:\\w|\\d)*$", "[ \\t]*x", "^(?!b)[\\w.-]*\\w*!$"])(
    "would be reported if they took more: %s",
    async (source) => {
      expect(await judgeRegex(written(source))).toMatch(/takes .* time/);
    },
  );
});
