import { deepEqual, equal, ok, throws } from "node:assert/strict";
import { readPolicy } from "../../src/model/policy.ts";
import { beginsTurn, type RunRecord } from "../../src/model/record.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { replayRecords } from "../../src/run/previous-start.ts";
import type { Contract } from "../../src/testing/host.ts";
import type { MemoryJournal } from "../support/memory-journal.ts";

export type OpenJournal = () => Promise<Pick<MemoryJournal, "read" | "begin">>;

const facts = { policy: readPolicy({ maxTaskIterations: 3 }), open: 2 };
const durable = { durable: true };

const texts = ["", "Größe\n\u2028zwei\r\n", '"}\n{"type":"ended"', "x".repeat(20_000)];

/** After this many turns, every journal has made a snapshot. */
const manyTurns = 2000;

const turnOf = (turn: number): readonly RunRecord[] => [
  { type: "answered", effect: "chooseTask", key: `run#${turn}/chooseTask`, answer: { kind: "none" } },
  { type: "skipped", task: `1.${turn % 7}`, justification: "x".repeat(500) },
];

const advice = (text: string): RunRecord => ({ type: "guided", task: "1.1", text });

export const journalContract: readonly Contract<OpenJournal>[] = [
  {
    name: "has neither starts nor records before the first start",
    run: async (open) => {
      deepEqual((await open()).read().segments, []);
      deepEqual((await open()).read().records, []);
    },
  },
  {
    name: "returns the beginnings and records of starts, in order",
    run: async (open) => {
      const subject = await open();
      const first = subject.begin(facts);
      for (const text of texts) first.append([advice(text)], durable);
      first.close();
      const second = subject.begin({ ...facts, policy: readPolicy({}) });
      second.append([advice("later"), advice("together")], { durable: false, at: 1234 });
      const { run, segments, records } = subject.read();
      equal(run, 1);
      deepEqual(
        segments.map(({ header }) => [header.segment, header.open, header.policy]),
        [
          [1, 2, facts.policy],
          [2, 2, readPolicy({})],
        ],
      );
      deepEqual(
        records.flatMap((record) => (record.type === "guided" ? [record.text] : [])),
        [...texts, "later", "together"],
      );
      deepEqual(
        segments.flatMap((segment) => segment.records),
        records,
      );
      deepEqual(
        records.slice(-2).map(({ at }) => at),
        [1234, 1234],
      );
      equal(
        records.every(({ at }) => Number.isFinite(at)),
        true,
      );
      second.close();
    },
  },
  {
    name: "records the release of a start, unless the start has recorded its end",
    run: async (open) => {
      const subject = await open();
      subject.begin(facts).close();
      equal(subject.read().records.at(-1)?.type, "released");
      const told = subject.begin(facts);
      const counts = { original: 2, fixes: 0, attempts: 0, skipped: [], tickedByHand: 0, durationMs: 0 };
      const ending = { type: "run.ended", outcome: "interrupted", exitCode: 130, ...counts } as const;
      told.append([{ type: "ended", ending, planHash: "", denial: null }], durable);
      told.close();
      equal(subject.read().records.at(-1)?.type, "ended");
    },
  },
  {
    name: "refuses durable records of a start whose run another has taken over, and counts none of them",
    run: async (open) => {
      const subject = await open();
      const [first, second] = [subject.begin(facts), subject.begin(facts)];
      throws(() => first.append([advice("too"), advice("late")], durable), {
        name: "EnvironmentError",
        code: "spec-taken-over",
      });
      second.append([advice("in time")], durable);
      first.close();
      const told = subject.read().records.map((record) => (record.type === "guided" ? record.text : record.type));
      deepEqual(told, ["in time"]);
      second.close();
    },
  },
  {
    name: "returns a snapshot and the records after it, which lead to the same state as all records",
    run: async (open) => {
      const subject = await open();
      const first = subject.begin(facts);
      const state = newRun(facts.open, undefined);
      for (let turn = 1; turn <= manyTurns; turn += 1) {
        first.snapshot(() => state);
        for (const record of turnOf(turn)) {
          first.append([record], { durable: false, at: turn });
          apply(state, record);
        }
      }
      first.close();
      const reading = subject.read();
      const { records, snapshot } = reading;
      ok(snapshot !== undefined && snapshot.records > 0, "no snapshot was kept");
      ok(records.some(beginsTurn), "the last turn is missing");
      equal(snapshot.records + records.length, 2 * manyTurns + 1);
      deepEqual(replayRecords(reading), state);
    },
  },
  {
    name: "stores replies by attempt, also for later starts",
    run: async (open) => {
      const subject = await open();
      const first = subject.begin(facts);
      for (const [index, text] of texts.entries()) first.writeOutput(`1.1#${index + 1}`, text);
      first.writeOutput("1.1#1", "anew");
      first.close();
      const second = subject.begin(facts);
      equal(await second.readOutput("1.1#1"), "anew");
      for (const [index, text] of [...texts.entries()].slice(1)) {
        equal(await second.readOutput(`1.1#${index + 1}`), text);
      }
      second.close();
    },
  },
];
