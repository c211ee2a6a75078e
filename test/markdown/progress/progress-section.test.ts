import { describe, expect, it } from "vitest";
import { type ProgressLog, readProgress, type SectionPlace } from "../../../src/markdown/progress/progress-section.ts";

const find = (log: ProgressLog, title: string): SectionPlace => log.find(title) as SectionPlace;
const sectionOf = (text: string, title: string): string => {
  const { start, end } = find(readProgress(text), title);
  return text.slice(start, end);
};

describe("readProgress", () => {
  it("finds sections of level 2 only, with all that stands below them", () => {
    expect(readProgress("# A\n- a\n\n### A\n- b\n").find("A")).toBeNull();
    expect(sectionOf("### A\n- a\n\n## A\n- b\n\n### B\n- c\n\n## C\n", "A")).toBe("## A\n- b\n\n### B\n- c");
  });

  it("finds every section of a title, in any case", () => {
    const text = "## A\n- a\n\n## B\n- b\n\n## a\n- c\n";
    const found = readProgress(text).findAll("A");
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(["## A\n- a", "## a\n- c"]);
  });

  it("tells titles apart that differ by more than case", () => {
    expect(readProgress("## Maße\n- 2 m\n").find("Masse")).toBeNull();
  });

  it("finds a section behind a byte order mark", () => {
    expect(sectionOf("\uFEFF## A\n- a\n", "A")).toBe("## A\n- a");
  });

  it("finds the first heading of level 2 that begins with a word", () => {
    const text = "## Nextly\n\n## Old Next\n\n### Next\n\n## next: more\n\n## Next\n";
    expect(readProgress(text).startOf(["Missing", "Next"])).toBe(text.indexOf("## next"));
    expect(readProgress("## Nextly\n\n## Old Next\n\n### Next\n").startOf(["Next"])).toBeNull();
    expect(readProgress("## Next steps\n").startOf(["Next"])).toBe(0);
  });

  it("cuts where a section begins and where the document ends", () => {
    const parts = ["# P\n\n", "## A\n- a\n### B\n- b\n\n", "## C\n- c\n\n", "<!--\n## D\n"];
    expect(
      readProgress(parts.join(""))
        .parts()
        .filter((part) => part !== ""),
    ).toEqual(parts);
  });

  it("gives the source of a section without its code and HTML", () => {
    const log = readProgress(
      "\uFEFF## A\n- a\n\n## B\n- b\n\n<!--\n- c\n-->\n\n- d\n\n```\n- e\n```\n\n- f\n\n## C\n- g\n",
    );
    expect(log.proseOf(find(log, "A"))).toBe("## A\n- a");
    expect(log.proseOf(find(log, "B"))).toBe("## B\n- b\n\n\n\n- d\n\n\n\n- f\n");
  });

  it.each([
    ["## A\n", "heading", "-"],
    ["## A\n* a\n  b\n", "list", "*"],
    ["## A\na\n", "other", "-"],
    ["## A\n- <div>\n", "list", "-"],
    ["## A\n<div>\n- a\n", "other", "-"],
    ["## A\n<div>\n</div>\n\n+ a\n", "list", "+"],
    ["## A\n- a\n\n<div>\n- b\n", "other", "-"],
  ])("says what %j ends with", (text, endsWith, bullet) => {
    expect(readProgress(text).find("A")).toMatchObject({ endsWith, bullet });
  });
});
