import { clamp } from "../model/clamp.ts";
import type { ReviewEvidence } from "../model/evidence.ts";
import { maxReviews } from "../model/review.ts";
import type { Finding } from "../model/verdict.ts";

/** Code points of a reason. */
const maxReason = 500;

/**
 * Judge what a reviewer says of a task. Only findings about the code fail it: a fix task can see to those. A reviewer
 * without a verdict has failed at its own work, not the task.
 */
export function judgeReview({ verdict, code, round }: ReviewEvidence): Finding {
  if (verdict === "pass") return { kind: "accepted" };
  if (verdict === "none") return { kind: "accepted", note: "the reviewer gave no verdict" };
  if (code === "") return { kind: "accepted", note: "what was found is for a person to decide" };
  if (round >= maxReviews) return { kind: "accepted", note: `outstanding after ${maxReviews} reviews` };
  return { kind: "failed", reason: clamp(firstLine(code), maxReason) };
}

const firstLine = (text: string): string =>
  text
    .trim()
    .split(/[\r\n]/, 1)
    .join("")
    .trimEnd();
