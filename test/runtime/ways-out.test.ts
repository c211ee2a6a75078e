import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/read-plan.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { explain } from "../../src/runtime/explain.ts";
import type { RecordedStart } from "../../src/runtime/recorded-run.ts";
import { recordedRun } from "../support/journals/recorded-run.ts";

const plan = readPlan("- [ ] 1.1 First\n  - **Verify**: `true`\n- [ ] 1.2 Second\n  - **Verify**: `true`\n");
type Record = (record: TimedRunRecord) => boolean;
const answers =
  (effect: string, kind?: string): Record =>
  (record) =>
    record.type === "answered" && record.effect === effect && (kind === undefined || record.answer.kind === kind);

/** The first start of a recorded run, up to a record; with others behind it. */
function startOf(name: string, isLast: Record = ({ type }) => type === "ended", more: readonly TimedRunRecord[] = []) {
  const [start] = recordedRun(name).starts as [RecordedStart];
  return { ...start, records: [...start.records.slice(0, start.records.findIndex(isLast) + 1), ...more] };
}
const waysOut = (task: string, start: RecordedStart, alive = false) =>
  explain({ spec: "sample", plan, starts: [start], alive }, task)?.ways ?? [];
const commands = (task: string, start: RecordedStart): string[] =>
  waysOut(task, start).flatMap((way) => ("command" in way ? [way.command] : []));
const there = { kind: "answer", hint: "it waits for a person: answer where it runs, or with fixpoint say" };

describe("the ways out of a limit of the run", () => {
  it("allow as much again as was allowed, on top of what is spent", () => {
    expect(waysOut("1.2", startOf("cost-limit"))).toEqual([
      { kind: "raise", limit: "maxCost", flag: "--max-cost", max: 1, command: "fixpoint run sample --max-cost 2.5" },
    ]);
    expect(commands("1.1", startOf("global-limit"))).toEqual(["fixpoint run sample --max-global-iterations 4"]);
  });

  it.each([
    ["maxTokens", { tokens: 70 }, "--max-tokens 80"],
    ["maxRunTime", { durationMs: 7_200_000 }, "--max-run-time 121m"],
    ["maxCost", { costUsd: 70 }, "--max-cost 80"],
    ["maxGlobalIterations", { attempts: 70 }, "--max-global-iterations 80"],
  ])("are told by what the last start says of it: %s", (limit, ending, options) => {
    const max = limit === "maxRunTime" ? 10_000 : 10;
    const start = structuredClone(startOf("cost-limit"));
    for (const record of start.records) {
      if (record.type === "answered" && record.answer.kind === "denied") Object.assign(record.answer, { limit, max });
      if (record.type === "ended") Object.assign(record.ending, ending);
    }
    expect(commands("1.2", start)).toEqual([`fixpoint run sample ${options}`]);
  });
});

describe("the ways out of a question", () => {
  it("are one where a coordinator is there that asks it", () => {
    expect(waysOut("1.1", startOf("blocked", answers("verify")), true)).toEqual([there]);
    expect(waysOut("1.1", startOf("whole-ladder", answers("writeStuckReport")), true)).toEqual([there]);
  });

  it("name what is left out, where that is a fix, and the planned task", () => {
    const ways = waysOut("1.1", startOf("environment"));
    expect(ways.flatMap((way) => (way.kind === "decide" ? [`${way.decision} ${way.task}`] : []))).toEqual([
      ...["retry 1.1", "skip 1.1.2", "skip-task 1.1"],
    ]);
    expect(ways.flatMap((way) => ("command" in way ? [way.command] : []))).toEqual(
      expect.arrayContaining(["fixpoint resume sample --decision skip-task", 'fixpoint resume sample --guidance "…"']),
    );
  });

  it("name the task alone where it is the task that is asked about", () => {
    const ways = waysOut("1.1", startOf("blocked"));
    expect(ways.flatMap((way) => (way.kind === "decide" ? [`${way.decision} ${way.task}`] : []))).toEqual([
      ...["retry 1.1", "skip 1.1"],
    ]);
  });
});

describe("the way out of a wait", () => {
  const waiting = (more: readonly TimedRunRecord[] = []) => startOf("rate-limit", answers("readFailure"), more);
  const by = { kind: "program", terminal: null, process: null, pid: null } as const;

  it("is to wait until the executor can work again, whatever it says to the run meanwhile", () => {
    const [way] = waysOut("1.1", waiting(), true);
    expect(way).toEqual({ kind: "wait", until: expect.any(Number) });
    const word = { at: 9, type: "unheard", word: "stop", key: "1.1#1", by } as TimedRunRecord;
    expect(waysOut("1.1", waiting([word]), true)).toEqual([way]);
  });

  it("is to resume what a person has paused, up to where somebody did", () => {
    const said = (type: "pause" | "resume") => ({ at: 9, type: "said", event: { type }, by }) as TimedRunRecord;
    expect(waysOut("1.1", waiting([said("pause")]), true)).toEqual([
      { kind: "run", command: "fixpoint resume sample" },
    ]);
    expect(waysOut("1.1", waiting([said("pause"), said("resume")]), true)).toMatchObject([{ kind: "wait" }]);
  });
});
