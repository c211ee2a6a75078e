import type { OutputDigest } from "../model/failed-check.ts";
import { tellCheck } from "./verify-error.ts";

/** What a red check has left to look at. */
export interface CheckEvidence {
  /** What its output says of what failed; null where there is no log. */
  readonly digest: OutputDigest | null;
  /** Failures that it points at itself. */
  readonly annotations: readonly string[];
  readonly summary: string | null;
}

/**
 * The error of a red check in a line. Tools that are known tell most; then what the check points at; what was printed
 * last tells more than a summary.
 */
export function readCheckFailure(check: string, { digest, annotations, summary }: CheckEvidence): string {
  const [first, last] = [digest?.failures[0], digest?.failures.at(-1)];
  if (digest?.source === "tools" && first !== undefined) return tellCheck(first);
  return annotations[0] ?? last?.message ?? summary ?? `The check ${check} fails, and shows no log`;
}

/** Longest paths first, so that a path is not found in another. */
export const pathsIn = (text: string, paths: readonly string[]): string[] =>
  paths.filter((path) => text.includes(path)).slice(0, 5);
