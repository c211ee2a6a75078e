import { describe, expect, it } from "vitest";
import { structuredClaim } from "../../src/parse/claim.ts";

const request = { type: "SPLIT_TASK", originalTaskId: "1.3", reasoning: "", proposedTasks: ["- [ ] 1.3.1 Read it"] };
const nothing = { error: null, attemptedFix: null, blocker: null, question: null, request: null };

describe("structuredClaim", () => {
  it.each([
    [{ kind: "complete" }, { kind: "complete" }],
    [
      { kind: "failed", error: "boom" },
      { kind: "failed", error: "boom" },
    ],
    [
      { kind: "failed", error: "boom", attemptedFix: "Mocked it", blocker: "No key" },
      { kind: "failed", error: "boom", attemptedFix: "Mocked it", blocker: "No key" },
    ],
    [{ kind: "failed" }, { kind: "failed", error: "" }],
    [
      { kind: "blocked", question: "Which port?" },
      { kind: "blocked", question: "Which port?" },
    ],
    [
      { kind: "modify", request },
      { kind: "modify", request },
    ],
  ])("reads %j, with fields that are null", (fields, claim) => {
    const message = "Trying: to write it";
    expect(structuredClaim({ ...nothing, message, ...fields })).toEqual({ claim, message });
  });

  it("reads an answer without the fields that have no value", () => {
    expect(structuredClaim({ kind: "complete" })).toEqual({ claim: { kind: "complete" }, message: "" });
  });

  it.each([
    ["no object", "complete"],
    ["no kind", { message: "done" }],
    ["an unknown kind", { kind: "done" }],
    ["a field of another type", { kind: "complete", message: 1 }],
    ["a question that is missing", { ...nothing, kind: "blocked" }],
    ["a request without tasks", { kind: "modify", request: { ...request, proposedTasks: [] } }],
  ])("is null for %s", (_, answer) => {
    expect(structuredClaim(answer)).toBeNull();
  });
});
