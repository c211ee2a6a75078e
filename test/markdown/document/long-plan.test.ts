import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTask, taskAt, tasksOf } from "../../../src/markdown/document/find-task.ts";
import {
  applyEdit,
  byteOffset,
  openPlan,
  type PlanDocument,
  reopenPlan,
} from "../../../src/markdown/document/plan-document.ts";
import { documents, pieces } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

const plain = (part: number, count: number) =>
  Array.from({ length: count }, (_, n) => `- [ ] ${part + 20}.${n} Task\n${n % 9 === 0 ? "\n## Part\n\n" : ""}`).join(
    "",
  );
/** Plans of several pages: plans of all shapes with plain tasks between them. */
const longPlans = fc
  .array(fc.tuple(documents, fc.integer({ min: 20, max: 150 })), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.map(([text, count], part) => `${text}\n${plain(part, count)}\n`).join(""));
const changes = fc.array(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.oneof(fc.nat(40), fc.nat(3_000)), pieces),
  { minLength: 1, maxLength: 6 },
);

const saying = ({ plan, text }: PlanDocument) => ({
  text,
  tasks: plan.tasks.map(({ id, parent, phase, line, start, end, box, done }) =>
    [id, parent, phase, line, start, end, box, done].join("|"),
  ),
  phases: plan.phases,
});

describe("a plan of many pages, for every text", () => {
  prop("says after each edit what the edited text says", [longPlans, changes], (text, edits) => {
    let document = openPlan(text);
    let edited = text;
    for (const [place, deleted, inserted] of edits) {
      const start = Math.floor(place * edited.length);
      const end = Math.min(edited.length, start + deleted);
      edited = `${edited.slice(0, start)}${inserted}${edited.slice(end)}`;
      document = applyEdit(document, { start, end, text: inserted });
    }
    const fresh = openPlan(edited);
    expect(saying(document)).toEqual(saying(fresh));
    expect(saying(reopenPlan(openPlan(text), edited))).toEqual(saying(fresh));
    for (const [index, task] of document.plan.tasks.entries()) {
      const same = document.plan.tasks.filter(({ id }) => id === task.id);
      if (index % 29 === 0) expect(tasksOf(document, task.id).map((place) => place.task)).toEqual(same);
    }
    expect(byteOffset(document, edited.length)).toBe(new TextEncoder().encode(edited).length);
  });

  prop("finds each task by its index and its id", [longPlans, fc.nat()], (text, number) => {
    const document = openPlan(text);
    const { tasks } = document.plan;
    if (tasks.length === 0) return;
    const index = number % tasks.length;
    expect(taskAt(document, index)?.task).toBe(tasks[index]);
    const { id } = tasks[index] as { id: string };
    const same = tasks.filter((task) => task.id === id);
    if (same.length === 1) expect(findTask(document, id)).toMatchObject({ task: same[0], index });
    else expect(() => findTask(document, id)).toThrow(`lines ${same[0]?.line} and ${same[1]?.line} have it`);
  });
});

describe("a plan of many pages", () => {
  const line = (n: number) => `- [ ] 1.${n} Task\n`;
  const text = Array.from({ length: 1000 }, (_, n) => line(n + 1)).join("");

  it("keeps all pages but those an edit touches", () => {
    const document = openPlan(text);
    const edited = applyEdit(document, { start: 3, end: 4, text: "x" });
    expect(edited.pages.slice(1)).toEqual(document.pages.slice(1));
    expect(edited.pages[1]).toBe(document.pages[1]);
  });

  it("finds each task behind edits of many pages", () => {
    let document = openPlan(Array.from({ length: 3000 }, (_, n) => line(n + 1)).join(""));
    for (let page = 0; page < 40; page += 1) {
      const { task } = findTask(document, `1.${((page * 131) % 3000) + 1}`);
      document = applyEdit(document, { start: task.end, end: task.end, text: ` again ${page}` });
    }
    for (const { id } of document.plan.tasks) expect(findTask(document, id).task.id).toBe(id);
  });

  it("joins what stands around a chunk that is taken out", () => {
    const document = openPlan("- [ ] 1.1 One\n- [ ] 1.2 Two\n- [ ] 1.3 Three\n");
    const edited = applyEdit(document, { start: 14, end: 28, text: "" });
    expect(edited.plan.tasks.map(({ id }) => id)).toEqual(["1.1", "1.3"]);
  });

  it("keeps its pages of a size when tasks go and come", () => {
    let document = openPlan(text);
    for (let n = 1; n <= 990; n += 1) document = applyEdit(document, { start: 0, end: line(n).length, text: "" });
    expect(document.pages).toHaveLength(1);
    for (let n = 990; n >= 1; n -= 1) document = applyEdit(document, { start: 0, end: 0, text: line(n) });
    expect(document.text).toBe(text);
    expect(Math.max(...document.pages.map(({ chunks }) => chunks.length))).toBeLessThanOrEqual(256);
    expect(document.pages.length).toBeLessThanOrEqual(16);
  });

  it("has no task behind its last", () => {
    expect(taskAt(openPlan(text), 1000)).toBeUndefined();
    expect(taskAt(openPlan(text), -1)).toBeUndefined();
  });
});
