import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdit, openPlan, readPlan } from "../../src/markdown/document/plan-document.ts";
import { insertFixTask } from "../../src/markdown/insert-fix-task.ts";
import { closedIn, closeEdits, closeTask } from "../../src/markdown/tick-task.ts";
import { InputError } from "../../src/model/errors.ts";
import { fixTexts, plans } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";
import { assertReadsInOnePiece } from "../support/properties/refresh.ts";
import { pickTask, saying } from "../support/properties/saying.ts";
import { sampleFix } from "../support/sample-fix.ts";
import { someCases } from "../support/some-cases.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;
const dialects = ["ralph-specum", "spec-kit", "kiro", "openspec", "checklist"] as const;
const textOf = (dialect: string): string => readFileSync(new URL(`plans/${dialect}.md`, import.meta.url), "utf8");
const note = "Superseded by";

function difference(before: string, after: string): readonly [string[], string[]] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  while (old.length > 0 && now.length > 0 && old[0] === now[0]) {
    old.shift();
    now.shift();
  }
  while (old.length > 0 && now.length > 0 && old.at(-1) === now.at(-1)) {
    old.pop();
    now.pop();
  }
  return [old, now];
}

describe("closeTask", () => {
  it("ticks a fix task, and names the superseding fix in the last line of its block", () => {
    const plan = lines(
      "- [ ] 1.3 Three",
      "  - **Verify**: npm test",
      "",
      "- [ ] 1.3.1 [FIX 1.3] Fix: boom",
      "  - **Do**: Address the error: boom",
      "    1. Analyze the failure: Mocked it",
      "  - **Commit**: `fix(parser): address test from task 1.3`",
      "",
      "- [ ] 1.3.2 [FIX 1.3] Fix: bang",
      "  - **Do**: Address the error: bang",
      "",
      "## Phase 2",
    );
    expect(closeTask(plan, "1.3.1", "1.3.2")).toBe(
      lines(
        "- [ ] 1.3 Three",
        "  - **Verify**: npm test",
        "",
        "- [x] 1.3.1 [FIX 1.3] Fix: boom",
        "  - **Do**: Address the error: boom",
        "    1. Analyze the failure: Mocked it",
        "  - **Commit**: `fix(parser): address test from task 1.3`",
        "  - **Superseded by**: 1.3.2",
        "",
        "- [ ] 1.3.2 [FIX 1.3] Fix: bang",
        "  - **Do**: Address the error: bang",
        "",
        "## Phase 2",
      ),
    );
  });

  it("notes on a skipped fix which task was done without it", () => {
    const plan = lines("- [x] 1.3 Three", "- [ ] 1.3.1 [FIX 1.3] Fix: boom");
    expect(closeTask(plan, "1.3.1", "1.3")).toBe(
      lines("- [x] 1.3 Three", "- [x] 1.3.1 [FIX 1.3] Fix: boom", "  - **Not needed for**: 1.3"),
    );
  });

  it.each([
    ["- [ ] 1.1 One\n  - **Do**: x\n", "- [x] 1.1 One\n  - **Do**: x\n  - **Superseded by**: 1.2\n"],
    ["* [ ] 1.1 One\n  * **Do**: x\n", "* [x] 1.1 One\n  * **Do**: x\n  * **Superseded by**: 1.2\n"],
    ["+ [ ] 1.1 One\n    + **Do**: x\n", "+ [x] 1.1 One\n    + **Do**: x\n    + **Superseded by**: 1.2\n"],
    ["1. [ ] 1.1 One\n   - **Do**: x\n", "1. [x] 1.1 One\n   - **Do**: x\n   - **Superseded by**: 1.2\n"],
    ["- [ ] 1.1 One\n  * **Do**: x\n", "- [x] 1.1 One\n  * **Do**: x\n  * **Superseded by**: 1.2\n"],
    ["-   [ ] 1.1 One\n    - **Do**: x\n", "-   [x] 1.1 One\n    - **Do**: x\n    - **Superseded by**: 1.2\n"],
    ["- [ ] 1.1 One", "- [x] 1.1 One\n  - **Superseded by**: 1.2"],
    ["- [ ] 1.1 One\n- [ ] 1.2 Two\n", "- [x] 1.1 One\n  - **Superseded by**: 1.2\n- [ ] 1.2 Two\n"],
    [
      "- [ ] 1 Group\n  - [ ] 1.1 One\n    - **Do**: x\n  - [ ] 1.2 Two\n",
      "- [ ] 1 Group\n  - [x] 1.1 One\n    - **Do**: x\n    - **Superseded by**: 1.2\n  - [ ] 1.2 Two\n",
    ],
  ])("writes the note with the bullet of the task, after the task's own fields: %j", (plan, expected) => {
    expect(closeTask(plan, "1.1", "1.2")).toBe(expected);
  });

  it.each([
    ["with CRLF", (text: string) => text.replaceAll("\n", "\r\n")],
    ["with CR", (text: string) => text.replaceAll("\n", "\r")],
    ["with a byte order mark and front matter", (text: string) => `\uFEFF---\na: b\n---\n${text}`],
    ["without an ending of the last line", (text: string) => text.trimEnd()],
  ])("changes no other byte %s", (_, change) => {
    const plan = lines("# Tasks", "", "- [ ] 1.1 One", "  - **Do**: x", "- [ ] 1.2 Two");
    const expected = lines(
      "# Tasks",
      "",
      "- [x] 1.1 One",
      "  - **Do**: x",
      "  - **Superseded by**: 1.2",
      "- [ ] 1.2 Two",
    );
    expect(closeTask(change(plan), "1.1", "1.2")).toBe(change(expected));
  });

  it.each(dialects)("closes a fix in a plan of %s, and nothing else", (dialect) => {
    for (const [at, ending] of ["\n", "\r\n"].entries()) {
      const plan = textOf(dialect).replaceAll("\n", ending);
      for (const { id } of someCases(readPlan(plan).tasks, 6, 3 * at)) {
        const [one, other] = [`${id}.901`, `${id}.902`];
        const begun = [one, other].reduce(
          (text, fix) => insertFixTask(text, { ...sampleFix, id: fix, fixOf: id, verify: "npm test" }),
          plan,
        );
        const closed = closeTask(begun, one, other);
        const ticked = begun.replace(new RegExp(`\\[ \\](?= \\**${one.replaceAll(".", "\\.")})`), "[x]");
        const [gone, added] = difference(ticked, closed);
        expect(gone).toEqual([]);
        expect(added).toHaveLength(1);
        expect(added[0]?.trim()).toMatch(new RegExp(`^[-*+] \\*\\*${note}\\*\\*: ${other.replaceAll(".", "\\.")}$`));
        const [before, after] = [readPlan(begun).tasks, readPlan(closed).tasks];
        expect(after.map((task) => [task.id, task.done])).toEqual(
          before.map((task) => [task.id, task.done || task.id === one]),
        );
        const block = after.find((task) => task.id === one);
        expect(closed.slice(block?.start, block?.end)).toContain(`${note}**: ${other}`);
        expect(closeTask(closed, one, other)).toBe(closed);
      }
    }
  });

  it("changes nothing if it is already closed", () => {
    const closed = closeTask("- [ ] 1.1 One\n  - **Do**: x\n", "1.1", "1.2");
    expect(closeTask(closed, "1.1", "1.2")).toBe(closed);
    expect(closeEdits(openPlan(closed), "1.1", "1.2")).toEqual([]);
    const document = openPlan(closed);
    expect(closedIn(document, "1.1", "1.2")).toBe(document);
  });

  it("completes a close that a kill interrupted, with only the note or only the tick", () => {
    const plan = "- [ ] 1.1 One\n  - **Do**: x\n- [ ] 1.2 Two\n";
    const closed = closeTask(plan, "1.1", "1.2");
    expect(closeTask(closed.replace("[x]", "[ ]"), "1.1", "1.2")).toBe(closed);
    expect(closeTask(plan.replace("[ ]", "[x]"), "1.1", "1.2")).toBe(closed);
  });

  it("makes each edit on the result of the one before", () => {
    const document = openPlan("- [ ] 1.1 One\n  - **Do**: x\n- [ ] 1.2 Two\n");
    const edits = closeEdits(document, "1.1", "1.2");
    expect(edits).toHaveLength(2);
    expect(edits.reduce(applyEdit, document).text).toBe(closeTask(document.text, "1.1", "1.2"));
  });

  it("only ticks if a field of another task would include the note", () => {
    const plan = lines("- [ ] 1.3 Add", "  - **Verify**: `Add`", "      - [ ] 7.7 nested with id", "- [ ] 1.4 Add");
    expect(closeTask(plan, "7.7", "7.8")).toBe(plan.replace("[ ] 7.7", "[x] 7.7"));
  });

  it("only ticks if the note would change how the plan is read", () => {
    const plan = "- [ ] 1.1 One\n  ```\n  open\n";
    const closed = closeTask(plan, "1.1", "1.2");
    expect(readPlan(closed).tasks).toMatchObject([{ id: "1.1", done: true }]);
    expect(closed.replace("[x]", "[ ]").startsWith("- [ ] 1.1 One\n")).toBe(true);
  });

  it.each([
    ["- [ ] 1.1 One\n", "task-not-found"],
    ["- [ ] 1.2 One\n- [ ] 1.2 Again\n", "ambiguous-task"],
  ])("refuses a task that is missing or duplicate: %j", (plan, code) => {
    expect(() => closeTask(plan, "1.2", "1.3")).toThrow(expect.objectContaining({ code }));
  });
});

describe("closeTask, in every plan", () => {
  const cases: [fc.Arbitrary<string>, fc.Arbitrary<number>] = [plans, fc.nat(20)];

  prop(
    "I6, I7: ticks its boxes and adds one line in the block of the task, and changes no other byte",
    cases,
    (text, which) => {
      const document = openPlan(text);
      const task = pickTask(document.plan.tasks, which);
      if (task === null) return;
      const { box, boxes = [box] } = task;
      const closed = closeTask(text, task.id, "7.7.7");
      const edits = closeEdits(document, task.id, "7.7.7");
      const after = edits.reduce(applyEdit, document);
      expect(after.text).toBe(closed);
      expect(saying(openPlan(closed))).toEqual(saying(after));
      assertReadsInOnePiece(openPlan(closed));
      const [first, ...others] = edits;
      const added = first !== undefined && first.start === first.end ? first : null;
      if (added !== null) {
        expect([added.start, others.length <= boxes.length]).toEqual([task.end, true]);
        expect(added.text).toMatch(/^(?:\r\n|\n|\r)[^\r\n]*\*\*Superseded by\*\*: 7\.7\.7$/);
      }
      const end = task.end + (added?.text.length ?? 0);
      const without = `${closed.slice(0, task.end)}${closed.slice(end)}`;
      const open = boxes.filter((at) => !/[xX]/.test(text.charAt(at)));
      expect(without).toBe(open.reduce((all, at) => `${all.slice(0, at)}x${all.slice(at + 1)}`, text));
      // Fields of the task and its parents may contain boxes that the tick changes.
      const undone = (each: (typeof document.plan.tasks)[number]) => [
        ...[each.id, each.title, each.fixOf],
        boxes.length > 1 && each.start <= task.start && task.start < each.end ? {} : each.fields,
      ];
      expect(after.plan.tasks.map(undone)).toEqual(document.plan.tasks.map(undone));
      expect(after.plan.tasks.map(({ done }) => done)).toEqual(
        document.plan.tasks.map((each) => each.done || each.start === task.start),
      );
      expect(closeTask(closed, task.id, "7.7.7")).toBe(closed);
    },
  );

  prop(
    "a fix written by fixpoint gets its note, unless it is inside another task",
    [plans, fixTexts, fc.nat(20)],
    (text, texts, which) => {
      const task = pickTask(openPlan(text).plan.tasks, which);
      if (task === null) return;
      const fix = { ...texts, id: `${task.id}.901`, fixOf: task.id };
      let made: string;
      try {
        made = insertFixTask(text, fix);
      } catch (error) {
        if (error instanceof InputError) return;
        throw error;
      }
      const closed = closeTask(made, fix.id, `${task.id}.902`);
      const { tasks } = openPlan(closed).plan;
      const block = tasks.find(({ id }) => id === fix.id);
      expect(block?.done).toBe(true);
      const { start = 0, end = 0 } = block ?? {};
      if (tasks.some((other) => other.start < start && other.end >= end)) return;
      expect(closed.slice(start, end).endsWith(`**${note}**: ${task.id}.902`)).toBe(true);
    },
  );
});
