import * as z from "zod";
import { InputError } from "../../../model/errors.ts";
import { interpreted } from "../../../model/interpreted.ts";
import { type Reply, Usage } from "../../../model/reply.ts";
import { claimFields, structuredClaim } from "../../../parse/claim.ts";

const { kind: claim, ...fields } = claimFields;

/**
 * A report about handed-out work by a program or an agent: the claim, and in the matching field what went wrong, what a
 * person has to decide, or which tasks the plan needs. If that field is missing, the message replaces it. Without
 * `claim`, the claim is parsed from the message, as for any executor.
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
    throw malformed(tellMisfit(read.error.issues[0] as z.core.$ZodIssue));
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

/** A blank text says nothing. */
const withoutBlanks = (report: Report): Report =>
  Object.fromEntries(
    Object.entries(report).filter(([, value]) => typeof value !== "string" || value.trim() !== ""),
  ) as Report;

function tellMisfit(issue: z.core.$ZodIssue): string {
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
