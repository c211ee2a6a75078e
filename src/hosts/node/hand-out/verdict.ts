import type { RunEvent } from "../../../model/event.ts";
import type { Layer, Proof } from "../../../model/evidence.ts";
import { taskOf } from "../../../model/reply.ts";

/** Result of judging a report. */
export type Verdict =
  /** The task is done and ticked. */
  | { readonly kind: "accepted"; readonly proof: Proof }
  /** The claim does not hold: the layer of verification that rejected it, and the reason. */
  | { readonly kind: "rejected"; readonly layer: Layer; readonly reason: string; readonly remedy: string | null }
  /** The task is not done, according to the claim or its Verify. `remedy`: what the run does about it, in one line. */
  | { readonly kind: "failed"; readonly reason: string; readonly remedy: string | null }
  /** The run asks a person. */
  | { readonly kind: "asked"; readonly question: string | null }
  /** The report counts and needs no verdict: a review, a repair, or a change of the plan. */
  | { readonly kind: "taken" }
  /** The run asks a question first. Report again after it is answered. */
  | { readonly kind: "not-taken" };

/**
 * Derive the verdict on a delegation.
 *
 * @param events Events after its report.
 * @param next The next step of the run.
 */
export function verdictOf(
  key: string,
  events: readonly RunEvent[],
  next: { readonly kind: string; readonly question?: string },
): Verdict {
  const task = taskOf(key);
  const about = events.filter((event) => "task" in event && event.task === task);
  const refused = about.find((event) => event.type === "change.refused");
  const why = refused === undefined ? "" : `The change was refused: ${refused.reason}. `;
  for (const event of about) {
    switch (event.type) {
      case "task.passed":
        return { kind: "accepted", proof: event.proof };
      case "task.rejected":
        return { kind: "rejected", layer: event.layer, reason: `${why}${event.reason}`, remedy: remedyIn(about) };
      case "task.failed":
        return { kind: "failed", reason: `${why}${event.failure.error}`, remedy: remedyIn(about) };
      case "person.asked":
        return { kind: "asked", question: event.question };
      default:
    }
  }
  return next.kind === "asked" ? { kind: "asked", question: next.question ?? null } : { kind: "taken" };
}

function remedyIn(events: readonly RunEvent[]): string | null {
  const fix = events.find((event) => event.type === "fix.inserted");
  if (fix !== undefined) return `fix ${fix.fix} is in the plan`;
  const decided = events.find((event) => event.type === "task.decided");
  if (decided === undefined) return null;
  return decided.decision === "fix" ? "a fix task follows" : decided.decision;
}
