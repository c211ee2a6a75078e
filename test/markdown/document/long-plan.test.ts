import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { findTask, taskAt, tasksOf } from "../../../src/markdown/document/find-task.ts";
import { applyEdit, openPlan, type PlanDocument, reopenPlan } from "../../../src/markdown/document/plan-document.ts";
import type { Task } from "../../../src/model/task.ts";
import { documents, pieces } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

const plain = (part: number, count: number) =>
  Array.from({ length: count }, (_, n) => `- [ ] ${part + 20}.${n} Task\n${n % 9 === 0 ? "\n## Part\n\n" : ""}`).join(
    "",
  );
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

describe("a long plan, for every text", () => {
  prop("equals a parse of the edited text after each edit", [longPlans, changes], (text, edits) => {
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
  });

  prop("finds each task by its index and its id", [longPlans, fc.nat()], (text, number) => {
    const document = openPlan(text);
    const { tasks } = document.plan;
    if (tasks.length === 0) return;
    const index = number % tasks.length;
    expect(taskAt(document, index)?.task).toBe(tasks[index]);
    const { id } = tasks[index] as { id: string };
    const same = tasks.filter((task) => task.id === id);
    const open = same.filter(({ done }) => !done);
    if (open.length < 2) expect(findTask(document, id).task).toBe(open[0] ?? same[0]);
    else expect(() => findTask(document, id)).toThrow(`found lines ${open[0]?.line} and ${open[1]?.line}`);
  });
});

describe("a long plan", () => {
  const line = (n: number) => `- [ ] 1.${n} Task\n`;
  const text = Array.from({ length: 1000 }, (_, n) => line(n + 1)).join("");

  it("keeps all chunks except those an edit changes", () => {
    const document = openPlan(text);
    const changed = (start: number, end: number, put: string): number[] => {
      const { chunks } = applyEdit(document, { start, end, text: put });
      return [...chunks.entries()].filter(([, chunk]) => !document.chunks.includes(chunk)).map(([index]) => index);
    };
    expect(changed(3, 4, "x")).toEqual([0]);
    const { start, end, box } = document.plan.tasks[500] as Task;
    expect(changed(box, box + 1, "x")).toEqual([500]);
    expect(changed(end, end, " again")).toEqual([500]);
    expect(changed(start, start, "- [ ] 2.1 New\n")).toEqual([500]);
    expect(changed(start, end + 1, "")).toEqual([]);
    expect(changed(end, end + 1, "")).toEqual([500]);
    expect(changed(text.length, text.length, "end")).toEqual([999]);
  });

  it("finds each task after edits everywhere", () => {
    let document = openPlan(Array.from({ length: 600 }, (_, n) => line(n + 1)).join(""));
    for (let n = 0; n < 20; n += 1) {
      const { task } = findTask(document, `1.${((n * 131) % 600) + 1}`);
      document = applyEdit(document, { start: task.end, end: task.end, text: ` again ${n}` });
    }
    for (const { id } of document.plan.tasks) expect(findTask(document, id).task.id).toBe(id);
  });

  it("joins the surroundings of a removed chunk", () => {
    const document = openPlan("- [ ] 1.1 One\n- [ ] 1.2 Two\n- [ ] 1.3 Three\n");
    const edited = applyEdit(document, { start: 14, end: 28, text: "" });
    expect(edited.plan.tasks.map(({ id }) => id)).toEqual(["1.1", "1.3"]);
  });

  it("grows and shrinks task by task", () => {
    let document = openPlan(text);
    for (let n = 1; n <= 990; n += 1) document = applyEdit(document, { start: 0, end: line(n).length, text: "" });
    expect(document.chunks).toHaveLength(10);
    for (let n = 990; n >= 1; n -= 1) document = applyEdit(document, { start: 0, end: 0, text: line(n) });
    expect(document.text).toBe(text);
    expect(document.chunks).toHaveLength(1000);
  });

  it("has no task after its last", () => {
    expect(taskAt(openPlan(text), 1000)).toBeUndefined();
    expect(taskAt(openPlan(text), -1)).toBeUndefined();
  });
});

describe("a plan of 10 000 tasks", () => {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-long-plan-"));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const bullets = [
    "Do**:\n    1. Add it\n    2. Test it",
    "Files**: `src/a.ts`",
    "Verify**: `npm test`",
    "Commit**: `feat: a`",
  ];
  const body = bullets.map((bullet) => `  - **${bullet}\n`).join("");
  const file = join(folder, "tasks.md");
  writeFileSync(file, Array.from({ length: 10_000 }, (_, n) => `- [ ] ${n + 1} Add part ${n + 1}\n${body}\n`).join(""));

  it("takes at most 300 MiB", () => {
    const before = process.memoryUsage().heapUsed;
    const { plan } = openPlan(readFileSync(file, "utf8"));
    expect(plan.tasks).toHaveLength(10_000);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(300 * 1024 * 1024);
  });
});
