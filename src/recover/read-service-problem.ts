import { clamp } from "../model/clamp.ts";
import type { ServiceProblem } from "../model/service-problem.ts";
import { readResetTime } from "./read-reset-time.ts";
import { kindOfMessage, type ServiceKind } from "./service-kind.ts";

/** Characters of an error message that are looked at. */
const read = 4096;
/** Code points of it that are kept. */
const kept = 300;

/**
 * What keeps an executor from working, from the message of an error that its service has reported as one.
 *
 * @param message Never what an agent wrote, nor the output of its tools.
 * @param now Milliseconds since 1970; without it no reset time is read.
 * @param kind What is known of it already, such as from a status code.
 * @returns Null for any other error.
 */
export function readServiceProblem(
  message: string,
  now?: number,
  kind: ServiceKind | null = null,
): ServiceProblem | null {
  const line = message
    .slice(0, read)
    .replace(/\s{1,100}/g, " ")
    .trim();
  const told = kind ?? kindOfMessage(line);
  return told === null ? null : serviceProblem(told, line, now === undefined ? null : readResetTime(line, now));
}

/** A problem with as much of its message as is kept. */
export const serviceProblem = (kind: ServiceKind, line: string, until: number | null): ServiceProblem => ({
  kind,
  message: clamp(line, kept),
  ...(until !== null && { until }),
});
