import { describe, expect, it } from "vitest";
import { applyEdit, openPlan, type PlanDocument, reopenPlan } from "../../../src/markdown/document/plan-document.ts";

const chunksOf = ({ pages }: PlanDocument) => pages.flatMap(({ chunks }) => chunks);
const said = ({ plan }: PlanDocument) => plan.tasks.map(({ id, parent }) => [id, parent]);

describe("a part of a document that goes", () => {
  it("leaves the chunks around it as they are", () => {
    const text = "- [ ] 1 One\n- [ ] 2 Two\n- [ ] 3 Three\n";
    const document = openPlan(text);
    const [one, , three] = chunksOf(document);
    const edited = chunksOf(applyEdit(document, { start: 12, end: 24, text: "" }));
    expect(edited).toHaveLength(2);
    expect(edited[0]).toBe(one);
    expect(edited[1]).toBe(three);
  });

  it("leaves what stands behind it to the task before it where it is indented like a part of that", () => {
    const text = "- [ ] 1 One\n1. [ ] 2 Two\n  1. [ ] 3 Three\n";
    const document = openPlan(text);
    expect(said(document)).toEqual([
      ["1", null],
      ["2", null],
      ["3", null],
    ]);
    const nested = [
      ["1", null],
      ["3", "1"],
    ];
    expect(said(applyEdit(document, { start: 12, end: 25, text: "" }))).toEqual(nested);
    expect(said(reopenPlan(document, text.replace("1. [ ] 2 Two\n", "")))).toEqual(nested);
  });

  it("leaves what stands behind it to the start of the document, below a byte order mark", () => {
    const document = openPlan("\uFEFF- [ ] 1 One\n- [ ] 2 Two\n");
    const again = reopenPlan(document, "\uFEFF- [ ] 2 Two\n");
    expect(chunksOf(again).map((chunk) => chunk.text)).toEqual(["\uFEFF", "- [ ] 2 Two\n"]);
    expect(chunksOf(again)[1]).toBe(chunksOf(document)[2]);
  });
});

describe("a fence that an edit opens", () => {
  it("takes in all that follows, as far as it goes", () => {
    const tasks = Array.from({ length: 200 }, (_, n) => `- [ ] ${n} Task\n`).join("");
    const document = openPlan(`Words\n\n${tasks}`);
    const open = applyEdit(document, { start: 7, end: 7, text: "```\n" });
    expect(open.text).toBe(`Words\n\n\`\`\`\n${tasks}`);
    expect(open.plan.tasks).toEqual([]);
    const middle = open.text.indexOf("- [ ] 50 ");
    const closed = applyEdit(open, { start: middle, end: middle, text: "```\n" });
    expect(closed.plan.tasks.map(({ id }) => id)).toEqual(Array.from({ length: 150 }, (_, n) => String(n + 50)));
  });
});

describe("a task that comes before others of its title", () => {
  it("leaves all of them with an id of their own", () => {
    const one = "- [ ] One\n";
    const document = openPlan(one + one);
    expect(document.plan.tasks).toHaveLength(2);
    const ids = openPlan(one + one + one).plan.tasks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(applyEdit(document, { start: 0, end: 0, text: one }).plan.tasks.map(({ id }) => id)).toEqual(ids);
  });
});
