import { resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { judgeRegex } from "./support/judge-regex.ts";
import { type ProgramRegexes, regexesOfProgram } from "./support/regexes-of-program.ts";

/** Of a program that nobody has written. */
const written = (source: string) => ({ file: "none", line: 1, source, flags: "" });

describe("the regular expressions of the program", () => {
  let found: ProgramRegexes;

  beforeAll(async () => {
    found = await regexesOfProgram(resolve(import.meta.dirname, ".."));
  });

  it("are all known, those included that are put together when the program runs", () => {
    expect(found.literals).toBeGreaterThan(50);
    expect(found.unseen).toEqual([]);
  });

  // With more effort for those that are not proven: `npm run campaign -- linear --only expressions`.
  it("take time linear in the text, whatever the text", async () => {
    const waiting = [...found.all];
    const slow: (string | null)[] = [];
    const judge = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        slow.push(await judgeRegex(next, "short"));
      }
    };
    await Promise.all([judge(), judge()]);
    expect(slow.filter((why) => why !== null)).toEqual([]);
  });

  it.each(["^(a+)+$", "^(?=x)(?:\\w|\\d)*$", "[ \\t]*x", "^(?!b)[\\w.-]*\\w*!$"])(
    "would be told if they took more: %s",
    async (source) => {
      expect(await judgeRegex(written(source), "short")).toMatch(/takes .* time/);
    },
  );
});
