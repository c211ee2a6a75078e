import { describe, expect, it } from "vitest";
import { applyEdit, openPlan, type PlanDocument } from "../../../src/markdown/document/plan-document.ts";
import { proveInsert } from "../../../src/markdown/insert/prove-insert.ts";
import type { Task } from "../../../src/model/task.ts";

// Makes the plan long enough for `proveInsert` to skip unchanged parts.
const ahead = Array.from({ length: 300 }, (_, index) => `- [ ] 0.${index + 1} Task\n`).join("");
const before = `# Plan

${ahead}

## Phase 1

- [ ] 1.1 [P] First
  - **Do**: a
  - [ ] 1.1a Inner
- [x] 1.2 Second
  - **Do**: b
  - **Verify**: \`c\`

## Phase 2

- [ ] 2.1 Third
  - **Do**: d
`;
const block = "- [ ] 1.1.1 [FIX 1.1] Mend\n  - **Do**: e\n";
const start = before.indexOf("- [x] 1.2");
const wanted = before.slice(0, start) + block + before.slice(start);
const { id, markers, title, fields } = openPlan(wanted).plan.tasks[302] as Task;
const intended = { id, markers, title, fields, start, end: start + block.length - 1 };

function edited(document: PlanDocument, text: string): PlanDocument {
  const shorter = Math.min(before.length, text.length);
  let from = 0;
  while (from < shorter && before[from] === text[from]) from += 1;
  let behind = 0;
  while (behind < shorter - from && before.at(-1 - behind) === text.at(-1 - behind)) behind += 1;
  const edit = { start: from, end: before.length - behind, text: text.slice(from, text.length - behind) };
  const after = applyEdit(document, edit);
  expect(after.text).toBe(text);
  return after;
}

function isProven(text: string, part: Partial<typeof intended> = {}, depth = 0): boolean {
  const document = openPlan(before);
  const edit = { start, end: start, text: block };
  return proveInsert(document, edited(document, text), edit, { depth }, [{ ...intended, ...part }]);
}

describe("proveInsert", () => {
  it("I6: accepts the intended edit", () => {
    expect(isProven(wanted)).toBe(true);
    expect(isProven(wanted, { fields: { ...fields, do: "e" } })).toBe(true);
  });

  it.each([
    ["nothing is added", block, ""],
    ["it is added twice", block, block + block],
    ["another task is added as well", block, `${block}- [ ] 1.9 Other\n`],
    ["another task is added at the end", "  - **Do**: d\n", "  - **Do**: d\n- [ ] 2.9 Other\n"],
    ["a task is gone", "  - [ ] 1.1a Inner\n", ""],
    ["the last task is gone", "- [ ] 2.1 Third\n  - **Do**: d\n", ""],
    ["it is one line lower", block, `\n${block}`],
    ["it is longer", "**Do**: e\n", "**Do**: e\n  and more\n"],
    ["it is in another task", block, `${block.replace(/^/gm, "  ").trimEnd()}\n`],
    ["it has another id", "1.1.1 [FIX", "1.1.7 [FIX"],
    ["it has another title", "Mend", "Bend"],
    ["it is ticked", "[ ] 1.1.1", "[x] 1.1.1"],
    ["it is for another task", "[FIX 1.1]", "[FIX 1.2]"],
    ["it has one marker more", "[FIX 1.1] Mend", "[FIX 1.1] [P] Mend"],
    ["its field says something else", "**Do**: e", "**Do**: f"],
    ["its field has another name", "**Do**: e", "**To**: e"],
    ["a heading says something else", "## Phase 1", "## Phase 3"],
    ["a heading has another level", "## Phase 1", "### Phase"],
    ["a heading is no longer a heading", "## Phase 1", "-- Phase 1"],
    ["a task before it has another id", "1.1 [P]", "1.4 [P]"],
    ["a task before it has another title", "First", "Fifth"],
    ["a task before it has another marker", "[P] First", "[Q] First"],
    ["a task before it is ticked", "[ ] 1.1 [P]", "[x] 1.1 [P]"],
    ["a task before it has another field", "**Do**: a", "**Do**: z"],
    ["a task inside one is not any more", "  - [ ] 1.1a Inner", "- [ ]   1.1a Inner"],
    ["a later task has another id", "1.2 Second", "1.3 Second"],
    ["a later task has another title", "Second", "Sacond"],
    ["a later task is open", "[x] 1.2", "[ ] 1.2"],
    ["a later task has another field", "**Do**: b", "**Do**: z"],
    ["a later task has one field less", "**Verify**: `c`", "*Verify*:   `c`"],
    ["a later task ends later", "**Verify**: `c`\n", "**Verify**: `c`\n\n  d\n"],
    ["a later task is one line lower", "- [x] 1.2", "\n- [x] 1.2"],
    ["a later task has its box at another place", "- [x] 1.2", "-  [x] 1.2"],
    ["a task after a heading has another field", "**Do**: d", "**Do**: z"],
  ])("I6, I7: refuses it if %s", (_, from, to) => {
    expect(wanted).toContain(from);
    expect(isProven(wanted.replace(from, to))).toBe(false);
  });

  it.each([
    ["start", { start: start + 1 }],
    ["end", { end: start }],
    ["id", { id: "1.1.2" }],
    ["title", { title: "Other" }],
    ["markers", { markers: [] }],
    ["number of markers", { markers: [...markers, "P"] }],
    ["number of fields", { fields: { ...fields, verify: "true" } }],
    ["fields", { fields: { ...fields, do: "f" } }],
    ["names of fields", { fields: { files: "e" } }],
  ])("I6: refuses it with another %s than intended", (_, part) => {
    expect(isProven(wanted, part)).toBe(false);
  });

  it("I6: refuses it at another depth than intended", () => {
    expect(isProven(wanted, {}, 1)).toBe(false);
  });

  describe("of two tasks inside another", () => {
    const blocks = ["  - [ ] 1.1b Next\n", "  - [ ] 1.1c Last\n"];
    const behind = start - 1;
    const edit = { start: behind, end: behind, text: `\n${blocks.join("").trimEnd()}` };
    const inside = before.slice(0, behind) + edit.text + before.slice(behind);
    const tasks = blocks.map((text, index) => {
      const { id: own, markers: none, title: words, fields: said } = openPlan(inside).plan.tasks[302 + index] as Task;
      const at = inside.indexOf(text);
      return { id: own, markers: none, title: words, fields: said, start: at + 2, end: at + text.length - 1 };
    });
    const isTaken = (text: string, wishes = tasks): boolean => {
      const document = openPlan(before);
      return proveInsert(document, edited(document, text), edit, { depth: 1 }, wishes);
    };

    it("I6: accepts the intended edit, by which the outer task has grown", () => {
      expect(isTaken(inside)).toBe(true);
    });

    it.each([
      ["one of them has another title", "Last", "Lost"],
      ["one of them is outside", blocks[1] as string, "- [ ] 1.1c   Last\n"],
      ["the outer task has another title", "First", "Fifth"],
      ["the next task is at another place", "- [x] 1.2", "\n- [x] 1.2"],
      ["something else is inside as well", blocks[1] as string, `${blocks[1]}    more\n`],
    ])("I6, I7: refuses them if %s", (_, from, to) => {
      expect(inside).toContain(from);
      expect(isTaken(inside.replace(from, to))).toBe(false);
    });

    it("I6: refuses them if one differs from the intended task", () => {
      expect(isTaken(inside, [tasks[0], { ...tasks[1], title: "Other" }] as typeof tasks)).toBe(false);
    });
  });

  it("I6: accepts a task before a nested one", () => {
    const text = "  - [ ] 1.1z New\n";
    const at = before.indexOf("  - [ ] 1.1a");
    const inside = before.slice(0, at) + text + before.slice(at);
    const { id: own, markers: none, title: words, fields: said } = openPlan(inside).plan.tasks[301] as Task;
    const meant = { id: own, markers: none, title: words, fields: said, start: at + 2, end: at + text.length - 1 };
    const document = openPlan(before);
    const edit = { start: at, end: at, text };
    expect(proveInsert(document, edited(document, inside), edit, { depth: 1 }, [meant])).toBe(true);
  });

  it("accepts a field of several lines with any line endings", () => {
    const lines = wanted.replace("**Do**: e", "**Do**: e\n    f");
    const longer = { end: intended.end + "\n    f".length };
    const told = openPlan(lines).plan.tasks[302]?.fields.do ?? "";
    expect(told).toContain("\n");
    const edit = { start, end: start, text: block.replace("**Do**: e", "**Do**: e\n    f") };
    const proven = (text: string): boolean =>
      proveInsert(openPlan(before), openPlan(lines), edit, { depth: 0 }, [
        { ...intended, ...longer, fields: { ...fields, do: text } },
      ]);
    expect(proven(told)).toBe(true);
    expect(proven(told.replaceAll("\n", "\r\n"))).toBe(true);
    expect(proven(told.replaceAll("\n", " "))).toBe(false);
  });
});
