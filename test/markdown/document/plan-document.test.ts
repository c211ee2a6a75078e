import { describe, expect, it } from "vitest";
import { blockOf } from "../../../src/markdown/document/find-task.ts";
import {
  applyEdit,
  type Edit,
  openPlan,
  type PlanDocument,
  reopenPlan,
} from "../../../src/markdown/document/plan-document.ts";
import { tickEdits } from "../../../src/markdown/tick-task.ts";
import { documents } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";
import { saying } from "../../support/properties/saying.ts";

function edit(document: PlanDocument, start: number, end: number, text: string): PlanDocument {
  const edited = applyEdit(document, { start, end, text });
  expect(edited.text).toBe(`${document.text.slice(0, start)}${text}${document.text.slice(end)}`);
  expect(saying(edited)).toEqual(saying(openPlan(edited.text)));
  return edited;
}

function sharedChunks(before: PlanDocument, after: PlanDocument): number {
  const chunks = before.chunks;
  return after.chunks.filter((chunk) => chunks.includes(chunk)).length;
}

describe("a plan document, for every text", () => {
  prop("keeps every character in its chunks", [documents], (text) => {
    expect(
      openPlan(text)
        .chunks.map((chunk) => chunk.text)
        .join(""),
    ).toBe(text);
  });

  prop("equals a parse of the ticked text after ticks", [documents], (text) => {
    let document = openPlan(text);
    let edited = text;
    for (const { box, done } of document.plan.tasks) {
      const character = done ? " " : "x";
      edited = `${edited.slice(0, box)}${character}${edited.slice(box + 1)}`;
      document = applyEdit(document, { start: box, end: box + 1, text: character });
    }
    expect(document.text).toBe(edited);
    expect(saying(document)).toEqual(saying(openPlan(edited)));
  });

  prop("gives the source of each block", [documents], (text) => {
    const document = openPlan(text);
    const ids = document.plan.tasks.map(({ id }) => id);
    for (const { id, start, end } of document.plan.tasks) {
      if (ids.indexOf(id) === ids.lastIndexOf(id)) expect(blockOf(document, id)).toBe(text.slice(start, end));
    }
  });
});

describe("a plan document", () => {
  const text = "# Plan\n\n- [ ] 1.1 One\n\n- [ ] 1.2 Two\n\n- [ ] 1.3 Three\n";

  it("shares chunks that an edit does not touch", () => {
    const document = openPlan(text);
    const edited = applyEdit(document, { start: text.indexOf("Two"), end: text.indexOf("Two") + 3, text: "2" });
    const before = document.chunks;
    expect(edited.chunks.filter((chunk) => before.includes(chunk))).toHaveLength(3);
  });

  it("shares the chunks around an edit of whole chunks, or at its start", () => {
    const document = openPlan(text);
    const [start, end] = [text.indexOf("- [ ] 1.2"), text.indexOf("- [ ] 1.3")];
    expect(sharedChunks(document, edit(document, start, end, ""))).toBe(3);
    expect(sharedChunks(document, edit(document, start, end, "- [ ] 1.4 Four\n"))).toBe(3);
    expect(sharedChunks(document, edit(document, 0, 0, "Words\n\n"))).toBe(4);
  });

  it("keeps the names of tasks after a tick", () => {
    const document = openPlan("- [ ] One\n\n- [ ] 2 Two\n  - [ ] 2.1 Inner\n    note\n");
    expect(document.names).toHaveLength(1);
    expect(edit(document, 3, 4, "x").names).toBe(document.names);
  });

  it("determines phases again if a heading is renamed or moved to another level", () => {
    const document = openPlan("# Plan\n\n## One\n\n- [ ] 1.1 One\n\n### Two\n\n- [ ] 1.2 Two\n");
    const phasesOf = ({ plan }: PlanDocument) => plan.tasks.map(({ phase }) => phase);
    expect(phasesOf(document)).toEqual(["One", "Two"]);
    const named = edit(document, 11, 14, "Phase 1");
    expect(phasesOf(named)).toEqual(["Phase 1", "Phase 1"]);
    expect(phasesOf(edit(named, 8, 10, "###"))).toEqual(["Phase 1", "Two"]);
  });

  it("is the same document if reopened with the same text", () => {
    const document = openPlan(text);
    expect(reopenPlan(document, text)).toBe(document);
  });

  it("is the same document after an edit that changes nothing", () => {
    const document = openPlan(text);
    expect(applyEdit(document, { start: 9, end: 9, text: "" })).toBe(document);
  });

  it("is parsed again if its front matter changes", () => {
    const document = openPlan("---\na: 1\n---\n- [ ] 1.1 One\n");
    expect(applyEdit(document, { start: 0, end: 4, text: "" }).plan.tasks).toHaveLength(1);
    expect(reopenPlan(document, "---\na: 2\n---\n- [x] 1.1 One\n").plan.tasks[0]?.done).toBe(true);
  });

  it("keeps the chunks around a change when reopened", () => {
    const document = openPlan(text);
    const again = reopenPlan(document, text.replace("1.2 Two", "1.2 Zwei"));
    expect(again.chunks.filter((chunk) => document.chunks.includes(chunk))).toHaveLength(3);
    expect(again.plan.tasks.map(({ title }) => title)).toEqual(["One", "Zwei", "Three"]);
  });

  it("keeps the chunks around a removed part when reopened", () => {
    const document = openPlan(`${text}\n- [ ] 1.4 Four\n`);
    const again = reopenPlan(document, document.text.replace("- [ ] 1.2 Two\n\n", ""));
    expect(sharedChunks(document, again)).toBe(4);
    expect(again.plan.tasks.map(({ id }) => id)).toEqual(["1.1", "1.3", "1.4"]);
  });

  it.each([
    ["a number", "- [ ] 1.1 One\n"],
    ["no id", "- [ ] One\n"],
  ])("reads duplicates, and then one of them, when reopened: a task with %s", (_, task) => {
    const [once, twice] = [openPlan(task), openPlan(`${task}${task}`)];
    expect(saying(reopenPlan(once, twice.text))).toEqual(saying(twice));
    expect(saying(reopenPlan(twice, once.text))).toEqual(saying(once));
  });

  it("parses its first lines again if others come before them", () => {
    expect(reopenPlan(openPlan(`Intro\n\n${text}`), `Words\nIntro\n\n${text}`).chunks[0]?.text).toBe(
      "Words\nIntro\n\n",
    );
  });

  it("shares tasks without an id that an edit does not touch", () => {
    const unnamed = "- [ ] One\n\n- [ ] Two\n\n- [ ] One\n";
    const document = openPlan(unnamed);
    const [one, , again] = document.plan.tasks;
    const ticked = applyEdit(document, {
      start: unnamed.indexOf("] Two") - 1,
      end: unnamed.indexOf("] Two"),
      text: "x",
    });
    expect(ticked.plan.tasks.map((task) => task === one || task === again)).toEqual([true, false, true]);
    const renamed = applyEdit(document, { start: 6, end: 9, text: "Two" });
    const two = document.plan.tasks[1]?.id;
    expect(renamed.plan.tasks.map(({ id }) => id)).toEqual([two, `${two}b`, one?.id]);
  });

  it("parses the chunk before an edit again if it is no longer separate from the edited one", () => {
    const close = "- [ ] 1.1 One\n- [ ] 1.2 Two\n- [ ] 1.3 Three\n";
    const start = close.indexOf("- [ ] 1.2");
    const titles = (document: PlanDocument): string[] => document.plan.tasks.map(({ title }) => title);
    expect(titles(applyEdit(openPlan(close), { start, end: start + 6, text: "" }))).toEqual(["One 1.2 Two", "Three"]);
    expect(titles(reopenPlan(openPlan(close), close.replace("- [ ] 1.2", "1.2")))).toEqual(["One 1.2 Two", "Three"]);
  });

  it("continues a fence that is open at its end", () => {
    const open = "- [ ] 1.1 One\n\n```\n";
    expect(reopenPlan(openPlan(open), `${open}- [ ] 1.2 Two\n`).plan.tasks).toHaveLength(1);
    expect(applyEdit(openPlan(open), { start: 19, end: 19, text: "- [ ] 1.2 Two\n" }).plan.tasks).toHaveLength(1);
  });

  it("treats only an edit of the character in a box as a tick", () => {
    const box = text.indexOf("] 1.2") - 1;
    const idsOf = ({ plan }: PlanDocument) => plan.tasks.map(({ id }) => id);
    expect(idsOf(edit(openPlan(text), box, box, "x"))).toEqual(["1.1", "1.3"]);
    expect(idsOf(edit(openPlan(text), box, box + 2, "x"))).toEqual(["1.1", "1.3"]);
  });

  it("can be emptied", () => {
    const emptied = edit(openPlan(text), 0, text.length, "");
    expect(emptied.plan.tasks).toEqual([]);
    expect(reopenPlan(openPlan(text), "").text).toBe("");
    expect(edit(emptied, 0, 0, text).plan.tasks).toHaveLength(3);
    expect(reopenPlan(emptied, text).plan.tasks).toHaveLength(3);
  });

  it("parses the rest again if an edit opens or closes a fence", () => {
    const open = applyEdit(openPlan(text), { start: 8, end: 8, text: "```\n" });
    expect(open.plan.tasks).toEqual([]);
    const closed = applyEdit(open, { start: 12, end: 12, text: "```\n" });
    expect(closed.plan.tasks.map(({ id }) => id)).toEqual(["1.1", "1.2", "1.3"]);
  });

  it("joins chunks if the line ending between them is removed", () => {
    const document = openPlan(text);
    const start = text.indexOf("- [ ] 1.2") - 1;
    expect(applyEdit(document, { start: start - 1, end: start + 1, text: "" }).plan.tasks.map(({ id }) => id)).toEqual([
      "1.1",
      "1.3",
    ]);
  });

  it("can be filled from empty", () => {
    expect(applyEdit(openPlan(""), { start: 0, end: 0, text }).plan.tasks).toHaveLength(3);
    expect(reopenPlan(openPlan(""), text).plan.tasks).toHaveLength(3);
  });

  it("ticks a version after a later version was read", () => {
    const document = openPlan(text);
    expect(document.plan.tasks).toHaveLength(3);
    const [tick] = tickEdits(document, "1.2", true) as [Edit];
    expect(applyEdit(document, { start: 0, end: 0, text: "- [ ] 0.1 Zero\n" }).plan.tasks).toHaveLength(4);
    expect(applyEdit(document, tick).plan.tasks.map(({ id, done }) => `${id} ${done}`)).toEqual([
      ...["1.1 false", "1.2 true", "1.3 false"],
    ]);
  });

  it.each([
    [-1, 0],
    [2, 1],
    [0, 1000],
    [0.5, 1],
    [0, 1.5],
    [Number.NaN, 1],
  ])("refuses an edit from %d to %d", (start, end) => {
    expect(() => applyEdit(openPlan(text), { start, end, text: "x" })).toThrow(
      expect.objectContaining({ code: "edit-out-of-range" }),
    );
  });

  it("reports the range in which it can be edited", () => {
    expect(() => applyEdit(openPlan(text), { start: 3, end: 99, text: "x" })).toThrow(
      expect.objectContaining({
        message: "Cannot edit characters 3 to 99, expected a range within the 54 characters of the plan",
        hint: "Apply an edit to the document that it was made for.",
      }),
    );
  });
});

describe("a plan document with text before its markdown", () => {
  const task = "- [ ] 1.1 One\n";
  const placeOf = ({ plan }: PlanDocument) => plan.tasks.map(({ phase, line }) => ({ phase, line }));

  it.each([
    ["its first line", `--\na: 1\n---\n${task}`, 0, "-"],
    ["its first line after a byte order mark", `\uFEFF--\na: 1\n---\n${task}`, 2, "-"],
    ["its last line", `---\n# a comment\n--\n${task}`, 18, "-"],
    ["its last line after a byte order mark", `\uFEFF---\n# a comment\n--\n${task}`, 19, "-"],
    ["a word in it", `---\na: 1\n---\n${task}`, 8, "1"],
    ["the line ending after it", "---\na: 1\n---", 12, `\n${task}`],
  ])("finds no heading in front matter if an edit inserts %s", (_, text, at, inserted) => {
    expect(placeOf(edit(openPlan(text), at, at, inserted))).toEqual([{ phase: null, line: 4 }]);
  });

  it.each([
    ["front matter", "---\na: 1\n---\n"],
    ["a byte order mark", "\uFEFF"],
    ["a byte order mark and front matter", "\uFEFF---\na: 1\n---\n"],
  ])("shares chunks that an edit does not touch, after %s", (_, preamble) => {
    const document = openPlan(`${preamble}${preamble === "\uFEFF" ? "" : "---\n\n"}# Plan\n\n${task}- [ ] 1.2 Two\n`);
    const at = document.text.indexOf("Two");
    expect(sharedChunks(document, edit(document, at, at + 3, "2"))).toBe(document.chunks.length - 1);
    const again = reopenPlan(document, document.text.replace("Two", "2"));
    expect(sharedChunks(document, again)).toBe(document.chunks.length - 1);
  });
});
