import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import type { Task } from "../../src/model/task.ts";
import { judgeCheckmarks } from "../../src/recover/judge-checkmarks.ts";
import { prop } from "../support/prop.ts";
import { plan, task } from "../support/sample-plan.ts";

const own = { id: "1.2", markers: [] };
const before = plan(task("1.1", { done: true }), task("1.2"), task("1.3"));
const judge = (after: Plan, requireExecutorTick = false) =>
  judgeCheckmarks({ task: own, beside: [], before, after, requireExecutorTick });
const withTask = (id: string, part: Partial<Task>, of = before): Plan =>
  plan(...of.tasks.map((each) => (each.id === id ? { ...each, ...part } : each)));
const fields = (id: string, part: Task["fields"]): Partial<Task> => ({ fields: { ...task(id).fields, ...part } });

describe("judgeCheckmarks", () => {
  it.each([
    ["the plan as it was", before],
    ["an equal plan", withTask("1.2", {})],
    ["the task's own tick", withTask("1.2", { done: true })],
    ["reflowed prose", withTask("1.3", fields("1.3", { do: " Do\r\n  1.3 " }))],
    ["another place of a task", plan(...["1.1", "1.3", "1.2"].map((id) => task(id, { done: id === "1.1" })))],
    ["another text of a finished task", withTask("1.1", { title: "x", ...fields("1.1", { do: "y" }) })],
  ])("accepts %s", (_, after) => {
    expect(judge(after)).toEqual({ kind: "accepted" });
  });

  it.each([
    ["another task's tick", withTask("1.3", { done: true })],
    ["another task's tick in addition to its own", plan(...before.tasks.map((each) => ({ ...each, done: true })))],
    ["another task's tick if one is lost", withTask("1.3", { done: true }, withTask("1.1", { done: false }))],
  ])("rejects %s", (_, after) => {
    const reason = "you ticked 1.3, which is not yours: its box is open again";
    expect(judge(after)).toEqual({ kind: "rejected", reason });
  });

  it("accepts a lost tick and a restored task, with a note", () => {
    const lost = withTask("1.1", { done: false });
    expect(judge(lost)).toEqual({ kind: "accepted", note: "ticked again: 1.1" });
    const judged = { task: own, beside: [], before, after: lost, requireExecutorTick: true, restored: ["1.2"] };
    expect(judgeCheckmarks(judged)).toEqual({ kind: "accepted", note: "ticked again: 1.1; restored: 1.2" });
  });

  it("rejects a missing own tick if it is required", () => {
    const reason = "you have not ticked 1.2, your own box";
    expect(judge(before, true)).toEqual({ kind: "rejected", reason });
    expect(judge(withTask("1.2", { done: true }), true).kind).toBe("accepted");
  });

  it("lists the foreign ids, at most the first twelve", () => {
    const many = (ticked: number) =>
      plan(task("1.2"), ...Array.from({ length: 60 }, (_, n) => task(`2.${n}`, { done: n < ticked })));
    const judgeMany = (is: number) =>
      judgeCheckmarks({ task: own, beside: [], before: many(0), after: many(is), requireExecutorTick: true });
    const missing = "you have not ticked 1.2, your own box";
    expect(judgeMany(2)).toMatchObject({
      reason: `you ticked 2.0 and 2.1, which are not yours: their boxes are open again; ${missing}`,
    });
    const twelve = Array.from({ length: 12 }, (_, n) => `2.${n}`).join(", ");
    expect(judgeMany(12)).toMatchObject({
      reason: expect.stringContaining(`ticked ${twelve.replace(/, (?=2\.11)/, " and ")},`),
    });
    expect(judgeMany(15)).toMatchObject({ reason: expect.stringContaining(`ticked ${twelve} and 3 more,`) });
  });

  it.each([
    ["a task vanished", plan(...before.tasks.slice(0, 2)), "task 1.3 vanished from the plan"],
    ["a finished task vanished", plan(...before.tasks.slice(1)), "task 1.1 vanished from the plan"],
    ["its own task vanished", plan(task("1.1", { done: true }), task("1.3")), "task 1.2 vanished from the plan"],
    ["a task was added", plan(...before.tasks, task("9.9", { done: true })), "task 9.9 was added to the plan"],
    ["a task was doubled", plan(...before.tasks, task("1.3")), "task 1.3 was added to the plan"],
    [
      "a task was renamed",
      plan(...before.tasks.map((each) => (each.id === "1.3" ? { ...each, id: "1.9" } : each))),
      "task 1.3 was renamed to 1.9",
    ],
    ["a title changed", withTask("1.3", { title: "x" }), 'title of task 1.3 changed from "Task 1.3" to "x"'],
    [
      "a marker changed",
      withTask("1.3", { markers: ["P"] }),
      'title of task 1.3 changed from "Task 1.3" to "[P] Task 1.3"',
    ],
    [
      "a Do was dropped",
      withTask("1.3", { fields: { files: "src/1.3.ts", verify: "`npm test`" } }),
      'Do of task 1.3 changed from "Do 1.3" to nothing',
    ],
    ["a Do changed", withTask("1.3", fields("1.3", { do: "x" })), 'Do of task 1.3 changed from "Do 1.3" to "x"'],
    [
      "Files were dropped",
      withTask("1.3", { fields: { do: "Do 1.3", verify: "`npm test`" } }),
      'Files of task 1.3 changed from "src/1.3.ts" to nothing',
    ],
    [
      "a Verify was dropped",
      withTask("1.3", { fields: { do: "Do 1.3", files: "src/1.3.ts" } }),
      'Verify of task 1.3 changed from "`npm test`" to nothing',
    ],
    [
      "a Verify changed by a blank",
      withTask("1.3", fields("1.3", { verify: "`npm  test`" })),
      'Verify of task 1.3 changed from "`npm test`" to "`npm  test`"',
    ],
    [
      "the Verify of a finished task changed",
      withTask("1.1", fields("1.1", { verify: "`true`" })),
      'Verify of task 1.1 changed from "`npm test`" to "`true`"',
    ],
    [
      "its own title changed",
      withTask("1.2", { title: "Task 1.2 (done)" }),
      'title of task 1.2 changed from "Task 1.2" to "Task 1.2 (done)"',
    ],
    ["its own Do changed", withTask("1.2", fields("1.2", { do: "x" })), 'Do of task 1.2 changed from "Do 1.2" to "x"'],
    [
      "a Done when changed",
      withTask("1.3", fields("1.3", { doneWhen: "x" })),
      'Done when of task 1.3 changed from nothing to "x"',
    ],
    [
      "a Commit changed",
      withTask("1.3", fields("1.3", { commit: "x" })),
      'Commit of task 1.3 changed from nothing to "x"',
    ],
    [
      "its own Verify changed",
      withTask("1.2", fields("1.2", { verify: "`true`" })),
      'Verify of task 1.2 changed from "`npm test`" to "`true`"',
    ],
  ])("asks a person if %s", (_, after, reason) => {
    expect(judge(after)).toEqual({ kind: "undecided", reason });
  });

  it("accepts a step of another task that was ticked", () => {
    const steps = (box: string) =>
      plan(task("1.2"), task("1.3", fields("1.3", { do: `Both\n  - [${box}] 1.3.1 One` })));
    const result = judgeCheckmarks({
      task: own,
      beside: [],
      before: steps(" "),
      after: steps("x"),
      requireExecutorTick: false,
    });
    expect(result.kind).toBe("accepted");
  });

  it("treats other line endings in a Verify as the same command, but not missing ones", () => {
    const verify = (command: string) => plan(task("1.2"), task("1.3", fields("1.3", { verify: command })));
    const judgeLines = (lines: string) =>
      judgeCheckmarks({
        task: own,
        beside: [],
        before: verify("a\nb"),
        after: verify(lines),
        requireExecutorTick: false,
      });
    expect(judgeLines("a\r\nb").kind).toBe("accepted");
    expect(judgeLines("a\rb").kind).toBe("accepted");
    expect(judgeLines("ab").kind).toBe("undecided");
  });

  it("ignores the boxes of tasks worked on in parallel until their own turn", () => {
    const judgeBeside = (after: Plan) =>
      judgeCheckmarks({ task: own, beside: ["1.1", "1.3"], before, after, requireExecutorTick: false });
    expect(judgeBeside(withTask("1.2", { done: true })).kind).toBe("accepted");
    expect(judgeBeside(withTask("1.3", { done: true })).kind).toBe("accepted");
    expect(judgeBeside(withTask("1.1", { done: false })).kind).toBe("accepted");
  });

  it("truncates long changes", () => {
    expect(judge(withTask("1.3", { title: "😀".repeat(200) }))).toMatchObject({
      reason: `title of task 1.3 changed from "Task 1.3" to "${"😀".repeat(120)}…"`,
    });
    expect(judge(plan())).toMatchObject({ reason: expect.stringMatching(/; task 1\.3 vanished from the plan$/) });
    expect(judge(plan(...["a", "b"].map((id) => task(id))))).toMatchObject({
      reason:
        "task 1.1 vanished from the plan; task 1.2 vanished from the plan; task 1.3 vanished from the plan; and 2 more",
    });
  });
});

const ids = ["1.1", "1.2", "1.3", "1.10", "1.1.1"];
const plans = fc
  .array(fc.boolean(), { minLength: ids.length, maxLength: ids.length })
  .map((done) => plan(...ids.map((id, index) => task(id, { done: done[index] === true }))));

describe("judgeCheckmarks, for every two plans of the same tasks", () => {
  prop("I11 it accepts only earlier ticks and the task's own", [plans, plans, fc.boolean()], (was, is, strict) => {
    const { kind } = judgeCheckmarks({ task: own, beside: [], before: was, after: is, requireExecutorTick: strict });
    const others = was.tasks.every((each, index) => each.id === own.id || each.done || is.tasks[index]?.done === false);
    const self = !strict || is.tasks.some(({ id, done }) => id === own.id && done);
    expect(kind).toBe(others && self ? "accepted" : "rejected");
  });

  prop("I6 a missing task is neither accepted nor rejected", [plans, fc.nat({ max: ids.length - 1 })], (was, gone) => {
    const after = plan(...was.tasks.filter((_, index) => index !== gone));
    expect(judgeCheckmarks({ task: own, beside: [], before: was, after, requireExecutorTick: false }).kind).toBe(
      "undecided",
    );
  });
});
