import type { RunEvent } from "../../../model/event.ts";
import type { Layer, Proof } from "../../../model/evidence.ts";
import { taskOf } from "../../../model/reply.ts";

/** What became of a report. */
export type Verdict =
  /** The task is done and ticked. */
  | { readonly kind: "accepted"; readonly proof: Proof }
  /** The claim does not hold: which layer of verification says so, and why. */
  | { readonly kind: "rejected"; readonly layer: Layer; readonly reason: string; readonly remedy: string | null }
  /** The task is not done, by the claim or by its Verify. `remedy`: what is done about it, in one line. */
  | { readonly kind: "failed"; readonly reason: string; readonly remedy: string | null }
  /** A person is asked. */
  | { readonly kind: "asked"; readonly question: string | null }
  /** It counts, and nothing is to be said of it alone: of a review, a repair, a change of the plan. */
  | { readonly kind: "taken" }
  /** The run has a question of its own first. Report it again once that is answered. */
  | { readonly kind: "not-taken" };

/**
 * The verdict on a delegation.
 *
 * @param events What has happened behind its report.
 * @param next What has come of the run.
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
        return { kind: "rejected", layer: event.layer, reason: event.reason, remedy: remedyIn(about) };
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
  if (fix !== undefined) return `fix ${fix.fix} stands in the plan`;
  const decided = events.find((event) => event.type === "task.decided");
  if (decided === undefined) return null;
  return decided.decision === "fix" ? "a fix task follows" : decided.decision;
}
