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
  if (Array.isArray(given)) throw malformed("an object");
  const read = Report.safeParse(given, interpreted);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw malformed(`${issue?.path.length ? `\`${issue.path.join(".")}\`: ` : ""}${issue?.message}`);
  }
  const { claim: kind, message, usage, ...more } = read.data;
  const rest = usage === undefined ? {} : { usage };
  if (kind === undefined) {
    if (message === undefined) throw malformed("a claim, or a message");
    return { text: message, ...rest };
  }
  const field = spoken[kind];
  const stated = field === undefined ? {} : { [field]: message };
  const made = structuredClaim({ kind, message: message ?? "", ...stated, ...more });
  if (made !== null) return { text: made.message, claim: made.claim, ...rest };
  throw malformed(kind === "modify" ? "`request` with the tasks" : `\`${field}\`, or a message, for \`${kind}\``);
}

const malformed = (expected: string): InputError =>
  new InputError(`Cannot take the report, expected ${expected}`, {
    code: "report-malformed",
    hint: 'For example {"claim":"complete","message":"…"} or {"claim":"failed","error":"what went wrong"}',
  });
