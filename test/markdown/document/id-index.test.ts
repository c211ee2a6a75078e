import { describe, expect, it } from "vitest";
import { findTask } from "../../../src/markdown/document/find-task.ts";
import { carryIndex, indexPages, pagesWith } from "../../../src/markdown/document/id-index.ts";
import { applyEdit, openPlan, type PlanDocument } from "../../../src/markdown/document/plan-document.ts";

const line = (n: number) => `- [ ] ${n} Task\n`;
const planOf = (count: number) => openPlan(Array.from({ length: count }, (_, n) => line(n)).join(""));

/** The document in which a task has another id. */
function rename(document: PlanDocument, id: string, other: string): PlanDocument {
  const { start } = findTask(document, id).task;
  return applyEdit(document, { start: start + 6, end: start + 6 + id.length, text: other });
}

const isKnown = (document: PlanDocument, id: string): boolean => {
  const { ids, pages } = document;
  return pagesWith(ids, pages, id).length > 0;
};

describe("an index of ids", () => {
  it("is carried over, but for the pages that have changed", () => {
    const before = planOf(600);
    const after = rename(before, "300", "9001");
    const index = indexPages(before.pages);
    const carried = carryIndex(index, before.pages, after.pages);
    expect(carried?.numbers).toBe(index.numbers);
    expect(carried?.changed).toEqual(pagesWith(index, before.pages, "300"));
  });

  it("is made anew once more than eight pages have changed", () => {
    let document = planOf(1280);
    let index = indexPages(document.pages);
    for (let page = 0; page < 8; page += 1) {
      const next = rename(document, `${page * 128}`, `${9000 + page}`);
      const carried = carryIndex(index, document.pages, next.pages);
      expect(carried?.changed).toHaveLength(page + 1);
      if (carried !== undefined) index = carried;
      document = next;
    }
    const again = rename(document, "9000", "8000");
    expect(carryIndex(index, document.pages, again.pages)?.changed).toHaveLength(8);
    expect(carryIndex(index, document.pages, rename(document, "1024", "9008").pages)).toBeUndefined();
  });

  it("knows the ids of pages that changed one after the other", () => {
    const document = rename(rename(planOf(600), "0", "9000"), "599", "9599");
    for (const id of ["9000", "9599", "1", "300"]) expect(isKnown(document, id)).toBe(true);
    for (const id of ["0", "599"]) expect(isKnown(document, id)).toBe(false);
    expect(findTask(document, "9000").index).toBe(0);
  });

  it("knows the ids when there are fewer pages, and when there are more", () => {
    const document = planOf(600);
    const text = document.text;
    expect(isKnown(document, "0")).toBe(true);
    const start = text.indexOf(line(100));
    const shorter = applyEdit(document, { start, end: text.indexOf(line(500)), text: "" });
    expect(shorter.pages.length).toBeLessThan(document.pages.length);
    expect(isKnown(shorter, "300")).toBe(false);
    for (const id of ["0", "99", "500", "599"]) expect(findTask(shorter, id).task.id).toBe(id);
    const longer = applyEdit(shorter, { start, end: start, text: text.slice(start, text.indexOf(line(500))) });
    for (const id of ["0", "99", "300", "599"]) expect(findTask(longer, id).index).toBe(Number(id));
  });

  it("knows the pages of an id in their order", () => {
    const index = { numbers: new Map([["1", [1, 3]]]), changed: [0, 2] };
    const [has, hasNot] = [openPlan("- [ ] 1 Task\n").pages, openPlan("- [ ] 2 Task\n").pages];
    expect(pagesWith(index, [...has, ...has, ...hasNot, ...has], "1")).toEqual([0, 1, 3]);
    expect(pagesWith(index, [...has, ...has, ...has, ...has], "1")).toEqual([0, 1, 2, 3]);
  });
});
