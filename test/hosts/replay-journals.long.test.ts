import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { journalVersion } from "../../src/adapters/journal/journal-segment.ts";
import { readRun } from "../../src/adapters/journal/read-journal.ts";
import { readReplay } from "../../src/hosts/node/reading/read-replay.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { scriptedExecutor } from "../../src/testing/scripted-ports.ts";
import { temporaryFolder } from "../support/folder.ts";
import { journals, type Line, renumbered, specWith } from "../support/journals/alter-journal.ts";
import type { Expected } from "../support/journals/record-journals.ts";
import { shapes } from "../support/journals/shapes.ts";
import { recordKinds } from "../support/record-kinds.ts";

const names = readdirSync(journals);
const advice = `What a run decides has changed. If that is wanted, it is another version of the journal: raise \`v\` in
journal-segment.ts, let this version refuse the old ones, and record new ones: node scripts/record-journals.mjs v7.
If nothing is decided otherwise and only more is kept or compared: node scripts/record-journals.mjs v7 --expect`;

describe("the journals of this version", () => {
  it("are at least 50, of every kind", () => {
    expect(names.length).toBeGreaterThanOrEqual(50);
    expect(shapes.map(({ name }) => name).filter((name) => !names.includes(name))).toEqual([]);
  });

  it("contain every kind of record", () => {
    const records = names.flatMap((name) => readRun(join(journals, name)).flatMap(({ records }) => records));
    expect([...new Set(records.map(({ type }) => type))].sort()).toEqual([...recordKinds()].sort());
  });

  it.each(names)("replay as recorded: %s", (name) => {
    const expected = JSON.parse(readFileSync(join(journals, name, "expected.json"), "utf8")) as Expected;
    const { differences, decisions, stateHash } = readReplay(join(journals, name), { workspace: journals });
    expect({ differences, decisions, stateHash }, advice).toEqual({ differences: [], ...expected });
  });

  it("contain nothing of the machine on which they were recorded", () => {
    const texts = names.flatMap((name) =>
      readdirSync(join(journals, name)).map((file) => readFileSync(join(journals, name, file), "utf8")),
    );
    expect(texts.filter((text) => /\/tmp\/|\/home\/|\/root\/|\/Users\//.test(text))).toEqual([]);
  });
});

const plan = "# Tasks\n\n- [ ] 1.1 First\n  - **Verify**: `true`\n- [ ] 1.2 Second\n  - **Verify**: `true`\n";
const isAnswer = (effect: string, line: Line): boolean => String(line["key"]).endsWith(`/${effect}`);

const changed = (matches: (line: Line) => boolean, change: (line: Line) => Line) => (lines: Line[]) => {
  const at = lines.findIndex(matches);
  expect(at).toBeGreaterThan(0);
  return lines.map((line, index) => (index === at ? change(line) : line));
};
const without = (matches: (line: Line) => boolean) => (lines: Line[]) => {
  const at = lines.findIndex(matches);
  expect(at).toBeGreaterThan(0);
  return lines.filter((_, index) => index !== at);
};
const diverged = {
  "an answer that nothing waits for": [
    "complete-killed-7",
    changed(
      (line) => isAnswer("verify", line),
      (line) => ({ ...line, key: "1.7#1/verify" }),
    ),
  ],
  "an attempt with another number": [
    "complete-killed-7",
    changed(
      ({ type }) => type === "delegated",
      (line) => ({ ...line, attempt: 4 }),
    ),
  ],
  "a pair that is swapped": [
    "complete-killed-7",
    (lines: Line[]) => {
      const at = lines.findIndex((line) => isAnswer("delegate", line));
      const [one, other] = [lines[at] as Line, lines[at + 1] as Line];
      return renumbered(lines.with(at, other).with(at + 1, one));
    },
  ],
  "a record less, and numbers that do not show it": [
    "complete-killed-7",
    (lines: Line[]) => renumbered(without((line) => isAnswer("delegate", line))(lines)),
  ],
} as const;

const counted = {
  "another number of delegations": [
    "complete",
    changed(
      ({ type }) => type === "ended",
      (line) => ({ ...line, ending: { ...(line["ending"] as object), attempts: 9 } }),
    ),
  ],
  "another outcome": [
    "retries-used-up",
    changed(
      ({ type }) => type === "ended",
      (line) => ({ ...line, ending: { ...(line["ending"] as object), outcome: "gate" } }),
    ),
  ],
} as const;

describe("a journal that this version would decide differently", () => {
  it.each(Object.entries(diverged))("is reported by the replay: %s", (_, [name, change]) => {
    const spec = specWith(name, temporaryFolder(), change);
    expect(readReplay(join(spec, ".fixpoint"), { workspace: spec }).differences).not.toEqual([]);
  });

  it.each(Object.entries(counted))("is reported by the replay: %s", (_, [name, change]) => {
    const spec = specWith(name, temporaryFolder(), change);
    expect(readReplay(join(spec, ".fixpoint"), { workspace: spec }).differences).not.toEqual([]);
  });

  it.each(Object.entries(diverged))("is not resumed, and nothing is written: %s", async (_, [name, change]) => {
    const spec = temporaryFolder();
    writeFileSync(join(spec, "tasks.md"), plan);
    specWith(name, spec, change);
    const before = snapshot(spec);
    const executor = scriptedExecutor();
    await expect(
      runSpec({ spec, workspace: spec, executors: { executor }, yes: true, takeOver: true }),
    ).rejects.toMatchObject({
      code: "journal-diverged",
      blame: "input",
    });
    expect(executor.delegations).toEqual([]);
    expect(snapshot(spec)).toEqual(before);
  });
});

describe("an unreadable journal", () => {
  it.each([
    ["journal-newer", (lines: Line[]) => lines.with(0, { ...lines[0], v: journalVersion + 1 })],
    ["journal-older", (lines: Line[]) => lines.with(0, { ...lines[0], v: journalVersion - 1 })],
    ["journal-corrupt", without(({ n }) => n === 2)],
  ])("is refused, and nothing is written: %s", async (code, change) => {
    const spec = temporaryFolder();
    writeFileSync(join(spec, "tasks.md"), plan);
    specWith("complete-killed-7", spec, change);
    const before = snapshot(spec);
    const executor = scriptedExecutor();
    expect(() => readReplay(spec, { workspace: spec })).toThrow(expect.objectContaining({ code }));
    await expect(
      runSpec({ spec, workspace: spec, executors: { executor }, yes: true, takeOver: true }),
    ).rejects.toMatchObject({ code });
    expect(executor.delegations).toEqual([]);
    expect(snapshot(spec)).toEqual(before);
  });
});

function snapshot(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "latin1")]),
  );
}
