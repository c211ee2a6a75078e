import * as z from "zod";
import type { Signal } from "../model/evidence.ts";
import type { Failure } from "../model/failure.ts";
import { interpreted } from "../model/interpreted.ts";
import { ChangeType, Claim, type Reply } from "../model/reply.ts";
import type { Role } from "../model/role.ts";
import type { TaskId } from "../model/task.ts";
import { findContradiction } from "./find-contradiction.ts";
import { failureStated, parseFailure } from "./parse-failure.ts";
import { type ParsedRequest, parseModificationRequest } from "./parse-modification-request.ts";
import { findBlocker, parseSignal } from "./parse-signal.ts";

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

/** The same where only the kind has to be given, as an agent answers that is asked by a tool: what may be missing may be null. */
export const ClaimAnswer = Asked.extend({ message: Asked.shape.message.nullable() }).partial().required({ kind: true });

/** The same fields where none has to be given. */
export const claimFields = Asked.partial().shape;

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
  const asked = ClaimAnswer.safeParse(answer, interpreted);
  if (!asked.success) return null;
  const { message, ...fields } = asked.data;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const claim = Claim.safeParse({ ...(given["kind"] === "failed" && { error: "" }), ...given }, interpreted);
  return claim.success ? { claim: claim.data, message: message ?? "" } : null;
}

/** What an executor or a verifier claims of an attempt. */
interface ClaimReading {
  /** Null when it says nothing of how the task went. */
  readonly signal: Signal | null;
  /** What a person is asked; null when `signal` is not `blocked`. */
  readonly question: string | null;
  /** The sentence with which its message admits a failure; null without one, and where the claim is no message. */
  readonly contradiction: string | null;
  /** The change of the plan it asks for. */
  readonly request: ParsedRequest;
}

const asksNothing = { kind: "none" } as const;

/**
 * What a reply claims: what its `claim` says where it has one, else what its text says.
 *
 * @param role Who has made the attempt: only an executor may ask for a change of the plan.
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

/** The failure that a reply states, as `parseFailure` gives it. */
export function failureOfClaim({ text, claim }: Pick<Reply, "text" | "claim">, task: TaskId): Failure {
  if (claim?.kind !== "failed") return parseFailure(text, task);
  const { error, attemptedFix = "", blocker: status = "" } = claim;
  return failureStated(text, task, new Map(Object.entries({ error, attemptedFix, status }).map(onOneLine)));
}

/** Only tasks that follow are asked for by who is done. */
function signalIn(claim: Claim): Signal | null {
  if (claim.kind !== "modify") return claim.kind;
  return claim.request.type === "ADD_FOLLOWUP" ? "complete" : null;
}

function requestIn(text: string, claim: Claim | undefined): ParsedRequest {
  if (claim === undefined) return parseModificationRequest(text);
  return claim.kind === "modify" ? { kind: "request", request: claim.request } : asksNothing;
}

const onOneLine = ([field, said]: [string, string]) => [field, said.split(/\s+/).join(" ").trim()] as const;
