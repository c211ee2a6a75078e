import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { partsOf } from "../../src/model/plan-parts.ts";
import { findEdits } from "../../src/recover/judge-checkmarks.ts";

const plan = `Intro

- [ ] 1 First
  - Rule one
  - [ ] 1.1 Inner
    - Rule two
  - Rule three

Between

- [x] 2 Second
  - **Verify**: \`true\`
- [ ] 3 Third

After
`;
const before = openPlan(plan);
const edits = (text: string, given: Partial<Parameters<typeof findEdits>[0]> = {}) =>
  findEdits({ before, after: openPlan(text), own: new Set(["1.1"]), ...given });

describe("findEdits", () => {
  it.each([
    ["nothing", plan],
    ["boxes and white space", plan.replaceAll("[ ]", "[x]").replaceAll("\n", "  \r\n").replace("Intro", "Intro\n\n")],
    ["a rewrapped line", plan.replace("Rule one", "Rule\n    one")],
    ["the text of a finished task", plan.replace("2 Second", "2 Twice\n  - More")],
    ["a note in the own block", plan.replace("Rule two", "Rule two\n    - A note")],
    ["a note at the end", `${plan}\nA note\n`],
  ])("finds no edit in %s", (_what, text) => {
    expect(edits(text)).toEqual({ reason: null, lost: [] });
  });

  it.each([
    ["Intro", "Outro", 'text above task 1 changed from "Intro" to "Outro"'],
    ["Rule one", "Rule two", 'text of task 1 changed from "- Rule one" to "- Rule two"'],
    ["Rule one", "Rule one\n  - A note", 'text of task 1 changed from nothing to "- A note"'],
    ["Rule two", "Rule", 'text of task 1.1 changed from "- Rule two" to "- Rule"'],
    ["    - Rule two\n", "", 'text of task 1.1 changed from "- Rule two" to nothing'],
    ["Between", "Beside", 'text above task 2 changed from "Between" to "Beside"'],
    ["`true`", "`false`", 'Verify of task 2 changed from "`true`" to "`false`"'],
    ["After", "Before", 'text after the last task changed from "After" to "Before"'],
    [
      "  - Rule one\n",
      "  - Rule one\n  - Rule one\n",
      'text of task 1 changed from "- [ ] 1 First - Rule one" to "- [ ] 1 First - Rule one - Rule one"',
    ],
  ])("classifies the edit of %j", (from, to, reason) => {
    expect(edits(plan.replace(from, to))).toEqual({ reason, lost: [] });
  });

  it("finds a moved task", () => {
    const [third, fourth] = ["- [ ] 3 Third\n", "- [ ] 4 Fourth\n"];
    const known = openPlan(plan.replace(third, third + fourth));
    const after = openPlan(plan.replace(third, fourth + third));
    expect(findEdits({ before: known, after, own: new Set() })).toEqual({ reason: "task 4 was moved", lost: [] });
  });

  it("counts nested tasks once", () => {
    const known = openPlan(plan.replace("    - Rule two\n", "    - [ ] 1.1.1 Innermost\n"));
    const after = openPlan(known.text.replace("Rule one", "Rule 1"));
    const reason = 'text of task 1 changed from "- Rule one" to "- Rule 1"';
    expect(findEdits({ before: known, after, own: new Set() })).toEqual({ reason, lost: [] });
  });

  it("finds no edit in ticks of sub-tasks, or of checks before, in and after them", () => {
    const nested = openPlan("- [ ] 1 A\n  - [ ] a\n  - [ ] 1.1 B\n    - [ ] b\n  - [ ] c\n- [ ] 2 C\n");
    const ticked = openPlan(nested.text.replaceAll("[ ]", "[x]"));
    expect(findEdits({ before: nested, after: ticked, own: new Set(["2"]) })).toEqual({ reason: null, lost: [] });
    expect(partsOf(nested).get("1 0")?.text).toBe("- [ ] 1 A\n  - [ ] a\n  \n  - [ ] c");
  });

  it("names three edits, and counts the rest", () => {
    const text = plan
      .replace("Intro", "1st")
      .replace("Rule one", "2nd")
      .replace("Between", "3rd")
      .replace("After", "4th");
    expect(edits(text).reason).toMatch(/^text above task 1 .*; text of task 1 .*; text above task 2 .*; and 1 more$/);
  });

  it("permits changes of notes that executors added, but not of the planner's lines", () => {
    const noted = openPlan(plan.replace("Rule one", "Rule one\n  - A note"));
    const own = new Set(["3"]);
    const planned = new Map([["1 0", partsOf(before).get("1 0")?.text ?? ""]]);
    expect(findEdits({ before: noted, after: before, own }).reason).toContain("text of task 1 changed");
    expect(findEdits({ before: noted, after: before, own, planned }).reason).toBeNull();
    const other = openPlan(noted.text.replace("A note", "Another note"));
    expect(findEdits({ before: noted, after: other, own, planned }).reason).toContain('to "- Another note"');
    // An executor may rewrite the notes of its own task.
    expect(findEdits({ before: noted, after: other, own: new Set(["1"]), planned }).reason).toBeNull();
  });

  it("ignores tasks that the run itself was about to add", () => {
    const after = openPlan(plan.replace("- [ ] 3 Third", "- [ ] 9.1 New\n- [ ] 3 Third"));
    const edits = { before: openPlan(plan), after, own: new Set<string>() };
    expect(findEdits(edits).reason).toContain("task 9.1 was added");
    expect(findEdits({ ...edits, added: new Set(["9.1"]) }).reason).toBeNull();
  });

  it("reports missing tasks of the run separately", () => {
    const without = plan.replace("- [ ] 3 Third\n", "");
    expect(edits(without)).toEqual({ reason: "task 3 vanished from the plan", lost: [] });
    expect(edits(without, { isWritten: (id) => id === "3" })).toEqual({ reason: null, lost: ["3"] });
  });
});
