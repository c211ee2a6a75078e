import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/read-plan.ts";
import type { Frame, TaskRow } from "../../src/model/frame.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { rowMaker, taskRows } from "../../src/runtime/task-rows.ts";
import { answered } from "../support/answered.ts";
import { sampleFix } from "../support/sample-fix.ts";

const plan = (text: string) => readPlan(text);
const text = "- [x] 1.1 First\n- [ ] 1.2 Second\n- [ ] 1.2.1 [FIX 1.2] Fix: adds\n- [ ] 1.3 Third\n";
const frame = (cause: string, ...marks: readonly (readonly [string, Frame["marks"][number]["mark"]])[]): Frame =>
  ({ cause, marks: marks.map(([task, mark]) => ({ task, mark })) }) as unknown as Frame;
const intended = (id: string, fixOf: string, summary = "adds"): RunRecord => ({
  ...{ type: "intended", key: `${fixOf}#1`, fix: { ...sampleFix, id, fixOf, summary } },
});
const parts = answered("1.3#1/askOperator", {
  kind: "directed",
  directive: { strategy: "decompose", parts: ["a", "b"] },
});
const told = (rows: readonly TaskRow[]): string[] =>
  rows.map(({ id, title, depth, from, done }) => `${"  ".repeat(depth)}${id} ${title} ${from}${done ? " done" : ""}`);

describe("the rows of the tree of tasks", () => {
  it("stand in the order of the plan, with fixes and parts below what they were made for", () => {
    const frames = [
      ...[frame("started"), frame("delegated", ["1.2", "running"]), frame("insertFix", ["1.2.1", "open"])],
      ...[frame("delegated", ["1.3~1", "running"]), frame("delegated", ["1.3~2", "running"])],
    ];
    const rows = taskRows(plan(text), [intended("1.2.1", "1.2"), parts], frames);
    expect(told(rows)).toEqual([
      ...["1.1 First 0 done", "1.2 Second 0", "  1.2.1 Fix: adds 2", "1.3 Third 0", "  1.3~1 a 3", "  1.3~2 b 4"],
    ]);
    expect(rows.map(({ madeFor }) => madeFor)).toEqual([null, null, "1.2", null, "1.3", "1.3"]);
  });

  it("hold what the plan does not have, and are there from when a change of it has added them", () => {
    const frames = [frame("started"), frame("changePlan", ["1.4", "open"]), frame("insertFix", ["1.1.1", "open"])];
    const added = `${text}- [ ] 1.4 Fourth\n`;
    expect(told(taskRows(plan(added), [intended("1.1.1", "1.1", "gone")], frames))).toEqual([
      ...["1.1 First 0 done", "  1.1.1 gone 2", "1.2 Second 0", "  1.2.1 Fix: adds 0", "1.3 Third 0", "1.4 Fourth 1"],
    ]);
    expect(told(taskRows(plan("- [ ] 1.1 First\n"), [], [frame("delegated", ["9.9", "running"])]))).toEqual([
      ...["1.1 First 0", "9.9  0"],
    ]);
  });

  it("are done where that was before the run or by hand, not where the run has passed them", () => {
    const done = text.replaceAll("[ ]", "[x]");
    const frames = [frame("recordPass", ["1.2", "passed"]), frame("delegated", ["1.3", "running"])];
    expect(told(taskRows(plan(done), [], frames))).toEqual([
      ...["1.1 First 0 done", "1.2 Second 0", "  1.2.1 Fix: adds 0 done", "1.3 Third 0 done"],
    ]);
  });
});

describe("rows that are made as a run goes on", () => {
  const steps: readonly { readonly text: string; readonly frame: Frame; readonly record?: RunRecord }[] = [
    { text, frame: frame("started") },
    { text, frame: frame("delegated", ["1.2", "running"]) },
    { text, frame: frame("insertFix", ["1.2.2", "open"]), record: intended("1.2.2", "1.2") },
    { text: text.replace("[ ] 1.2.1", "[x] 1.2.1"), frame: frame("said") },
    { text: text.replace("[ ] 1.2.1", "[x] 1.2.1"), frame: frame("recordPass", ["1.2.1", "passed"]) },
    { text: text.replace("[x] 1.1", "[ ] 1.1"), frame: frame("recordPass", ["1.2.1", "passed"]) },
    { text, frame: frame("delegated", ["1.3~1", "running"]), record: parts },
    { text: text.replace("Third", "Other"), frame: frame("task") },
    { text: `${text}- [x] 1.4 Fourth\n`, frame: frame("changePlan", ["1.4", "open"]) },
    { text: `${text}- [x] 1.4 Fourth\n`, frame: frame("recordPass", ["1.4", "passed"]) },
    { text: text.replace("1.3 Third\n", "1.5 Third\n"), frame: frame("task") },
    { text: text.replaceAll("[ ]", "[x]"), frame: frame("recordPass", ["1.2", "passed"], ["1.3", "passed"]) },
  ];

  it("are those that are made of all of it", () => {
    const maker = rowMaker();
    const records: RunRecord[] = [];
    const frames: Frame[] = [];
    for (const step of steps) {
      if (step.record !== undefined) {
        records.push(step.record);
        maker.take(step.record);
      }
      maker.see(step.frame, frames.length);
      frames.push(step.frame);
      const now = plan(step.text);
      expect(maker.rows(now)).toEqual(taskRows(now, records, frames));
    }
  });

  it("are the same list as long as nothing differs", () => {
    const maker = rowMaker();
    maker.see(frame("started"), 0);
    const first = maker.rows(plan(text));
    maker.take(answered("1.1#1/verify", { kind: "accepted" }));
    maker.see(frame("delegated", ["1.2", "running"]), 1);
    expect(maker.rows(plan(text))).toBe(first);
    const ticked = maker.rows(plan(text.replace("[ ] 1.3", "[x] 1.3")));
    expect(ticked).not.toBe(first);
    expect(ticked[0]).toBe(first[0]);
    maker.see(frame("recordPass", ["1.2", "passed"]), 2);
    expect(maker.rows(plan(text.replace("[ ] 1.3", "[x] 1.3")))).toBe(ticked);
  });
});
