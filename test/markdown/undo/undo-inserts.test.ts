import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdit, openPlan, type PlanDocument } from "../../../src/markdown/document/plan-document.ts";
import { insertFixTask } from "../../../src/markdown/insert-fix-task.ts";
import { applyChange, insertTasks } from "../../../src/markdown/insert-tasks.ts";
import { closedIn, closeTask, tickedIn, tickTask } from "../../../src/markdown/tick-task.ts";
import { withoutChange, withoutFixTask, withoutNote } from "../../../src/markdown/undo/undo-inserts.ts";
import type { PlanChange } from "../../../src/model/plan-change.ts";
import { planTexts } from "../../../src/testing/arbitraries.ts";
import { dialectPlans } from "../../support/dialect-arbitraries.ts";
import { fixTexts, plans } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";
import { attempt } from "../../support/properties/insert.ts";
import { pickTask } from "../../support/properties/saying.ts";
import { sampleFix } from "../../support/sample-fix.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;
const plan = lines("- [ ] 1.3 Parse", "  - **Do**: It", "", "- [ ] 1.4 Print", "  - **Do**: That");
const compact = lines("- [ ] 1.3 Parse", "- [ ] 1.4 Print");
const second = { ...sampleFix, id: "1.3.2" };
const part = (id: string) => ({ id, title: `Part ${id}`, markers: [], fields: { do: "It" } });
const split: PlanChange = { task: "1.3", place: "behind", tick: true, tasks: [part("1.3.1"), part("1.3.2")] };
const needed: PlanChange = { task: "1.4", place: "before", tasks: [part("1.3.9")] };
const first: PlanChange = { task: "1.3", place: "before", tasks: [part("1.1")] };

describe("withoutFixTask", () => {
  const undo = (text: string) => withoutFixTask(openPlan(text), sampleFix)?.text ?? null;

  it.each([
    ["plans with blank lines", plan],
    ["plans without blank lines", compact],
    ["several blank lines", plan.replaceAll("\n\n", "\n\n\n\n")],
    ["the last task", lines("- [ ] 1.3 Parse")],
    ["the last line, which has no ending", "- [ ] 1.3 Parse"],
    ["CRLF", plan.replaceAll("\n", "\r\n")],
  ])("restores the plan, whether the task is ticked or not: %s", (_, text) => {
    const inserted = insertFixTask(text, sampleFix);
    expect(undo(inserted)).toBe(text);
    expect(undo(tickTask(inserted, "1.3.1"))).toBe(text);
  });

  it("keeps later changes around it", () => {
    const change = (text: string) => `${text.replace("1.4 Print", "1.4 Print it twice")}\n## Notes\n`;
    expect(undo(change(insertFixTask(plan, sampleFix)))).toBe(change(plan));
  });

  it.each([
    ["someone has written in it", (text: string) => text.replace("Analyze", "I say: analyze")],
    ["someone has written below it", (text: string) => text.replace("\n\n- [ ] 1.4", "\n  - Mind it\n\n- [ ] 1.4")],
    ["someone has written above it", (text: string) => text.replace("- [ ] 1.3.1", "## Mine\n\n- [ ] 1.3.1")],
    ["the task that it repairs is gone", (text: string) => text.replace("- [ ] 1.3 Parse\n  - **Do**: It\n\n", "")],
  ])("is null if %s", (_, change) => {
    const inserted = insertFixTask(plan, sampleFix);
    expect(change(inserted)).not.toBe(inserted);
    expect(undo(change(inserted))).toBeNull();
  });
});

describe("withoutChange", () => {
  it.each([
    ["the parts of a task", plan, split, plan.replace("[ ] 1.3", "[x] 1.3")],
    ["the parts of a task in a plan without blank lines", compact, split, compact.replace("[ ]", "[x]")],
    ["a prerequisite of a task", plan, needed, plan],
    ["a prerequisite of the first task", compact, first, compact],
    ["a prerequisite of the first task, after a byte order mark", `\uFEFF${compact}`, first, `\uFEFF${compact}`],
  ])("removes the tasks, and keeps the tick: %s", (_, text, change, expected) => {
    const made = change.tasks.reduce((all, { id }) => tickTask(all, id), insertTasks(text, change));
    expect(withoutChange(openPlan(made), change)?.text).toBe(expected);
  });

  it("is null if one of the tasks was changed", () => {
    const changed = insertTasks(plan, split).replace("Part 1.3.2", "My part");
    expect(withoutChange(openPlan(changed), split)).toBeNull();
  });
});

describe("withoutNote", () => {
  const inserted = [sampleFix, second].reduce((text, fix) => insertFixTask(text, fix), plan);

  it("removes the note, and keeps the tick unchanged", () => {
    const closed = closeTask(inserted, "1.3.1", "1.3.2");
    const ticked = tickTask(inserted, "1.3.1");
    expect(withoutNote(openPlan(closed), "1.3.1", "1.3.2").text).toBe(ticked);
    expect(withoutNote(openPlan(tickTask(closed, "1.3.1", false)), "1.3.1", "1.3.2").text).toBe(inserted);
  });

  it.each([
    ["has none", inserted],
    ["is one line", lines("- [ ] 1.3.1 [FIX 1.3] Fix: boom", "- [ ] 1.4 Print")],
    ["has the note of another", closeTask(inserted, "1.3.1", "1.3.3")],
    ["has one that someone has changed", closeTask(inserted, "1.3.1", "1.3.2").replace("by**: ", "by**: mine and ")],
  ])("is the same document if the task %s", (_, text) => {
    const document = openPlan(text);
    expect(withoutNote(document, "1.3.1", "1.3.2")).toBe(document);
  });
});

describe("undoing the edits of a run", () => {
  type Undo = (plan: PlanDocument) => PlanDocument | null;
  const steps = fc.array(
    fc.record({ texts: fixTexts, which: fc.nat(20), ending: fc.constantFrom("open", "ticked", "closed") }),
    { minLength: 1, maxLength: 3 },
  );
  const tick = (document: PlanDocument, id: string): [PlanDocument, Undo] => {
    const ticked = tickedIn(document, id, true);
    return [ticked, (after) => (ticked === document ? after : tickedIn(after, id, false))];
  };

  prop(
    "I7: restores the plan byte for byte, however many fix tasks and ticks there are",
    [fc.oneof(planTexts(), dialectPlans), steps],
    (text, all) => {
      let document = openPlan(text);
      const undos: Undo[] = [];
      const make = ([after, undo]: readonly [PlanDocument, Undo]): void => {
        document = after;
        undos.unshift(undo);
      };
      for (const { texts, which, ending } of all) {
        const made = attempt(document, texts, which);
        if (typeof made === "string") continue;
        const { fix, task, edit } = made;
        make([applyEdit(document, edit), (after) => withoutFixTask(after, fix)]);
        if (ending === "closed") {
          make([closedIn(document, fix.id, "7.7.7"), (after) => withoutNote(after, fix.id, "7.7.7")]);
        }
        if (ending === "ticked") make(tick(document, fix.id));
        // A tick sets all boxes of the task, so an undo is exact only if all boxes were equal.
        const { box, boxes = [box] } = task;
        if (new Set(boxes.map((at) => document.text[at])).size === 1) make(tick(document, task.id));
      }
      const undone = undos.reduce<PlanDocument | null>((after, undo) => after && undo(after), document);
      expect(undone?.text).toBe(text);
    },
  );

  prop(
    "I7: restores every plan, except for a blank line that the next block may have needed",
    [plans, fixTexts, fc.nat(20), fc.boolean()],
    (text, texts, which, isClosed) => {
      const made = attempt(openPlan(text), texts, which);
      if (typeof made === "string") return;
      const { document, fix, edit } = made;
      const inserted = applyEdit(document, edit);
      const done = isClosed ? closedIn(inserted, fix.id, "7.7.7") : tickedIn(inserted, fix.id, true);
      const undone = withoutFixTask(withoutNote(done, fix.id, "7.7.7"), fix);
      const [blank = ""] = /(?:\r\n|\n|\r)?$/.exec(edit.text) as RegExpExecArray;
      expect([text, `${text.slice(0, edit.start)}${blank}${text.slice(edit.start)}`]).toContain(undone?.text);
    },
  );

  prop(
    "I7: restores the plan byte for byte after tasks requested by an executor",
    [
      fc.oneof(planTexts(), dialectPlans),
      fc.nat(20),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom<PlanChange["place"]>("before", "behind"),
    ],
    (text, which, count, place) => {
      const document = openPlan(text);
      const task = pickTask(document.plan.tasks, which);
      if (task === null) return;
      const tasks = Array.from({ length: count }, (_, index) => part(`${task.id}.${901 + index}`));
      const change: PlanChange = { task: task.id, place, tasks };
      expect(withoutChange(applyChange(document, change), change)?.text).toBe(text);
    },
  );
});
