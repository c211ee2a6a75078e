import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyEdit,
  blockOf,
  byteOffset,
  type Edit,
  openPlan,
  type PlanDocument,
  reopenPlan,
} from "../../../src/markdown/document/plan-document.ts";
import { tickEdit } from "../../../src/markdown/tick-task.ts";
import { documents } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";
import { saying } from "../../support/properties/saying.ts";

const chunksOf = ({ pages }: PlanDocument) => pages.flatMap(({ chunks }) => chunks);

describe("byteOffset", () => {
  it("counts the chunks in front of an offset", () => {
    const text = "- [ ] 1.1 Größe\n\n- [ ] 1.2 📏 x\n\n- [ ] 1.3 Last\n";
    const document = openPlan(text);
    expect(chunksOf(document).length).toBeGreaterThan(2);
    for (const offset of [3, text.indexOf("x\n"), text.indexOf("Last"), text.length]) {
      expect(byteOffset(document, offset)).toBe(Buffer.byteLength(text.slice(0, offset)));
    }
  });
});

describe("a plan document, for every text", () => {
  prop("keeps every character in its chunks", [documents], (text) => {
    expect(
      chunksOf(openPlan(text))
        .map((chunk) => chunk.text)
        .join(""),
    ).toBe(text);
  });

  prop("says after ticks what the ticked text says", [documents], (text) => {
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
    const before = chunksOf(document);
    expect(chunksOf(edited).filter((chunk) => before.includes(chunk))).toHaveLength(3);
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
    expect(chunksOf(again).filter((chunk) => chunksOf(document).includes(chunk))).toHaveLength(3);
    expect(again.plan.tasks.map(({ title }) => title)).toEqual(["One", "Zwei", "Three"]);
  });

  it("reads its first lines anew when others come before them", () => {
    expect(reopenPlan(openPlan(`Intro\n\n${text}`), `Words\nIntro\n\n${text}`).pages[0]?.chunks[0]?.text).toBe(
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

  it("ticks a version whose successor was looked at since", () => {
    const document = openPlan(text);
    expect(document.plan.tasks).toHaveLength(3);
    const tick = tickEdit(document, "1.2", true) as Edit;
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
    [Number.NaN, 1],
  ])("refuses an edit from %d to %d", (start, end) => {
    expect(() => applyEdit(openPlan(text), { start, end, text: "x" })).toThrow(
      expect.objectContaining({ code: "edit-out-of-range" }),
    );
  });
});
