import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { check } from "recheck";
import { beforeAll, describe, expect, it } from "vitest";
import { compileProgram } from "./support/compile-program.ts";
import { findRegexes, type RegexesOfBuild, type WrittenRegex } from "./support/written-regexes.ts";

const collector = resolve(import.meta.dirname, "support/constructed-regexes.mjs");

/** Expressions that cannot be judged, with the reason why they do no harm. */
const undecided: Readonly<Record<string, string>> = {};

const nameOf = ({ file, line, source, flags }: WrittenRegex): string => `${file}:${line} /${source}/${flags}`;

describe("the regular expressions of the program", () => {
  let found: RegexesOfBuild;
  let constructed: readonly WrittenRegex[];

  beforeAll(async () => {
    const { folder, remove } = await compileProgram();
    try {
      found = findRegexes(folder);
      constructed = JSON.parse(execFileSync(process.execPath, [collector, folder], { encoding: "utf8" }));
    } finally {
      remove();
    }
  }, 60_000);

  it("are all known, those included that are put together when the program runs", () => {
    expect(found.literals.length).toBeGreaterThan(50);
    const seen = new Set(constructed.map(({ file, line }) => `${file}:${line}`));
    expect(found.constructions.filter((place) => !seen.has(place))).toEqual([]);
  });

  it("take time linear in the text, whatever the text", { timeout: 300_000 }, async () => {
    const waiting = [
      ...new Map([...found.literals, ...constructed].map((each) => [`${each.source} ${each.flags}`, each])).values(),
    ];
    const slow: string[] = [];
    const unknown: string[] = [];
    const judge = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const verdict = await check(next.source, next.flags, { timeout: 30_000 });
        if (verdict.status === "vulnerable") {
          slow.push(`${nameOf(next)} takes ${verdict.complexity.summary} time for ${verdict.attack.pattern}`);
        }
        if (verdict.status === "unknown") unknown.push(`${next.source} (${verdict.error.kind})`);
      }
    };
    await Promise.all([judge(), judge()]);
    expect(slow).toEqual([]);
    expect(unknown.filter((name) => !Object.hasOwn(undecided, name))).toEqual([]);
  });
});
