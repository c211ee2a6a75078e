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

/** The verdict on a delegation, from what has happened behind its report. */
export function verdictOf(key: string, events: readonly RunEvent[]): Verdict {
  const task = taskOf(key);
  const about = events.filter((event) => "task" in event && event.task === task);
  for (const event of about) {
    switch (event.type) {
      case "task.passed":
        return { kind: "accepted", proof: event.proof };
      case "task.rejected":
        return { kind: "rejected", layer: event.layer, reason: event.reason, remedy: remedyIn(about) };
      case "task.failed":
        return { kind: "failed", reason: event.failure.error, remedy: remedyIn(about) };
      case "person.asked":
        return { kind: "asked", question: event.question };
      default:
    }
  }
  return { kind: "taken" };
}

function remedyIn(events: readonly RunEvent[]): string | null {
  const fix = events.find(({ type }) => type === "fix.inserted");
  if (fix?.type === "fix.inserted") return `fix ${fix.fix} stands in the plan`;
  const decided = events.find(({ type }) => type === "task.decided");
  return decided?.type === "task.decided" ? decided.decision : null;
}
