import { describe, expect, it } from "vitest";
import { findTask } from "../../../src/markdown/document/find-task.ts";
import { applyEdit, openPlan } from "../../../src/markdown/document/plan-document.ts";
import { generatedId } from "../../../src/markdown/tasks/generated-id.ts";

const line = (n: number) => (n % 3 === 0 ? `- [ ] ${n} Task\n` : `- [ ] Task no. ${n}\n`);
const text = `# Alpha 1\n\nab\n\n${Array.from({ length: 400 }, (_, n) => `${n === 20 ? "## Part\n" : ""}${line(n)}`).join("")}`;

/** The tasks before and after an edit, in a plan that was looked at before it. */
function tasksAround(part: string, other: string) {
  const document = openPlan(text);
  const before = document.plan.tasks;
  const start = text.indexOf(part);
  const edited = applyEdit(document, { start, end: start + part.length, text: other });
  const after = edited.plan.tasks;
  const again = openPlan(text.replace(part, other)).plan.tasks;
  expect(after.map((task) => ({ ...task }))).toEqual(again.map((task) => ({ ...task })));
  return { before, after, edited };
}

describe("the tasks of many pages", () => {
  it("have the ids that are written, or else made from their titles", () => {
    const ids = Array.from({ length: 400 }, (_, n) => (n % 3 === 0 ? `${n}` : generatedId(`Task no. ${n}`)));
    expect(openPlan(text).plan.tasks.map(({ id }) => id)).toEqual(ids);
  });
});

describe("the tasks of pages that an edit does not touch", () => {
  it("are the same objects when nothing moves them", () => {
    const { before, after } = tasksAround("- [ ] 0 Task", "- [x] 0 Task");
    expect(after.map((task, index) => task === before[index])).toEqual(before.map((_, index) => index !== 0));
  });

  it.each([
    ["are placed further behind", "Alpha 1", "Alphabet 1"],
    ["are placed on other lines", "ab", "\n\n"],
    ["get other ids when a title before them becomes like theirs", "no. 1\n", "no. 398\n"],
    ["get other ids when a title of that length before them becomes like theirs", "no. 298\n", "no. 398\n"],
    ["are in another phase when its heading is another", "## Part", "## Pert"],
    ["are in another phase when the heading above them begins none any more", "# Alpha 1", "# Phase 1"],
  ])("%s", (_, part, other) => {
    const { after, edited } = tasksAround(part, other);
    const last = after.at(-1);
    expect(findTask(edited, last?.id as string).task).toEqual(last);
  });
});

describe("the tasks behind an insertion", () => {
  it("have the fields that stand below them, whether these were read before or not", () => {
    const fields = "  - **Do**: Write it\n  - **Files**: a.ts\n";
    const plan = Array.from({ length: 300 }, (_, n) => `- [ ] ${n} Task\n${n % 2 === 0 ? fields : ""}`).join("\n");
    const nested = `${plan}- [ ] 300 Task\n  - **Do**: Write it\n  - [ ] 300.1 Part\n`;
    const at = nested.lastIndexOf("[ ]") + 1;
    const document = applyEdit(openPlan(nested), { start: at, end: at + 1, text: "x" });
    expect(document.plan.tasks).toHaveLength(302);
    const edit = { start: 0, end: 0, text: "- [ ] 0.0 More\n\n" };
    const { tasks } = applyEdit(document, edit).plan;
    expect(tasks.map((task) => ({ ...task }))).toEqual(
      openPlan(`${edit.text}${document.text}`).plan.tasks.map((task) => ({ ...task })),
    );
  });
});
