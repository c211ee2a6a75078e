import { mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openJournal, readJournal, segmentPath } from "../../src/adapters/journal.ts";
import { type JournalSum, readSum, writeSum } from "../../src/adapters/journal-sum.ts";
import { readPolicy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { temporaryFolder } from "../support/folder.ts";

const facts = { policy: readPolicy(), planHash: "", open: 2 };
const version = 7;
const chosen = (turn: number): RunRecord => ({
  type: "answered",
  key: `run#${turn}/chooseTask`,
  answer: { kind: "task" },
});
const passed = (turn: number): RunRecord => ({
  type: "answered",
  key: `1.${turn}#1/recordPass`,
  answer: { kind: "recorded", commit: null, told: "a".repeat(turn === 3 ? 100_000 : 10) },
});
const findSum = (folder: string, segment: number): JournalSum | null => readSum(folder, segment, version);

/** A spec whose run had some turns in each of its starts; its sums are of all that stands before a turn. */
function recorded(...starts: readonly (readonly number[])[]) {
  const base = join(temporaryFolder(), "specs", "demo", ".fixpoint");
  mkdirSync(base, { recursive: true });
  const sums: { readonly turn: number; readonly sum: JournalSum | null; readonly folder: string }[] = [];
  for (const turns of starts) {
    const journal = openJournal(readJournal(base, { findSum: () => null }), 1, facts);
    for (const turn of turns) {
      const reach = journal.reach();
      const sum = reach === null ? null : { version, ...reach, state: { turn } };
      sums.push({ turn, sum, folder: journal.folder });
      journal.append(chosen(turn), { durable: false });
      journal.append(passed(turn), { durable: false });
    }
    journal.close();
  }
  const keep = (turn: number): void => {
    const kept = sums.find((one) => one.turn === turn);
    if (kept?.sum != null) writeSum(kept.folder, kept.sum);
  };
  return { base, keep, read: () => readJournal(base, { findSum }), whole: readJournal(base) };
}

const path = (base: string, segment: number): string => segmentPath(base, 1, segment);

describe("a journal with a sum", () => {
  it.each([1, 2, 4, 5, 6])("is read from the turn on that the sum was kept before (%i)", (turn) => {
    const { keep, read, whole } = recorded([1, 2], [4, 5, 6]);
    keep(turn);
    const { sum, records, segments } = read();
    expect(sum?.state).toEqual({ turn });
    expect(records[0]).toMatchObject({ key: `run#${turn}/chooseTask` });
    expect(records).toEqual(whole.records.slice(sum?.records));
    expect(segments.map(({ header, bytes }) => ({ header, bytes }))).toEqual(
      whole.segments.map(({ header, bytes }) => ({ header, bytes })),
    );
  });

  it("is read from the youngest that fits it", () => {
    const { base, keep, read } = recorded([1, 2], [4, 5, 6]);
    keep(2);
    keep(6);
    expect(read().sum?.state).toEqual({ turn: 6 });
    truncateSync(path(base, 2), readFileSync(path(base, 2), "utf8").indexOf('{"n":10,'));
    expect(read().sum?.state).toEqual({ turn: 2 });
  });

  it("goes on being numbered, and with sums of all of it", () => {
    const { base, keep, read, whole } = recorded([1, 2], [4, 5, 6]);
    keep(5);
    const journal = openJournal(read(), 1, facts);
    expect(journal.reach()).toMatchObject({ records: whole.records.length, parts: [{}, {}, {}] });
    journal.append(chosen(7), { durable: false });
    journal.close();
    expect(readJournal(base).records).toHaveLength(whole.records.length + 2);
  });

  it("is read whole where the line before the turn is longer than lines are", () => {
    const { keep, read, whole } = recorded([3, 4]);
    keep(4);
    expect(read()).toEqual(whole);
  });

  it.each<[string, (base: string) => void]>([
    ["it is shorter than the sum says", (base) => truncateSync(path(base, 2), 900)],
    ["a segment before is shorter", (base) => truncateSync(path(base, 1), 900)],
    ["another line stands before the turn", (base) => change(path(base, 2), '1.5#1/recordPass"', '1.4#1/recordPass"')],
    ["the sum is torn", (base) => truncateSync(join(dirname(path(base, 2)), "sum-2.json"), 100)],
    ["the sum is altered", (base) => change(join(dirname(path(base, 2)), "sum-2.json"), '"turn":6', '"turn":5')],
    ["the sum is of another version", (base) => change(join(dirname(path(base, 2)), "sum-2.json"), ":7,", ":8,")],
  ])("is read whole, or refused as without it, when %s", (_, damage) => {
    const { base, keep, read } = recorded([1, 2], [4, 5, 6]);
    keep(6);
    expect(read().sum).toBeDefined();
    damage(base);
    const outcome = (reading: () => ReturnType<typeof read>) => {
      try {
        return reading();
      } catch (error) {
        return error;
      }
    };
    expect(outcome(read)).toEqual(outcome(() => readJournal(base)));
  });

  it("is read whole when no turn begins where the sum ends", () => {
    const { base, read, whole } = recorded([1, 2]);
    const text = readFileSync(path(base, 1), "utf8");
    const journal = openJournal(readJournal(base), 1, facts);
    const reach = journal.reach();
    if (reach !== null) writeSum(journal.folder, { version, ...reach, state: {} });
    journal.append({ type: "said", event: { type: "pause" } }, { durable: false });
    journal.close();
    expect(text).toContain("recordPass");
    expect(read().sum).toBeUndefined();
    expect(read().records).toHaveLength(whole.records.length + 2);
  });
});

describe("a sum", () => {
  it("counts for nothing with another version, beside another segment, or where there is none", () => {
    const folder = temporaryFolder();
    const sum = { version, parts: [{ bytes: 1, crc: 1 }], records: 0, state: { turn: 1 } };
    writeSum(folder, sum);
    expect(readSum(folder, 1, version)).toEqual(sum);
    expect([readSum(folder, 1, version + 1), readSum(folder, 2, version)]).toEqual([null, null]);
    renameSync(join(folder, "sum-1.json"), join(folder, "sum-2.json"));
    expect([readSum(folder, 2, version), readSum(folder, 1, version)]).toEqual([null, null]);
  });
});

/** Other text of the same length. */
function change(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}
