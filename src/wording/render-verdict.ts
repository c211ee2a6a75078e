import type { Judgement, ReviewEvidence } from "../model/evidence.ts";
import { countOf } from "../model/text.ts";

const maxPaths = 8;

export interface AttemptEnd {
  readonly judgement: Judgement | null;
  readonly review: ReviewEvidence | null;
  readonly refusal: string | null;
}

/**
 * Describe for the next attempt how the last attempt ended: a refused request to change the plan, a claim that did not
 * count, and changes of a stopped attempt in the repository. Null if there is nothing to say.
 */
export function renderVerdict({ judgement, review, refusal }: AttemptEnd): string | null {
  if (review !== null && review.verdict === "fail") return `A reviewer found: ${review.code || review.spec}`;
  const refused = refusal === null ? [] : [`the plan was not changed as asked: ${refusal}`];
  const reasons = judgement === null || judgement.kind === "accepted" ? [] : reasonsIn(judgement);
  return refused.length + reasons.length === 0 ? null : [...refused, ...reasons].join("; ");
}

function reasonsIn({ layers, evidence: { ended, git } }: Judgement): string[] {
  const reasons = layers.flatMap(({ reason }) => reason ?? []);
  const left = ended === "exit" || git === null ? null : describeWork(git);
  return left === null ? reasons : [...reasons, left];
}

function describeWork({ commits, changed }: NonNullable<Judgement["evidence"]["git"]>): string | null {
  const made = commits.length === 0 ? [] : [`made ${countOf(commits.length, "commit")}`];
  const more = changed.length > maxPaths ? ` and ${changed.length - maxPaths} more` : "";
  const touched = changed.length === 0 ? [] : [`changed ${changed.slice(0, maxPaths).join(", ")}${more}`];
  const work = [...made, ...touched];
  return work.length === 0 ? null : `it had ${work.join(" and ")}`;
}
