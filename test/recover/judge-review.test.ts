import { describe, expect, it } from "vitest";
import type { ReviewEvidence } from "../../src/model/evidence.ts";
import { maxReviews } from "../../src/model/review.ts";
import { judgeReview } from "../../src/recover/judge-review.ts";

const failing: ReviewEvidence = { verdict: "fail", code: "No test for null\nDead code in a.ts", spec: "", round: 1 };

describe("judgeReview", () => {
  it("accepts what passed, whatever was found beside it", () => {
    expect(judgeReview({ ...failing, verdict: "pass" })).toEqual({ kind: "accepted" });
  });

  it("fails for findings about the code, with the first as its reason", () => {
    expect(judgeReview({ ...failing, spec: "FR-1" })).toEqual({
      kind: "failed",
      reason: "No test for null",
    });
    expect(judgeReview({ ...failing, code: "No test \nDead code" })).toMatchObject({ reason: "No test" });
    expect(judgeReview({ ...failing, round: 2, code: ` \n ${"x".repeat(600)}\r\ny` })).toEqual({
      kind: "failed",
      reason: "x".repeat(500),
    });
  });

  it("accepts findings that only a person can see to", () => {
    expect(judgeReview({ ...failing, code: "", spec: "FR-1 is unclear" })).toEqual({
      kind: "accepted",
      note: "what was found is for a person to decide",
    });
  });

  it("accepts after the last round, with what is outstanding", () => {
    expect(maxReviews).toBe(3);
    expect(judgeReview({ ...failing, round: 3 })).toEqual({
      kind: "accepted",
      note: "outstanding after 3 reviews",
    });
  });

  it("holds silence against the reviewer, not the task", () => {
    expect(judgeReview({ ...failing, verdict: "none" })).toEqual({
      kind: "accepted",
      note: "the reviewer gave no verdict",
    });
  });
});
