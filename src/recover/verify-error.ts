import type { CommandEnd } from "../model/evidence.ts";
import type { FailedCheck, OutputDigest } from "../model/failure-set.ts";
import type { Ending, Reply } from "../model/reply.ts";
import { clamp } from "../model/text.ts";

/** A duration as written on the command line, such as `90s`. */
export function durationPhrase(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  if (ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;
}

const sizePhrase = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;

const told: Partial<Record<Ending, (limit: number) => string>> = {
  timeout: (ms) => `Stopped after ${durationPhrase(ms)} (--task-timeout)`,
  idle: (ms) => `Stopped after ${durationPhrase(ms)} without output (--idle-timeout)`,
  flood: (bytes) => `Stopped after ${sizePhrase(bytes)} of output (--max-output)`,
};

/**
 * The limit that stopped an executor, and its option. Null if no limit stopped the executor, or if the limit is
 * unknown.
 */
export const limitPhrase = ({ ended = "exit", limit }: Pick<Reply, "ended" | "limit">): string | null =>
  limit === undefined ? null : (told[ended]?.(limit) ?? null);

export type VerifyRan = CommandEnd & { readonly digest: OutputDigest | null };

const maxError = 500;

export function verifyError({ digest, ...end }: VerifyRan): string {
  const said = digest === null || end.timedOut ? null : renderDigest(digest);
  return clamp(`Verify ${endPhrase(end)}${said === null ? "" : said}`, maxError);
}

function endPhrase({ exitCode, timedOut, limitMs, limitBytes }: CommandEnd): string {
  if (timedOut)
    return limitMs === undefined ? "timed out" : `timed out after ${durationPhrase(limitMs)} (--verify-timeout)`;
  if (limitBytes !== undefined) return `was stopped after ${sizePhrase(limitBytes)} of output (--max-output)`;
  return `failed (${exitCode === null ? "ended by a signal" : `exit ${exitCode}`})`;
}

function renderDigest(digest: OutputDigest): string | null {
  const error = errorIn(digest);
  switch (digest.source) {
    case "tools":
      return `, ${renderCount(digest)}${error === undefined ? "" : `: ${renderCheck(error)}`}`;
    case "count":
      return `, ${renderCount(digest)}${error === undefined || error.message === renderCount(digest) ? "" : `: ${error.message}`}`;
    case "passing-run":
    case "failing-run":
    case "last-line":
      return error === undefined ? "" : `: ${error.message}`;
    case "nothing":
      return null;
  }
}

/** The failure that describes an output best: the first failure if a tool names its failures, else the last line. */
export const errorIn = ({ source, failures }: OutputDigest): FailedCheck | undefined =>
  // The final error is printed last.
  source === "tools" ? failures[0] : failures.at(-1);

const renderCount = ({ failures, failed, ran }: OutputDigest): string => {
  const count = failed ?? failures.length;
  return ran !== null && ran >= count ? `${count} of ${ran} failing` : `${count} failing`;
};

export function renderCheck({ id, message, expected, actual }: FailedCheck): string {
  const told = message === id || id.includes(message) ? id : `${id}: ${message}`;
  if (expected === undefined || actual === undefined) return told;
  return told.includes(expected) && told.includes(actual) ? told : `${told} (expected ${expected}, got ${actual})`;
}
