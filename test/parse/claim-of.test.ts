import { describe, expect, it } from "vitest";
import type { Claim } from "../../src/model/reply.ts";
import { claimOf } from "../../src/parse/claim.ts";

const asked = (type: "ADD_FOLLOWUP" | "SPLIT_TASK"): Claim => ({
  kind: "modify",
  request: { type, originalTaskId: "1.1", reasoning: "", proposedTasks: ["- [ ] 1.2 More"] },
});

describe("claimOf", () => {
  it.each<[Claim, object]>([
    [{ kind: "complete" }, { signal: "complete", question: null }],
    [
      { kind: "blocked", question: "Which port?" },
      { signal: "blocked", question: "Which port?" },
    ],
    [asked("ADD_FOLLOWUP"), { signal: "complete", request: { kind: "request" } }],
    [asked("SPLIT_TASK"), { signal: null, request: { kind: "request" } }],
  ])("prefers %j to the message", (claim, expected) => {
    const text = "BLOCKED: What now?\nI could not do it";
    expect(claimOf({ text, claim }, "executor")).toMatchObject({ contradiction: null, ...expected });
    expect(claimOf({ text, claim }, "verifier").request).toEqual({ kind: "none" });
  });
});
