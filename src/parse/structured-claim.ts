import * as z from "zod";
import { Claim } from "../model/claim.ts";
import { interpreted } from "../model/interpreted.ts";
import { ChangeType } from "../model/modification-request.ts";

const when = (kind: string, what: string): string => `Only for kind "${kind}", else null: ${what}`;

/**
 * What a model is asked for that answers in the form of a schema. Every field is required and may be null, and nothing
 * is bounded: services with strict schemas know no more.
 */
const Asked = z.object({
  kind: z
    .enum(["complete", "failed", "blocked", "modify"])
    .describe(
      "complete: the task is done. failed: it is not. blocked: a person has to decide something first. modify: the plan has to change.",
    ),
  message: z
    .string()
    .describe("Your final message, with the lines `Trying: …` and `Found: …` where there are any, without a signal"),
  error: z.string().nullable().describe(when("failed", "what went wrong, in the words of the tool that says so")),
  attemptedFix: z.string().nullable().describe(when("failed", "what you have tried")),
  blocker: z.string().nullable().describe(when("failed", "what stands in the way of going on")),
  question: z.string().nullable().describe(when("blocked", "what the person has to decide")),
  request: z
    .object({
      type: ChangeType,
      originalTaskId: z.string(),
      reasoning: z.string(),
      proposedTasks: z.array(z.string().describe("The markdown of one task with all its fields")),
    })
    .nullable()
    .describe(when("modify", "the tasks you ask for, as the prompt says under TASK_MODIFICATION_REQUEST")),
});

/** The JSON schema of a claim, for a model that is to answer in its form. `structuredClaim` reads the answer. */
export function claimSchema(): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(Asked);
  return schema;
}

/**
 * The claim in an answer that was asked for in the form of `claimSchema`.
 *
 * @param answer
 *   The JSON value, untrusted.
 * @returns
 *   The claim, and the message beside it; null for an answer that is none.
 */
export function structuredClaim(answer: unknown): { readonly claim: Claim; readonly message: string } | null {
  const asked = Asked.partial().required({ kind: true }).safeParse(answer, interpreted);
  if (!asked.success) return null;
  const { message = "", ...fields } = asked.data;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const claim = Claim.safeParse({ ...(given["kind"] === "failed" && { error: "" }), ...given }, interpreted);
  return claim.success ? { claim: claim.data, message } : null;
}
