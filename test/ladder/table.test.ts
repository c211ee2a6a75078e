import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readRunFlags } from "../../src/hosts/cli/options/run-flags.ts";
import { StuckReason } from "../../src/model/escalation.ts";
import { exitCodes, RunEvent } from "../../src/model/event.ts";
import { totalCap } from "../../src/model/limits.ts";
import { Policy } from "../../src/model/policy.ts";
import { changeLadder, Rung } from "../../src/model/rung.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/ladder.md"), "utf8");
const defaults: Readonly<Record<string, unknown>> = Policy.parse({});

const rows = page
  .split("\n")
  .filter((line) => /^\| `/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim()),
  );
const named = (text: string): string[] => [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name);

const limits: Readonly<Record<string, readonly string[]>> = {
  retry: ["maxTaskIterations"],
  fix: ["maxFixTasksPerOriginal", "maxFixTaskDepth", "maxFixTasksPerRoot"],
  repair: ["repairBudget"],
  pivot: ["maxPivotAttempts"],
  research: ["maxResearchAttempts"],
  checkpoint: [],
};

function ladderOf(words: string): readonly string[] {
  const flags = [...words.matchAll(/--([a-z-]+)/g)].map(([, flag = ""]) => flag);
  const name = (flag: string): string => flag.replace(/-./g, (letter) => letter.slice(1).toUpperCase());
  const given = Object.fromEntries(flags.map((flag) => [name(flag), true]));
  return changeLadder(["retry"], readRunFlags(given).ladder ?? {});
}

describe("the page about the ladder", () => {
  it("has a row for each rung, in climbing order, and no empty cell", () => {
    expect(rows.map(([rung = ""]) => rung)).toEqual(Rung.options.map((rung) => `\`${rung}\``));
    expect(rows.filter((cells) => cells.length !== 6 || cells.some((cell) => cell === ""))).toEqual([]);
  });

  it.each(Rung.options)("gives the limits of %s with the defaults of the policy", (rung) => {
    const cell = rows.find(([name]) => name === `\`${rung}\``)?.[2] ?? "";
    const told = [...cell.matchAll(/`(\w+)` (\d+)/g)].map(([, name = "", value]) => [name, Number(value)]);
    expect(told).toEqual((limits[rung] ?? []).map((name) => [name, defaults[name]]));
  });

  it("gives the budget of a planned task and the thresholds of being stuck with their defaults", () => {
    expect(page).toContain(
      `With the defaults that is ${totalCap(Policy.parse({ recovery: ["pivot", "research", "checkpoint"] }))} attempts,`,
    );
    expect(totalCap(Policy.parse({ recovery: ["fix", "repair"] }))).toBeNull();
    const told = [...page.matchAll(/`(stuckAfter\w+)` \((\d+)\)/g)].map(([, name = "", value]) => [
      name,
      Number(value),
    ]);
    expect(told).toEqual(["stuckAfterSameErrors", "stuckAfterUnchanged"].map((name) => [name, defaults[name]]));
  });

  it("names each sign of being stuck once", () => {
    const signs = [...page.matchAll(/^- `([a-z-]+)`: /gm)].map(([, sign]) => sign);
    expect(signs.toSorted()).toEqual(StuckReason.options.toSorted());
  });

  it("states the ladder of each command line", () => {
    const told = [...page.matchAll(/`fixpoint run ([^`]*)`\.\s+The ladder is\s+([^.]*?)(?:,\s+with[^.]*)?\./g)];
    expect(told).toHaveLength(4);
    for (const [, words = "", ladder = ""] of told)
      expect({ words, ladder: named(ladder) }).toEqual({ words, ladder: ladderOf(words) });
    expect(page).toContain("the ladder is `retry`, and ends at the limit");
    expect(defaults["recovery"]).toEqual(["retry"]);
  });

  it("names existing events, and their exit code", () => {
    const types: readonly string[] = RunEvent.options.map(({ shape }) => shape.type.value);
    const told = named(page).filter((name) => /^(?:task|fix|repair|level|person)\.[a-z]+$/.test(name));
    expect(told.filter((name) => !types.includes(name))).toEqual([]);
    expect([exitCodes.limit, exitCodes.gate, exitCodes.checkpoint, exitCodes.skipped]).toEqual([1, 3, 3, 3]);
  });
});
