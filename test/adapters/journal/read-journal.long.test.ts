import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealLine } from "../../../src/adapters/journal/journal-segment.ts";
import { readJournal, segmentPath } from "../../../src/adapters/journal/read-journal.ts";
import { readSnapshot, writeSnapshot } from "../../../src/adapters/journal/snapshot.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import type { RunRecord } from "../../../src/model/record.ts";
import { stateVersion } from "../../../src/model/run-state.ts";
import { newRun } from "../../../src/run/new-run.ts";
import { answered } from "../../support/answered.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { takeJournal } from "../../support/forced-lease.ts";

const facts = { policy: readPolicy(), planHash: "", open: 2 };
const chosen = (turn: number): RunRecord => answered(`run#${turn}/chooseTask`, { kind: "none" });
const passed = (turn: number): RunRecord => ({
  type: "skipped",
  task: `1.${turn}`,
  justification: "a".repeat(turn === 3 ? 100_000 : 10),
});
const stateAt = (turns: number) => ({ ...newRun(2), turns });

function recorded(...starts: readonly (readonly number[])[]) {
  const base = join(temporaryFolder(), "specs", "demo", ".fixpoint");
  mkdirSync(base, { recursive: true });
  const snapshots = new Map<number, { readonly folder: string; readonly head: Parameters<typeof writeSnapshot>[1] }>();
  let records = 0;
  for (const turns of starts) {
    const journal = takeJournal(readJournal(base), 1, facts);
    for (const turn of turns) {
      snapshots.set(turn, { folder: journal.folder, head: { end: journal.end(), records, written: 0 } });
      journal.append([chosen(turn)], { durable: false });
      journal.append([passed(turn), passed(turn)], { durable: false });
      records += 3;
    }
    journal.close();
    records += 1;
  }
  const keep = (turn: number): void => {
    const { folder, head } = snapshots.get(turn) as NonNullable<ReturnType<typeof snapshots.get>>;
    writeSnapshot(folder, head, JSON.stringify(stateAt(turn)));
  };
  return { base, keep, read: () => readJournal(base, { whole: false }), whole: readJournal(base) };
}

const path = (base: string, segment: number): string => segmentPath(base, 1, segment);
const kept = (base: string): string => join(dirname(path(base, 1)), "snapshot.json");

describe("a journal with a snapshot", () => {
  it.each([1, 2, 3, 4, 5, 6])("is read from the turn of the snapshot on (%i)", (turn) => {
    const { keep, read, whole } = recorded([1, 2, 3], [4, 5, 6]);
    keep(turn);
    const { snapshot, records, segments } = read();
    expect(snapshot?.state()).toEqual(stateAt(turn));
    expect(records[0]).toMatchObject({ key: `run#${turn}/chooseTask` });
    expect(records).toEqual(whole.records.slice(snapshot?.records));
    expect(segments.map(({ header, bytes }) => ({ header, bytes }))).toEqual(
      whole.segments.map(({ header, bytes }) => ({ header, bytes })),
    );
  });

  it("is read completely on request", () => {
    const { base, keep, whole } = recorded([1, 2]);
    keep(2);
    expect(readJournal(base)).toEqual(whole);
  });

  it("continues its numbers", () => {
    const { base, keep, read, whole } = recorded([1, 2], [4, 5, 6]);
    keep(5);
    const journal = takeJournal(read(), 1, facts);
    journal.append([chosen(7)], { durable: false });
    journal.close();
    expect(readJournal(base).records).toHaveLength(whole.records.length + 2);
  });

  it.each<[string, (base: string) => void]>([
    ["its segment is shorter than it says", (base) => truncateSync(path(base, 2), 900)],
    ["an earlier segment is shorter", (base) => truncateSync(path(base, 1), 900)],
    ["the line before the turn was changed", (base) => change(path(base, 2), '"1.5"', '"1.4"')],
    ["it is torn", (base) => truncateSync(kept(base), 100)],
    ["it is altered", (base) => change(kept(base), '"turns":6', '"turns":5')],
    ["it is of another version", (base) => reseal(kept(base), { version: stateVersion + 1 })],
    ["it is of a missing segment", (base) => reseal(kept(base), { end: { segment: 3, bytes: 9, crc: 1 } })],
    ["it counts other records", (base) => reseal(kept(base), { records: 1 })],
    ["it is of a segment without a kept plan", (base) => reseal(kept(base), { end: { segment: 9, bytes: 9, crc: 1 } })],
  ])("is read completely, or refused as without the snapshot, if %s", (_, damage) => {
    const { base, keep, read } = recorded([1, 2], [4, 5, 6]);
    keep(6);
    expect(read().snapshot).toBeDefined();
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

  it("is read completely if no turn begins after it", () => {
    const { base, read, whole } = recorded([1, 2]);
    const journal = takeJournal(readJournal(base), 1, facts);
    writeSnapshot(
      journal.folder,
      { end: journal.end(), records: whole.records.length, written: 0 },
      JSON.stringify(stateAt(3)),
    );
    journal.append([{ type: "said", event: { type: "pause" } }], { durable: false });
    journal.close();
    expect(readSnapshot(journal.folder)).not.toBeNull();
    expect(read().snapshot).toBeUndefined();
    expect(read().records).toHaveLength(whole.records.length + 2);
  });
});

describe("records made together", () => {
  it("count all or not at all", () => {
    const { base, whole } = recorded([1, 2]);
    const file = path(base, 1);
    const text = readFileSync(file, "utf8");
    const last = text.lastIndexOf('{"n":');
    const pair = text.lastIndexOf('{"n":', last - 1);
    for (let length = pair + 1; length < last; length += 1) {
      truncateSync(file, length);
      expect(readJournal(base).records).toHaveLength(whole.records.length - 3);
      writeFileSync(file, text);
    }
  });
});

describe("snapshots of a run", () => {
  it.each([
    ["that grows by a third of the journal", { before: 0, each: 600 }],
    ["that hardly grows", { before: 600_000, each: 1 }],
  ])("are smaller than its journal: a state %s", async (_, { before, each }) => {
    const base = join(temporaryFolder(), "specs", "demo", ".fixpoint");
    mkdirSync(base, { recursive: true });
    const journal = takeJournal(readJournal(base), 1, facts);
    const state = newRun(2);
    state.skipped["task"] = "x".repeat(before);
    const sizes = new Set<number>();
    let total = 0;
    for (let turn = 1; turn <= 4000; turn += 1) {
      journal.snapshot(() => state);
      const snapshot = readSnapshot(journal.folder);
      if (snapshot !== null && !sizes.has(snapshot.end.bytes)) {
        sizes.add(snapshot.end.bytes);
        total += readFileSync(kept(base)).length;
        expect(snapshot.records).toBe(2 * (turn - 1));
      }
      journal.append([chosen(turn)], { durable: false });
      state.skipped[`task ${turn}`] = "x".repeat(each);
      journal.append([{ type: "skipped", task: `task ${turn}`, justification: "x".repeat(2000) }], { durable: false });
    }
    expect(sizes.size).toBeGreaterThan(1);
    expect(total).toBeLessThanOrEqual(readFileSync(path(base, 1)).length);
    journal.close();
  });
});

function change(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

function reseal(file: string, more: object): void {
  const [head = "", state = ""] = readFileSync(file, "utf8").split("\n");
  const { crc: _, ...value } = JSON.parse(head) as Record<string, unknown>;
  writeFileSync(file, `${sealLine({ ...value, ...more })}${state}\n`);
}
