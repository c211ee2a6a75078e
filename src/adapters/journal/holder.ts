import { hostname } from "node:os";
import { EnvironmentError } from "../../model/errors.ts";
import { isAlive } from "../processes/process-identity.ts";
import type { Segment, SegmentHeader } from "./journal-segment.ts";

/**
 * Refuse when another coordinator holds the spec.
 *
 * @throws {EnvironmentError} `spec-locked`, naming the holder; `spec-on-other-host`
 */
export function checkHolder({ segments }: { readonly segments: readonly Segment[] }, options: TakeOver): void {
  const last = segments.at(-1);
  if (last !== undefined && !isLetGo(last)) checkProcess(last.header, options);
}

interface TakeOver {
  /** Whether to assume that a holder on another machine is gone. */
  readonly takeOver: boolean;
}

/**
 * Refuse when a coordinator that has not released the spec is alive, as far as can be known.
 *
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`
 */
export function checkProcess({ pid, pidStart, host, at }: SegmentHeader, { takeOver }: TakeOver): void {
  const since = new Date(at).toISOString();
  if (host !== hostname()) {
    if (takeOver) return;
    throw new EnvironmentError(
      `Cannot take the spec, expected process ${pid} on \`${host}\` (since ${since}) to have ended`,
      {
        code: "spec-on-other-host",
        ways: [{ say: "If you are sure that it no longer runs there, take the spec over", words: ["--take-over"] }],
      },
    );
  }
  if (!isAlive({ pid, pidStart })) return;
  throw new EnvironmentError(`Cannot take the spec, process ${pid} on \`${host}\` holds it since ${since}`, {
    code: "spec-locked",
    // The process may be at work on other specs, too.
    ways: [{ say: "Wait for it to end, or end it", command: "stop" }],
  });
}

/** Whether a start has recorded that it no longer holds the spec. */
function isLetGo({ records }: Segment): boolean {
  const end = records.at(-1)?.type;
  return end === "ended" || end === "released";
}
