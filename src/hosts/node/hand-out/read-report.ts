import * as z from "zod";
import { InputError } from "../../../model/errors.ts";
import type { RunEvent } from "../../../model/event.ts";
import type { Layer, Proof } from "../../../model/evidence.ts";
import { interpreted } from "../../../model/parse-json.ts";
import { type Reply, taskOf, Usage } from "../../../model/reply.ts";
import { claimFields, structuredClaim } from "../../../parse/claim.ts";

const { kind: claim, ...fields } = claimFields;

/**
 * A report of a program or an agent about handed-out work: the claim and the field that the claim needs (`error`,
 * `question` or `request`). The message can replace `error` or `question`. Without `claim`, the claim is parsed from
 * the message, as for any executor.
 */
export const Report = z.strictObject({ claim, ...fields, usage: Usage.optional() });
export type Report = z.infer<typeof Report>;

/** The field that the message can replace, by claim. */
const spoken: Readonly<Record<string, string>> = { failed: "error", blocked: "question" };

/**
 * Convert a report to a reply.
 *
 * @param given Untrusted.
 * @throws {InputError} `report-malformed`
 */
export function readReport(given: object): Reply {
  if (Array.isArray(given)) throw malformed("expected an object");
  const read = Report.safeParse(given, interpreted);
  if (!read.success) {
    throw malformed(renderMisfit(read.error.issues[0] as z.core.$ZodIssue));
  }
  const { claim: kind, message, usage, ...more } = withoutBlanks(read.data);
  const rest = usage === undefined ? {} : { usage };
  if (kind === undefined) {
    if (message === undefined) throw malformed("expected a claim, or a message");
    return { text: message, ...rest };
  }
  const field = spoken[kind];
  const stated = field === undefined ? {} : { [field]: message };
  const made = structuredClaim({ kind, message: message ?? "", ...stated, ...more });
  if (made !== null) return { text: made.message, claim: made.claim, ...rest };
  throw malformed(
    kind === "modify" ? "expected `request` with the tasks" : `expected \`${field}\`, or a message, for \`${kind}\``,
  );
}

const withoutBlanks = (report: Report): Report =>
  Object.fromEntries(
    Object.entries(report).filter(([, value]) => typeof value !== "string" || value.trim() !== ""),
  ) as Report;

function renderMisfit(issue: z.core.$ZodIssue): string {
  const { path, message } = issue;
  if (issue.code === "unrecognized_keys")
    return `\`${[...path, issue.keys[0]].join(".")}\`: expected one of ${Object.keys(Report.shape).join(", ")}`;
  return `\`${path.join(".")}\`: ${message.replace(/^[^:]*: /, "")}`;
}

const malformed = (misfit: string): InputError =>
  new InputError(`Cannot take the report, ${misfit}`, {
    code: "report-malformed",
    hint: 'For example {"claim":"complete","message":"…"} or {"claim":"failed","error":"what went wrong"}',
  });

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
  /** The run asks a question first. Report again after the answer. */
  | { readonly kind: "not-taken" };

/**
 * Derive the verdict on a delegation.
 *
 * @param events Events after the report.
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
