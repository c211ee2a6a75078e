import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyEdit,
  blockOf,
  byteOffset,
  openPlan,
  type PlanDocument,
  reopenPlan,
} from "../../src/markdown/plan-document.ts";
import { readInOnePiece } from "../support/full-reading.ts";
import { documents, pieces } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";

const edits = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(40), pieces), {
  minLength: 1,
  maxLength: 4,
});

/** Everything a document says, in a form that can be compared. */
function saying({ plan, chunks }: PlanDocument) {
  const depths = chunks.flatMap(({ tasks }) => tasks.map(({ depth }) => depth));
  return {
    tasks: plan.tasks.map(({ fields, ...task }, index) => ({ ...task, depth: depths[index], fields: { ...fields } })),
    phases: plan.phases,
    problems: plan.problems,
  };
}

describe("a plan document, for every text", () => {
  prop("reads in chunks what it reads in one piece", [documents], (text) => {
    const document = openPlan(text);
    const whole = readInOnePiece(text);
    const found = saying(document);
    expect(found.tasks.map(({ id, fixOf, ...task }) => task)).toEqual(whole.tasks.map(({ id, ...task }) => task));
    expect(found.tasks.map(({ id }) => id)).toEqual(whole.tasks.map(({ id }, index) => id ?? found.tasks[index]?.id));
    const oddities = found.problems.filter(({ rule }) => rule === "near-miss-task" || rule === "open-fence");
    const order = (a: { line: number; rule: string }, b: { line: number; rule: string }) =>
      a.line - b.line || a.rule.localeCompare(b.rule);
    expect(oddities.map(({ rule, line }) => ({ rule, line })).sort(order)).toEqual(whole.oddities.sort(order));
  });

  prop("keeps every character in its chunks", [documents], (text) => {
    expect(
      openPlan(text)
        .chunks.map((chunk) => chunk.text)
        .join(""),
    ).toBe(text);
  });

  prop("says after an edit what the edited text says", [documents, edits], (text, changes) => {
    let document = openPlan(text);
    let edited = text;
    for (const [place, deleted, inserted] of changes) {
      const start = Math.floor(place * edited.length);
      const end = Math.min(edited.length, start + deleted);
      edited = `${edited.slice(0, start)}${inserted}${edited.slice(end)}`;
      document = applyEdit(document, { start, end, text: inserted });
      expect(document.text).toBe(edited);
      expect(saying(document)).toEqual(saying(openPlan(edited)));
    }
  });

  prop("says after being opened again what the other text says", [documents, edits], (text, changes) => {
    let edited = text;
    for (const [place, deleted, inserted] of changes) {
      const start = Math.floor(place * edited.length);
      edited = `${edited.slice(0, start)}${inserted}${edited.slice(start + deleted)}`;
    }
    const document = reopenPlan(openPlan(text), edited);
    expect(document.text).toBe(edited);
    expect(saying(document)).toEqual(saying(openPlan(edited)));
  });

  prop("counts bytes like an encoder", [documents, fc.double({ min: 0, max: 1, noNaN: true })], (text, place) => {
    const offset = Math.floor(place * text.length);
    expect(byteOffset(openPlan(text), offset)).toBe(new TextEncoder().encode(text.slice(0, offset)).length);
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

  it("shares the chunks that an edit does not touch", () => {
    const document = openPlan(text);
    const edited = applyEdit(document, { start: text.indexOf("Two"), end: text.indexOf("Two") + 3, text: "2" });
    expect(edited.chunks.filter((chunk) => document.chunks.includes(chunk))).toHaveLength(3);
    expect(edited.plan.tasks[0]).toBe(document.plan.tasks[0]);
  });

  it("is the same document when opened again with the same text", () => {
    const document = openPlan(text);
    expect(reopenPlan(document, text)).toBe(document);
  });

  it("is the same document after an edit that changes nothing", () => {
    const document = openPlan(text);
    expect(applyEdit(document, { start: 9, end: 9, text: "" })).toBe(document);
  });

  it("is read anew when its front matter changes", () => {
    const document = openPlan("---\na: 1\n---\n- [ ] 1.1 One\n");
    expect(applyEdit(document, { start: 0, end: 4, text: "" }).plan.tasks).toHaveLength(1);
    expect(reopenPlan(document, "---\na: 2\n---\n- [x] 1.1 One\n").plan.tasks[0]?.done).toBe(true);
  });

  it("counts the bytes of characters of every length", () => {
    expect([0, 1, 2, 3, 5, 6].map((offset) => byteOffset(openPlan("aé任👍\ud800"), offset))).toEqual([
      0, 1, 3, 6, 10, 13,
    ]);
  });

  it("keeps what stands around a change when opened again", () => {
    const document = openPlan(text);
    const again = reopenPlan(document, text.replace("1.2 Two", "1.2 Zwei"));
    expect(again.chunks.filter((chunk) => document.chunks.includes(chunk))).toHaveLength(3);
    expect(again.plan.tasks.map(({ title }) => title)).toEqual(["One", "Zwei", "Three"]);
  });

  it("reads its first lines anew when others come before them", () => {
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

  it("reads the chunk before an edit anew when the edited one is no longer apart from it", () => {
    const close = "- [ ] 1.1 One\n- [ ] 1.2 Two\n- [ ] 1.3 Three\n";
    const start = close.indexOf("- [ ] 1.2");
    const titles = (document: PlanDocument): string[] => document.plan.tasks.map(({ title }) => title);
    expect(titles(applyEdit(openPlan(close), { start, end: start + 6, text: "" }))).toEqual(["One 1.2 Two", "Three"]);
    expect(titles(reopenPlan(openPlan(close), close.replace("- [ ] 1.2", "1.2")))).toEqual(["One 1.2 Two", "Three"]);
  });

  it("goes on with a fence that is open at its end", () => {
    const open = "- [ ] 1.1 One\n\n```\n";
    expect(reopenPlan(openPlan(open), `${open}- [ ] 1.2 Two\n`).plan.tasks).toHaveLength(1);
    expect(applyEdit(openPlan(open), { start: 19, end: 19, text: "- [ ] 1.2 Two\n" }).plan.tasks).toHaveLength(1);
  });

  it("can be emptied", () => {
    expect(applyEdit(openPlan(text), { start: 0, end: text.length, text: "" }).plan.tasks).toEqual([]);
    expect(reopenPlan(openPlan(text), "").text).toBe("");
  });

  it("reads the rest anew when an edit opens a fence, and when one closes it", () => {
    const open = applyEdit(openPlan(text), { start: 8, end: 8, text: "```\n" });
    expect(open.plan.tasks).toEqual([]);
    const closed = applyEdit(open, { start: 12, end: 12, text: "```\n" });
    expect(closed.plan.tasks.map(({ id }) => id)).toEqual(["1.1", "1.2", "1.3"]);
  });

  it("joins chunks when the line ending between them goes", () => {
    const document = openPlan(text);
    const start = text.indexOf("- [ ] 1.2") - 1;
    expect(applyEdit(document, { start: start - 1, end: start + 1, text: "" }).plan.tasks.map(({ id }) => id)).toEqual([
      "1.1",
      "1.3",
    ]);
  });

  it("can be filled from nothing", () => {
    expect(applyEdit(openPlan(""), { start: 0, end: 0, text }).plan.tasks).toHaveLength(3);
    expect(reopenPlan(openPlan(""), text).plan.tasks).toHaveLength(3);
  });
});
