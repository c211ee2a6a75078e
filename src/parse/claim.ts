import * as z from "zod";
import type { Signal } from "../model/evidence.ts";
import type { Failure } from "../model/failure.ts";
import { interpreted } from "../model/parse-json.ts";
import { ChangeType, Claim, type Reply } from "../model/reply.ts";
import type { Role } from "../model/role.ts";
import type { TaskId } from "../model/task.ts";
import { findContradiction } from "./find-contradiction.ts";
import { failureStated, parseFailure } from "./parse-failure.ts";
import { type ParsedRequest, parseModificationRequest } from "./parse-modification-request.ts";
import { findBlocker, parseSignal } from "./parse-signal.ts";

const when = (kind: string, what: string): string => `Only for kind "${kind}", else null: ${what}`;

/**
 * Schema for models with structured output. Services with strict schemas allow only required fields without bounds, so
 * fields are nullable and not optional.
 */
const Asked = z.object({
  kind: z
    .enum(["complete", "failed", "blocked", "modify"])
    .describe(
      "complete: the task is done. failed: it is not. blocked: a person must decide something first. modify: the plan must change.",
    ),
  message: z
    .string()
    .describe(
      "Your final message, with any lines `Trying: …` and `Found: …`, but without signals such as TASK_COMPLETE",
    ),
  error: z.string().nullable().describe(when("failed", "the error, in the words of the tool that reported it")),
  attemptedFix: z.string().nullable().describe(when("failed", "what you have tried")),
  blocker: z.string().nullable().describe(when("failed", "what blocks further work")),
  question: z.string().nullable().describe(when("blocked", "what the person must decide")),
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

/** Claim in a tool call of an agent: all fields except `kind` may be missing or null. */
export const ClaimAnswer = Asked.extend({ message: Asked.shape.message.nullable() }).partial().required({ kind: true });

export const claimFields = Asked.partial().shape;

/** JSON schema of a claim for models with structured output. Parse the answer with `structuredClaim`. */
export function claimSchema(): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(Asked);
  return schema;
}

/**
 * Parse a structured claim in the form of `claimSchema`.
 *
 * @param answer The JSON value, untrusted. @returns Null if the answer is not a valid claim.
 */
export function structuredClaim(answer: unknown): { readonly claim: Claim; readonly message: string } | null {
  const asked = ClaimAnswer.safeParse(answer, interpreted);
  if (!asked.success) return null;
  const { message, ...fields } = asked.data;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const claim = Claim.safeParse({ ...(given["kind"] === "failed" && { error: "" }), ...given }, interpreted);
  return claim.success ? { claim: claim.data, message: message ?? "" } : null;
}

interface ClaimReading {
  /** Null if the claim does not say how the attempt ended. */
  readonly signal: Signal | null;
  /** Question to a person; null without the signal `blocked`. */
  readonly question: string | null;
  /** Sentence in which the message admits a failure; null without such a sentence, and for a structured claim. */
  readonly contradiction: string | null;
  readonly request: ParsedRequest;
}

const asksNothing = { kind: "none" } as const;

/**
 * Read the claim of a reply from `claim`, or from `text` if no structured claim is given.
 *
 * @param role Only an executor may request a plan change. @see docs/protocol.md
 */
export function claimOf({ text, claim }: Pick<Reply, "text" | "claim">, role: Role): ClaimReading {
  const request = role === "executor" ? requestIn(text, claim) : asksNothing;
  if (claim !== undefined) {
    const question = claim.kind === "blocked" ? claim.question : null;
    return { signal: signalIn(claim), question, contradiction: null, request };
  }
  const question = findBlocker(text);
  return { signal: parseSignal(text, role), question, contradiction: findContradiction(text), request };
}

/** Read the failure that a reply reports, as `parseFailure` does. */
export function failureOfClaim({ text, claim }: Pick<Reply, "text" | "claim">, task: TaskId): Failure {
  if (claim?.kind !== "failed") return parseFailure(text, task);
  const { error, attemptedFix = "", blocker: status = "" } = claim;
  return failureStated(text, task, new Map(Object.entries({ error, attemptedFix, status }).map(onOneLine)));
}

/** A request for follow-up tasks also claims that the task is done; other requests claim nothing. */
function signalIn(claim: Claim): Signal | null {
  if (claim.kind !== "modify") return claim.kind;
  return claim.request.type === "ADD_FOLLOWUP" ? "complete" : null;
}

function requestIn(text: string, claim: Claim | undefined): ParsedRequest {
  if (claim === undefined) return parseModificationRequest(text);
  return claim.kind === "modify" ? { kind: "request", request: claim.request } : asksNothing;
}

const onOneLine = ([field, said]: [string, string]) => [field, said.split(/\s+/).join(" ").trim()] as const;
