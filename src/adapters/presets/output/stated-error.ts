import type { ServiceProblem } from "../../../model/reply.ts";
import {
  isAhead,
  kindOfMessage,
  kindOfStatus,
  readServiceProblem,
  type ServiceKind,
} from "../../../recover/service-problem.ts";
import type { StreamReading } from "../preset.ts";

export interface StatedError {
  readonly message: string | null;
  /** The HTTP status. */
  readonly status?: number | null;
  readonly kind?: ServiceKind | null;
  /** End of the problem, in milliseconds since 1970. */
  readonly until?: number | null;
}

/** HTTP status of a request whose user is logged in but not authorized. Some tools report it as a failed login. */
const forbidden = 403;

/**
 * Derive the service problem from an error: from the tool's own code, else from its message, else from its status. A
 * failed login with HTTP 403 is a lack of permission, and so is a quota that must be paid for.
 *
 * @returns Null if there is no error, or if it does not concern the service.
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
 * Make the final message of a turn that ended in an error: only the error text, on one line, so that it contains no
 * signal.
 */
export const failedText = (message: string | null): string =>
  message === null ? "" : `Error: ${message.split(/\s+/).join(" ").trim()}`;

export const errorOrText = (
  error: StatedError | null,
  text: string | null,
  now: number,
): Pick<StreamReading, "text" | "problem"> => ({
  text: error === null ? text : failedText(error.message),
  problem: readError(error, now),
});
