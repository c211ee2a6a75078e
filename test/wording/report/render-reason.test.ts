import { describe, expect, it } from "vitest";
import { renderReason } from "../../../src/wording/report/report-parts.ts";
import { bareReport } from "./sample-report.ts";

describe("renderReason", () => {
  it.each([
    [{ stuck: null }, ["The remedies of the task are used up."]],
    [{ stuck: "no-change" as const }, ["Attempts in a row changed no file."]],
    [
      { lastError: "Timeout", sameErrors: 1 },
      ["The remedies of the task are used up.", "- Last error (1 time in a row): Timeout"],
    ],
  ])("has a list after the reason if there are facts, otherwise only the reason: %j", (facts, blocks) => {
    expect(renderReason({ ...bareReport, ...facts })).toEqual(blocks);
  });
});
