import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRun } from "../../src/adapters/journal/read-journal.ts";
import { beginsTurn, type TimedRunRecord } from "../../src/model/record.ts";
import { traceEnd, traceRecord, traceStart } from "../../src/telemetry/trace-record.ts";
import type { TraceAct } from "../../src/telemetry/trace-spans.ts";
import { journals } from "../support/journals/alter-journal.ts";

function actsOf(records: readonly TimedRunRecord[], turns = 0, judged: readonly string[] = []): TraceAct[] {
  const begun = { at: records[0]?.at ?? 0, turns, judged, conversation: "c", content: true, attributes: {} };
  const acts: TraceAct[] = [];
  let { trace, acts: more } = traceStart(begun);
  acts.push(...more);
  for (const record of records) {
    ({ trace, acts: more } = traceRecord(trace, record));
    acts.push(...more);
  }
  acts.push(...traceEnd(trace, records.at(-1)?.at ?? 0, null).acts);
  return acts;
}

const begins = (acts: readonly TraceAct[]) => acts.flatMap((act) => (act.kind === "begin" ? [act] : []));
const labels = (acts: readonly TraceAct[]): string[] =>
  acts.flatMap((act) => (act.kind === "measure" ? [] : [`${act.kind} ${act.span}`]));
const parts = new Map(
  readdirSync(journals).map((name) => [name, readRun(join(journals, name)).map(({ records }) => records)] as const),
);

/** A verdict that is recorded two times counts once. */
const checksIn = (records: readonly TimedRunRecord[]): string[] => [
  ...new Set(
    records.flatMap((record) => {
      if (record.type === "mended") return record.passes.map(({ key, verify }) => `${key}/${verify.name}`);
      if (record.type !== "answered" && record.type !== "judged") return [];
      return [record.verify, record.reality].flatMap((run) => (run === undefined ? [] : [`${record.key}/${run.name}`]));
    }),
  ),
];

describe("the spans of every recorded start", () => {
  it.each([...parts])("are begun and ended once, below an open span: %s", (_name, starts) => {
    let turns = 0;
    for (const records of starts) {
      const open = new Map<string, number>();
      for (const act of actsOf(records, turns)) {
        if (act.kind === "begin") {
          expect(open.has(act.span)).toBe(false);
          if (act.parent === null) expect(open.size).toBe(0);
          else expect(open.has(act.parent)).toBe(true);
          open.set(act.span, act.at);
        } else if (act.kind === "end") {
          expect(act.at).toBeGreaterThanOrEqual(open.get(act.span) ?? Infinity);
          open.delete(act.span);
        } else expect(act.value).toBeGreaterThanOrEqual(0);
      }
      expect([...open]).toEqual([]);
      turns += records.filter(beginsTurn).length;
    }
  });

  it.each([...parts])("are as many as were recorded: %s", (_name, starts) => {
    for (const records of starts) {
      const spans = begins(actsOf(records)).map(({ span, name }) => ({ span, name }));
      const called = records.flatMap((record) => (record.type === "delegated" ? [record.key] : []));
      expect(spans.filter(({ name }) => name.startsWith("invoke_agent")).map(({ span }) => span)).toEqual(called);
      const checked = spans.filter(({ name }) => name.startsWith("execute_tool")).map(({ span }) => span);
      expect(checked.sort()).toEqual(checksIn(records).sort());
    }
  });
});

describe("traceRecord", () => {
  const result = { exitCode: 0, stdout: "", stderr: "", durationMs: 100, timedOut: false };
  const check = (name: string) => ({ command: "true", name, result, digest: null });
  const chosen = { type: "answered", effect: "chooseTask", key: "run#1/chooseTask", at: 1000 } as const;
  const task = { ...chosen, answer: { kind: "task", root: "1.1", current: "1.1", spent: {} } } as const;
  const delegated = { type: "delegated", key: "1.1#1", task: "1.1", role: "executor", at: 1001 } as const;
  const facts = { attempt: 1, retries: 0, elapsedMs: 1 };

  it("reports a reality check after the Verify of its goal", () => {
    const answer = { kind: "accepted" } as const;
    const verified = { type: "answered", effect: "verify", key: "1.1#1/verify", answer, at: 2000 } as const;
    const record = { ...verified, verify: check("1.1#1.verify"), reality: check("1.1#1.reality") };
    const times = actsOf([task, record as TimedRunRecord]).flatMap((act) =>
      act.kind !== "measure" && act.span.startsWith("1.1#1/") ? [act.at] : [],
    );
    expect(times).toEqual([1800, 1900, 1900, 2000]);
  });

  it("reports a check once if its verdict is recorded before its answer, also by an earlier start", () => {
    const of = (id: string, type: "judged" | "answered") =>
      ({ type, effect: "verify", key: `${id}#1/verify`, at: 2000, verify: check(`${id}#1.verify`) }) as const;
    const records = [of("1.1", "judged"), of("1.2", "judged"), of("1.1", "answered"), of("1.2", "answered")];
    const checked = (judged: readonly string[], given: readonly object[]): string[] =>
      begins(actsOf(given as TimedRunRecord[], 1, judged)).flatMap(({ span, name }) =>
        name.startsWith("execute_tool") ? [span] : [],
      );
    expect(checked([], records)).toEqual(["1.1#1/verify/1.1#1.verify", "1.2#1/verify/1.2#1.verify"]);
    expect(checked(["1.1#1/verify"], [of("1.1", "answered")])).toEqual([]);
  });

  it("ends restarted spans as interrupted", () => {
    const again = { ...delegated, ...facts, at: 1500 };
    const acts = actsOf([task, { ...delegated, ...facts }, again]);
    expect(labels(acts)).toEqual([
      ...["begin run", "begin turn", "begin 1.1#1", "end 1.1#1", "begin 1.1#1"],
      ...["end 1.1#1", "end turn", "end run"],
    ]);
    expect(acts.find((act) => act.kind === "end")).toMatchObject({ at: 1500, error: "abandoned" });
  });

  it("fails the run with a limit, with trouble of the environment, and with an invalid outcome", () => {
    const errors = (["complete", "gate", "limit", "environment", null] as const).map((outcome) => {
      const { trace } = traceStart({ at: 0, turns: 0, judged: [], conversation: "c", content: false, attributes: {} });
      return traceEnd(trace, 1, outcome).acts.flatMap((act) => (act.kind === "end" ? [act.error] : []));
    });
    expect(errors).toEqual([[null], [null], ["limit"], ["environment"], ["_OTHER"]]);
  });

  it("begins no turn if nothing is left to do", () => {
    const none = { ...chosen, answer: { kind: "none" }, at: 1500 } as const;
    expect(labels(actsOf([task, none as TimedRunRecord]))).toEqual([
      ...["begin run", "begin turn", "end turn", "end run"],
    ]);
  });

  it("continues the turn that an earlier start has begun", () => {
    const [, turn] = begins(actsOf([{ ...delegated, ...facts }], 4));
    expect(turn?.attributes).toEqual({ "gen_ai.conversation.id": "c", "fixpoint.turn.number": 4 });
  });
});
