import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { abridgeRecord } from "../../src/adapters/abridge-record.ts";
import { readRun } from "../../src/adapters/journal.ts";
import { openLine, sealLine } from "../../src/adapters/journal-line.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { readPolicy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { temporaryFolder } from "../support/folder.ts";

const header = {
  ...{ v: 2, run: 1, segment: 1, after: null, pid: 1, pidStart: null, host: "here", at: 1, policy: readPolicy() },
  ...{ planHash: "", open: 2 },
};
const long = `Quotes "text":"" ,"usage":{ and ,"reply":{ in a text\n`.repeat(20);
const usage = { inputTokens: 3, outputTokens: 2, costUsd: 0.5 };
const chosen = (turn: number): RunRecord => ({
  type: "answered",
  key: `run#${turn}/chooseTask`,
  answer: { kind: "task" },
});
const replied = (more: object = {}): RunRecord =>
  ({
    ...{ type: "answered", key: "1.1#1/delegate", answer: { kind: "replied", told: "ä" } },
    ...{ reply: { exitCode: 0, ...more, text: long, headBefore: "abc", mark: null } },
  }) as RunRecord;
const result = { exitCode: 0, stdout: long, stderr: "", durationMs: 1, timedOut: false };
const verify = { command: "make", name: "1.1#1/verify", result, digest: null };
const judged = (more: object = {}): RunRecord =>
  ({ type: "answered", key: "1.1#1/verify", answer: { kind: "accepted" }, verify, ...more }) as RunRecord;

/** What a start reads of segments. */
function readOf(...segments: readonly (readonly RunRecord[])[]) {
  const folder = temporaryFolder();
  let n = 0;
  let after: object | null = null;
  for (const [index, records] of segments.entries()) {
    const segment = index + 1;
    const lines = records.map((record) => sealLine({ n: ++n, at: n, ...record }));
    const text = [sealLine({ ...header, segment, after }), ...lines].join("");
    writeFileSync(join(folder, `journal-${segment}.ndjson`), text);
    after = { segment, bytes: Buffer.byteLength(text) };
  }
  const read = (abridged: boolean) => readRun(folder, { abridged }).flatMap(({ records }) => records);
  return { whole: read(false), abridged: read(true) };
}

describe("an abridged journal", () => {
  it("leaves out what only a turn that is over asks for, but for what was used", () => {
    const { abridged } = readOf([chosen(1), replied({ usage }), judged(), chosen(2)]);
    expect(abridged[1]).toEqual({
      ...{ type: "answered", key: "1.1#1/delegate", answer: { kind: "replied", told: "ä" }, at: 2 },
      reply: { text: "", headBefore: null, usage },
    });
    expect(abridged[2]).toEqual({ type: "answered", key: "1.1#1/verify", answer: { kind: "accepted" }, at: 3 });
  });

  it("leaves out what a reality check has printed", () => {
    const record = judged({ reality: { ...verify, name: "1.1#1/reality" } });
    const { whole, abridged } = readOf([chosen(1), record, chosen(2)]);
    expect(abridged[1]).toEqual({ type: "answered", key: "1.1#1/verify", answer: { kind: "accepted" }, at: 2 });
    expect(whole[1]).toEqual({ ...record, at: 2 });
  });

  it("holds the last turn whole, in whatever segment that began", () => {
    const turn = [chosen(2), replied(), judged()];
    for (const segments of [
      [[chosen(1), replied(), ...turn]],
      [[chosen(1), ...turn.slice(0, 1)], turn.slice(1)],
      [[chosen(1), replied()], turn.slice(0, 2), turn.slice(2)],
      [[chosen(1), replied()], turn, []],
    ]) {
      const { whole, abridged } = readOf(...segments);
      expect(abridged.slice(-3)).toEqual(whole.slice(-3));
      expect(abridged).toHaveLength(whole.length);
    }
  });

  it("holds everything whole before the first turn", () => {
    const { whole, abridged } = readOf([replied(), judged()], [replied()]);
    expect(abridged).toEqual(whole);
  });

  it.each([
    ["that tells what was used behind what it leaves out", judged({ usage })],
    [
      "that a review of was recorded with",
      judged({ review: { verdict: "pass", code: long, spec: "", round: 1, usage } }),
    ],
    ["with an answer that is long itself", { ...judged(), answer: { kind: "rejected", reason: long } } as RunRecord],
    ["with a text in front of its reply", replied({ stderr: long })],
    ["that is short", { type: "answered", key: "1.1#1/recordPass", answer: { kind: "recorded" } } as RunRecord],
    ["of another kind", { type: "guided", task: "1.1", text: long } as RunRecord],
    ["whose usage is none", { ...judged(), answer: { judgement: { a: 1 }, reason: long } } as RunRecord],
  ])("reads a record whole %s", (_, record) => {
    const { whole, abridged } = readOf([chosen(1), record, chosen(2)]);
    expect(abridged).toEqual(whole);
  });

  it("is read whole where what looks like the choice of a task is none", () => {
    const answer = { key: "run#9/chooseTask", answer: 1 };
    const { whole, abridged } = readOf([chosen(1), replied(), { type: "answered", key: "1.1#1/askAgain", answer }]);
    expect(abridged).toEqual(whole);
  });

  it("names a record that is missing, torn or no record", () => {
    const missing = [
      { n: 1, ...chosen(1) },
      { n: 3, ...judged() },
      { n: 4, ...chosen(2) },
    ];
    const none = [
      { n: 1, ...chosen(1) },
      { n: 2, type: "answered", key: 1, verify },
      { n: 3, ...chosen(2) },
    ];
    for (const [records, expected] of [
      [missing, "record 2 of the run"],
      [none, "record 2 to be whole"],
    ] as const) {
      const folder = temporaryFolder();
      const lines = records.map((record) => sealLine({ at: 1, ...record }));
      writeFileSync(join(folder, "journal-1.ndjson"), [sealLine(header), ...lines].join(""));
      for (const abridged of [false, true]) expect(() => readRun(folder, { abridged })).toThrow(expected);
    }
  });
});

it("finds what a reply has used ahead of its text, wherever its executor has put that", () => {
  const made: RunRecord[] = [];
  const store = { append: (record: RunRecord) => void made.push(record), writeOutput: () => {} };
  const memory = createRunMemory({ store: { ...store, readOutput: async () => "" } });
  const reply = { text: long, usage, exitCode: 0 };
  const facts = { reply: { reply, headBefore: null, mark: null, fileState: null } };
  memory.answer("1.1#1/delegate", { kind: "replied" }, facts);
  const line = sealLine({ n: 1, at: 1, ...(made[0] as RunRecord) });
  const body = openLine(Buffer.from(line.trimEnd())) as Buffer;
  expect(abridgeRecord(body)).toMatchObject({ record: { reply: { text: "", usage } } });
});
