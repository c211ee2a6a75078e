import type { ServiceProblem } from "../../../model/service-problem.ts";
import { isAhead } from "../../../recover/read-reset-time.ts";
import { readServiceProblem } from "../../../recover/read-service-problem.ts";
import { kindOfMessage, kindOfStatus, type ServiceKind } from "../../../recover/service-kind.ts";
import type { StreamReading } from "../preset.ts";

/** An error as an event of a tool states it. */
export interface StatedError {
  readonly message: string | null;
  /** Of HTTP. */
  readonly status?: number | null;
  /** What a code of the tool's own stands for. */
  readonly kind?: ServiceKind | null;
  /** When it is over, in milliseconds since 1970. */
  readonly until?: number | null;
}

/** Who is known, and may not: tools call that a failed login, too. */
const forbidden = 403;

/**
 * The problem of the service that an error states: by the tool's own code, else by its message, else by its status. A
 * login that has failed with HTTP 403 has not, and a quota that has to be paid for is no limit.
 *
 * @returns Null for no error, and for one that says nothing of the service.
 */
export function readError(error: StatedError | null, now: number): ServiceProblem | null {
  if (error === null) return null;
  const { status = null, kind = null, until = null } = error;
  const message = error.message ?? (status === null ? "The service gave no reason" : `HTTP status ${status}`);
  const isRefused = kind === "auth" && status === forbidden;
  const isUnpaid = kind === "rate-limit" && kindOfMessage(message) === "permission";
  const code = isRefused || isUnpaid ? "permission" : kind;
  const problem =
    readServiceProblem(message, now, code) ??
    readServiceProblem(message, now, status === null ? null : kindOfStatus(status));
  return problem === null || until === null || !isAhead(until, now) ? problem : { ...problem, until };
}

/**
 * The final message of a turn that ended in an error, whatever the agent had said before: what the error says, in one
 * line, so that no line of it is a signal.
 */
export const failedText = (message: string | null): string =>
  message === null ? "" : `Error: ${message.split(/\s+/).join(" ").trim()}`;

/** What a turn comes to: the error with which it ended, or its final message. */
export const errorOrText = (
  error: StatedError | null,
  text: string | null,
  now: number,
): Pick<StreamReading, "text" | "problem"> => ({
  text: error === null ? text : failedText(error.message),
  problem: readError(error, now),
});
