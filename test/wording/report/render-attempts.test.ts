import { describe, expect, it } from "vitest";
import { renderAttempts } from "../../../src/wording/report/report-parts.ts";
import { bareReport } from "./sample-report.ts";

describe("renderAttempts", () => {
  it.each([
    [["\u200b", "Zod validation patterns exist", " \n"], "1. Zod validation patterns exist"],
    [["\u200b", " \n"], "No finding is recorded."],
  ])("omits the empty findings of %j", (findings, told) => {
    const blocks = renderAttempts({ ...bareReport, findings });
    expect(blocks[blocks.indexOf("### Research Findings") + 1]).toBe(told);
  });

  it("S5: does not label an approach as original after another level or a restart", () => {
    const tried = { level: "normal", task: "1.3", error: "Too many re-renders" } as const;
    const approaches = [
      { ...tried, strategy: "useState" },
      { ...tried, strategy: "useReducer", later: true as const },
    ];
    const blocks = renderAttempts({ ...bareReport, approaches });
    const at = blocks.indexOf("### Original Approach");
    expect(blocks.slice(at, at + 4)).toEqual([
      "### Original Approach",
      "1. **useState** - Too many re-renders",
      "### Later Approaches",
      "1. **useReducer** - Too many re-renders",
    ]);
  });

  it.each([
    ["normal", "### Original Approach"],
    ["checkpoint", "### Original Approach"],
    ["pivot", "### Pivot Attempts"],
    ["research", "Approaches after research:"],
  ] as const)("lists an approach of the level %s under %s", (level, heading) => {
    const approaches = [{ level, task: "1.3", strategy: "useReducer", error: "Too many re-renders" }];
    const blocks = renderAttempts({ ...bareReport, approaches });
    const item = "1. **useReducer** - Too many re-renders";
    expect(blocks.filter((block) => block.includes("useReducer"))).toEqual([item]);
    expect(blocks[blocks.indexOf(heading) + 1]).toBe(item);
  });
});
