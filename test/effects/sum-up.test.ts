import { describe, expect, it } from "vitest";
import { createRunMemory, type RunMemory } from "../../src/effects/run-memory.ts";
import { type RunSum, sumUp } from "../../src/effects/sum-up.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { currentTurn } from "../../src/runtime/replay.ts";
import { simulate } from "../../src/testing/index.ts";

const sumOf = (records: readonly TimedRunRecord[], from?: RunSum): RunSum => {
  const summing = sumUp({ from });
  for (const record of records) summing.add(record);
  return summing.sum();
};
/** As it comes back from a file. */
const read = (sum: RunSum): RunSum => JSON.parse(JSON.stringify(sum));

/** What a start remembers: of attempts those of the turn that is under way. */
function memoryOf(records: readonly TimedRunRecord[], from?: RunSum): RunMemory {
  const memory = createRunMemory({ open: 9 });
  if (from !== undefined) memory.take(from.books);
  const turn = currentTurn(records);
  for (const record of records.slice(0, records.length - turn.length)) memory.fold(record, true);
  memory.beginTurn(0);
  for (const record of turn) memory.fold(record);
  return memory;
}

/** All that a run asks its memory for. */
async function toldBy(memory: RunMemory, records: readonly TimedRunRecord[]) {
  const named = records.flatMap((record) =>
    "key" in record ? [record.key.slice(0, record.key.lastIndexOf("#"))] : [],
  );
  const tasks = [...new Set(named)];
  const fixes = records.flatMap((record) => (record.type === "intended" ? [record.fix.id] : []));
  const attempts = currentTurn(records).flatMap((record) => (record.type === "delegated" ? [record.key] : []));
  const known = attempts.filter(memory.knows);
  return {
    ...{ ledger: memory.ledger, accepted: memory.accepted, batch: memory.batch, changes: memory.changes },
    ...{ sequential: memory.sequential(), unlogged: [...memory.unlogged()], inFlight: memory.inFlight() },
    ...{ skipped: [...memory.skipped()], reported: [...memory.reported()] },
    intended: fixes.map(memory.intended),
    attempts: await Promise.all(known.map((key) => Promise.all([memory.recall(key), memory.earlier(key)]))),
    ofTasks: tasks.map((task) => [
      ...[memory.rootOf(task), memory.spent(task), memory.escalation(task), memory.repairs(task), memory.part(task)],
      ...[memory.guidance(task), memory.changesOf(task), memory.findings(task)],
    ]),
    free: (["executor", "verifier", "reviewer", "operator"] as const).map((role) => [
      memory.availability.nextFree(role, [0, 1], records.at(-1)?.at ?? 0),
      memory.availability.choose(role, [0, 1], records.at(-1)?.at ?? 0),
    ]),
  };
}

const choices = (records: readonly TimedRunRecord[]): number[] =>
  records.flatMap((record, index) => (record.type === "answered" && record.key.endsWith("/chooseTask") ? [index] : []));

describe("sumUp, for every run", () => {
  it("lets a start know from the beginning of a turn on what all records tell it", async () => {
    let looked = 0;
    for (let seed = 0; seed < 32; seed += 1) {
      const { records } = await simulate({ seed });
      const whole = await toldBy(memoryOf(records), records);
      for (const at of choices(records)) {
        const sum = read(sumOf(records.slice(0, at)));
        const told = await toldBy(memoryOf(records.slice(at), sum), records);
        expect(told, `seed ${seed}, record ${at + 1}`).toEqual(whole);
        looked += 1;
      }
    }
    expect(looked).toBeGreaterThan(100);
  });

  it("comes to the same from another sum as from all records", async () => {
    for (let seed = 100; seed < 115; seed += 1) {
      const { records } = await simulate({ seed });
      const [ends, whole] = [choices(records), read(sumOf(records))];
      for (const at of ends) {
        expect(read(sumOf(records.slice(at), read(sumOf(records.slice(0, at)))))).toEqual(whole);
      }
    }
  });
});
