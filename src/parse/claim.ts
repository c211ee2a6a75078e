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
 * Schema for models with structured output. All fields are required and nullable, and none has bounds: services with
 * strict schemas support nothing else.
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

/** `Asked` with only `kind` required, for an agent's tool call; other fields may be missing or null. */
export const ClaimAnswer = Asked.extend({ message: Asked.shape.message.nullable() }).partial().required({ kind: true });

/** The fields of `Asked`, all optional. */
export const claimFields = Asked.partial().shape;

/** JSON schema of a claim for models with structured output. `structuredClaim` parses the answer. */
export function claimSchema(): object {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(Asked);
  return schema;
}

/**
 * Parse an answer in the form of `claimSchema`.
 *
 * @param answer The JSON value, untrusted.
 * @returns The claim and the message; null if the answer is not a valid claim.
 */
export function structuredClaim(answer: unknown): { readonly claim: Claim; readonly message: string } | null {
  const asked = ClaimAnswer.safeParse(answer, interpreted);
  if (!asked.success) return null;
  const { message, ...fields } = asked.data;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const claim = Claim.safeParse({ ...(given["kind"] === "failed" && { error: "" }), ...given }, interpreted);
  return claim.success ? { claim: claim.data, message: message ?? "" } : null;
}

/** An executor's or verifier's claim about an attempt. */
interface ClaimReading {
  /** Null if the claim says nothing about the result. */
  readonly signal: Signal | null;
  /** The question to a person; null unless `signal` is `blocked`. */
  readonly question: string | null;
  /** The sentence in which the message admits a failure; null if no sentence does, or if the claim is structured. */
  readonly contradiction: string | null;
  /** The requested plan change. */
  readonly request: ParsedRequest;
}

const asksNothing = { kind: "none" } as const;

/**
 * Read the claim of a reply: its structured `claim`, else its text.
 *
 * @param role Role of the attempt: only an executor may request a plan change.
 * @see docs/protocol.md
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

/** The failure that a reply states, in the form of `parseFailure`. */
export function failureOfClaim({ text, claim }: Pick<Reply, "text" | "claim">, task: TaskId): Failure {
  if (claim?.kind !== "failed") return parseFailure(text, task);
  const { error, attemptedFix = "", blocker: status = "" } = claim;
  return failureStated(text, task, new Map(Object.entries({ error, attemptedFix, status }).map(onOneLine)));
}

/**
 * The signal of a structured claim. A request for follow-up tasks implies completion; other requests imply no result.
 */
function signalIn(claim: Claim): Signal | null {
  if (claim.kind !== "modify") return claim.kind;
  return claim.request.type === "ADD_FOLLOWUP" ? "complete" : null;
}

function requestIn(text: string, claim: Claim | undefined): ParsedRequest {
  if (claim === undefined) return parseModificationRequest(text);
  return claim.kind === "modify" ? { kind: "request", request: claim.request } : asksNothing;
}

const onOneLine = ([field, said]: [string, string]) => [field, said.split(/\s+/).join(" ").trim()] as const;
