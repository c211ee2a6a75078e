import * as z from "zod";
import { InputError } from "../../../model/errors.ts";
import { interpreted } from "../../../model/interpreted.ts";
import { type Reply, Usage } from "../../../model/reply.ts";
import { claimFields, structuredClaim } from "../../../parse/claim.ts";

const { kind: claim, ...fields } = claimFields;

/**
 * What is reported of work that was handed out, as a program or an agent says it: how it went, and in the field that
 * belongs to that what went wrong, what a person has to decide, or which tasks the plan needs. Where that field is
 * missing, the message stands for it. Without `claim` it is read from the message, as from that of any executor.
 */
export const Report = z.strictObject({ claim, ...fields, usage: Usage.optional() });
export type Report = z.infer<typeof Report>;

/** The field of a claim that its message can stand for. */
const spoken: Readonly<Record<string, string>> = { failed: "error", blocked: "question" };

/**
 * The reply that a report comes to.
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
