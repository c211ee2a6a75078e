import { expect, it } from "vitest";
import type { RunEvent } from "../../src/model/event.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { markTasks } from "../../src/runtime/mark-tasks.ts";

const nothing = { type: "left", at: 0 } as const;
const marksOf = (record: object, events: readonly object[] = []): string[] =>
  markTasks({ at: 0, ...record } as TimedRunRecord, events as readonly RunEvent[]).map(
    ({ task, mark }) => `${task} ${mark}`,
  );

it.each<[object, string[]]>([
  [{ type: "delegated", task: "1.1", role: "executor" }, ["1.1 running"]],
  [{ type: "delegated", task: "1.1", role: "verifier" }, ["1.1 running"]],
  [{ type: "delegated", task: "1.1", role: "reviewer" }, []],
  [{ type: "passed", key: "1.1#1" }, ["1.1 passed"]],
  [{ type: "refunded", key: "1.1#1" }, ["1.1 open"]],
  [{ type: "reached", tasks: ["5.1", "5.2"] }, ["5.1 passed", "5.2 passed"]],
  [{ type: "mended", passes: [{ key: "1.1.1#1" }, { key: "1.1#2" }] }, ["1.1.1 passed", "1.1 passed"]],
  [{ type: "skipped", task: "1.1", justification: "gone" }, ["1.1 skipped"]],
  [{ type: "skipped", task: "1.1", justification: null }, ["1.1 open"]],
  [{ type: "reset", task: "1.1" }, ["1.1 open"]],
  [{ type: "closed", fix: "1.1.1", by: "1.1.2" }, ["1.1.1 superseded"]],
  [{ type: "answered", effect: "verify", key: "1.1#1/verify", answer: { kind: "accepted" } }, []],
  [{ type: "guided", task: "1.1", text: "x" }, []],
])("a record marks what a task has become: %o", (record, marks) => {
  expect(marksOf(record)).toEqual(marks);
});

it.each<[object, string[]]>([
  [{ type: "task.failed", task: "1.1" }, ["1.1 failed"]],
  [{ type: "task.rejected", task: "1.1" }, ["1.1 failed"]],
  [{ type: "task.passed", task: "1.1" }, ["1.1 passed"]],
  [{ type: "task.skipped", task: "1.1" }, ["1.1 skipped"]],
  [{ type: "person.asked", task: "1.1" }, ["1.1 asking"]],
  [{ type: "waiting", task: "1.1" }, ["1.1 waiting"]],
  [{ type: "fix.inserted", fix: "1.1.2", supersedes: "1.1.1" }, ["1.1.1 superseded", "1.1.2 open"]],
  [{ type: "fix.inserted", fix: "1.1.1", supersedes: null }, ["1.1.1 open"]],
  [{ type: "plan.changed", task: "1.1", added: ["1.1a", "1.1b"] }, ["1.1a open", "1.1b open"]],
  [{ type: "pr.task", task: "5.5" }, ["5.5 open"]],
  [{ type: "task.delegated", task: "1.1" }, []],
  [{ type: "notice", message: "x" }, []],
])("an event marks what a task has become: %o", (event, marks) => {
  expect(marksOf(nothing, [event])).toEqual(marks);
});

it("a record marks before what it has led to", () => {
  const record = { type: "skipped", task: "1.1", justification: "gone" };
  const events = [{ type: "task.failed", task: "1.2" }, nothing, { type: "task.passed", task: "1.3" }];
  expect(
    marksOf(
      record,
      events.filter(({ type }) => type !== "left"),
    ),
  ).toEqual([...["1.1 skipped", "1.2 failed", "1.3 passed"]]);
});
