import { clamp } from "../model/clamp.ts";
import type { ReviewEvidence } from "../model/evidence.ts";
import { maxReviews } from "../model/review.ts";
import type { LayerResult } from "../model/verdict.ts";

/** Code points of a reason. */
const maxReason = 500;

/**
 * Judge what a reviewer says of a task. Only findings about the code fail it: a fix task can see to those. A reviewer
 * without a verdict has failed at its own work, not the task.
 */
export function judgeReview(review: ReviewEvidence | null): LayerResult {
  const layer = "review";
  if (review === null) return { layer, kind: "accepted", note: "no review was due" };
  const { verdict, code, round } = review;
  if (verdict === "pass") return { layer, kind: "accepted" };
  if (verdict === "none") return { layer, kind: "accepted", note: "the reviewer gave no verdict" };
  if (code === "") return { layer, kind: "accepted", note: "what was found is for a person to decide" };
  if (round >= maxReviews) return { layer, kind: "accepted", note: `outstanding after ${maxReviews} reviews` };
  return { layer, kind: "failed", reason: clamp(firstLine(code), maxReason) };
}

const firstLine = (text: string): string =>
  text
    .trim()
    .split(/[\r\n]/, 1)
    .join("")
    .trimEnd();
