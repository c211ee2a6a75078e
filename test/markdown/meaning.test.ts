import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";

/** Written by a person who read the plan. */
interface Meaning {
  readonly units: readonly Unit[];
}

interface Unit {
  readonly line: number;
  readonly id?: string;
  readonly optional?: boolean;
  readonly deferred?: boolean;
  readonly forPerson?: boolean;
}

const root = join(import.meta.dirname, "../fixtures/plans-as-written");

const unread = new Set(["gsd-01", "gsd-02", "superpowers-03", "progress-01"]);

describe("the meaning of plans as their authors wrote them", () => {
  it.each([
    ["the plans with which the reader was developed", root, 0.99],
    ["plans that were chosen later", join(root, "later"), 1],
  ])("holds for %s", (_, folder, least) => {
    const plans = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const names = plans.map(({ name }) => name).filter((name) => !unread.has(name) && /-\d+$/.test(name));
    const found = names.map((name) => compare(join(folder, name)));
    const sum = (key: "both" | "ours" | "theirs"): number => found.reduce((total, one) => total + one[key], 0);
    expect(names.length).toBeGreaterThanOrEqual(10);
    expect(sum("both") / sum("ours")).toBeGreaterThanOrEqual(least);
    expect(sum("both") / sum("theirs")).toBeGreaterThanOrEqual(0.99);
    expect(found.flatMap(({ misread }) => misread)).toEqual([]);
  });
});

function compare(folder: string) {
  const meaning = JSON.parse(readFileSync(join(folder, "meaning.json"), "utf8")) as Meaning;
  const { tasks } = openPlan(readFileSync(join(folder, "plan.md"), "utf8")).plan;
  const ours = new Map(
    tasks.filter(({ isGroup, aside }) => isGroup !== true && aside !== "criterion").map((task) => [task.line, task]),
  );
  const shared = meaning.units.filter(({ line }) => ours.has(line));
  const misread = shared.filter((unit) => {
    const task = ours.get(unit.line);
    const id = unit.id?.replace(/^Task /, "");
    return (id !== undefined && task?.id !== id) || (task?.aside ?? null) !== asideOf(unit);
  });
  return {
    both: shared.length,
    ours: ours.size,
    theirs: meaning.units.length,
    misread: misread.length > 0 ? [folder.split("/").at(-1) as string] : [],
  };
}

function asideOf({ optional, deferred, forPerson }: Unit): string | null {
  if (optional === true) return "optional";
  if (deferred === true) return "deferred";
  return forPerson === true ? "person" : null;
}
