import type { Claim } from "../model/claim.ts";
import type { Failure } from "../model/failure.ts";
import type { Reply } from "../model/reply.ts";
import type { Role } from "../model/role.ts";
import type { TaskId } from "../model/task-id.ts";
import type { Signal } from "../model/verdict.ts";
import { findBlocker } from "./find-blocker.ts";
import { findContradiction } from "./find-contradiction.ts";
import { failureStated, parseFailure } from "./parse-failure.ts";
import { type ParsedRequest, parseModificationRequest } from "./parse-modification-request.ts";
import { parseSignal } from "./parse-signal.ts";

/** What an executor or a verifier claims of an attempt. */
export interface ClaimReading {
  /** Null when it says nothing of how the task went. */
  readonly signal: Signal | null;
  /** What a person is asked; null when `signal` is not `blocked`. */
  readonly question: string | null;
  /** The phrase with which its message admits a failure; null without one, and where the claim is no message. */
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
