import { describe, expect, it } from "vitest";
import { fixOfMarkers, readTitle } from "../../../src/markdown/tasks/read-title.ts";

describe("readTitle", () => {
  it("reads a marker after a second name, which stays in the title", () => {
    expect(readTitle("4.1 V4 [VERIFY] Full local CI")).toMatchObject({
      ...{ id: "4.1", markers: ["VERIFY"], title: "V4 Full local CI" },
    });
    expect(readTitle("**T-04 · Name** of it")).toMatchObject({ id: "T-04", title: "**Name** of it" });
    expect(readTitle("[P] 1.2 Name")).toMatchObject({ id: "1.2", markers: ["P"], title: "Name" });
  });

  it.each(["4 address it", "4 menus-bar", "4. cups", "4 is"])("does not take the number in %j for a count", (line) => {
    expect(readTitle(line).id).toBe("4");
  });

  it.each([
    ["1.3 Title", "1.3"],
    ["3 Title", "3"],
    ["1. Title", "1"],
    ["12) Title", "12"],
    ["1.1: Title", "1.1"],
    ["1.1.1.1 Title", "1.1.1.1"],
    ["1.2a Title", "1.2a"],
    ["1.2.3a Title", "1.2.3a"],
    ["1-2 Title", "1-2"],
    ["V4 Title", "V4"],
    ["V9a Title", "V9a"],
    ["VE2 Title", "VE2"],
    ["Q9.9 Title", "Q9.9"],
    ["PR9 Title", "PR9"],
    ["AC-9 Title", "AC-9"],
    ["AC-1.2 Title", "AC-1.2"],
    ["G-9.9 Title", "G-9.9"],
    ["T001 Title", "T001"],
    ["T001a Title", "T001a"],
    ["T071-B Title", "T071-B"],
    ["[1.1] Title", "1.1"],
    ["**[3.5b]** Title", "3.5b"],
    ["**[T001]** Title", "T001"],
    ["T033-MIN Title", "T033-MIN"],
    ["T001.1 Title", "T001.1"],
    ["H123456b.1 Title", "H123456b.1"],
    ["H123456-27.1 Title", "H123456-27.1"],
    ["VF [VERIFY] Title", "VF"],
    ["VF.1 [FIX VF] Title", "VF.1"],
    ["VE-BROWSER [VERIFY] Title", "VE-BROWSER"],
    ["VE-BROWSER.2 [FIX VE-BROWSER] Title", "VE-BROWSER.2"],
    ["**T001** Title", "T001"],
    ["**B1**: Title", "B1"],
    ["**1.1.** Title", "1.1"],
    ["**1.1:** Title", "1.1"],
    ["__1.1__ Title", "1.1"],
    ["`1.1` Title", "1.1"],
    ["~~1.1~~ Title", "1.1"],
  ])("reads the id of %j: %s", (line, id) => {
    expect(readTitle(line)).toMatchObject({ id, title: "Title" });
  });

  it.each([
    "Title",
    "",
    "V Title",
    "VF Title",
    "README Title",
    "1.3Title",
    "1..3 Title",
    "v4 Title",
    "#4 Title",
    "ABCDEFGHI1 Title",
    "### 3.5 Title",
    "(1.3) Title",
    "1.3, Title",
    "3D-view",
  ])("reads no id from %j", (line) => {
    expect(readTitle(line).id).toBeNull();
  });

  it.each([
    ["[P] 1.3 Title", ["P"], "Title"],
    ["1.3 [P] [US1] Title", ["P", "US1"], "Title"],
    ["1.3 [FIX 1.2] Fix: it", ["FIX 1.2"], "Fix: it"],
    ["[VERIFY] Title", ["VERIFY"], "Title"],
    ["1.3 [VERIFY:API] Title [P]", ["VERIFY:API"], "Title [P]"],
    ["1.3 [link](url) Title", [], "[link](url) Title"],
    ["1.3 [ref][1] Title", [], "[ref][1] Title"],
    ["1.3 [note]: Title", [], "[note]: Title"],
    ["1.3 [P][VERIFY] Title", ["P", "VERIFY"], "Title"],
    ["1.3 [VERIFY]: Title", ["VERIFY"], "Title"],
    ["1.3 [ ] Title", [], "[ ] Title"],
    ["1.3 [P]", ["P"], ""],
    ["1.3", [], ""],
  ])("reads the markers of %j", (line, markers, title) => {
    expect(readTitle(line)).toMatchObject({ markers, title });
  });
});

describe("fixOfMarkers", () => {
  it.each([
    [["FIX 1.3"], "1.3"],
    [["P", "FIX VE-BROWSER"], "VE-BROWSER"],
    [["FIX"], null],
    [["FIX the build"], null],
    [["fix 1.3"], null],
    [["HOTFIX 1.3"], null],
    [[], null],
  ])("finds in %j the repaired task: %j", (markers, id) => {
    expect(fixOfMarkers(markers)).toBe(id);
  });
});
