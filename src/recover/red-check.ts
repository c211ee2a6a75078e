import { failureSetOf, type OutputDigest } from "../model/failure-set.ts";
import type { AddedTask } from "../model/pull-request.ts";
import type { Task } from "../model/task.ts";
import { fingerprint, lastOf } from "../model/text.ts";
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

/** What tells a red check from another: what failed, by names where tools give them, and the error. */
export interface RedNames {
  readonly fingerprint: string;
  /** Sorted; null where no tool names what failed. */
  readonly names: readonly string[] | null;
}

export const namesOf = (error: string, digest: OutputDigest | null): RedNames => ({
  fingerprint: fingerprint(error),
  names: digest === null ? null : (failureSetOf(digest)?.ids ?? null),
});

/** Whether nothing fails in a check that does not fail in another one as well. */
export const failsWithin = (one: RedNames, other: RedNames): boolean =>
  one.names !== null && other.names !== null
    ? one.names.every((name) => other.names?.includes(name))
    : one.fingerprint === other.fingerprint;

/** Characters of what an earlier task has ended with, and of all of them. */
const maxReply = 600;
const maxTried = 2000;

/** What earlier tasks for a red check came to, oldest first; of many the last ones. Empty without any. */
export function tellTried(
  before: readonly (readonly [id: string, task: AddedTask])[],
  tasks: readonly Pick<Task, "id" | "title">[],
): string {
  const lines = before.map(([id, { result }]) => {
    const title = tasks.find((task) => task.id === id)?.title;
    const what = `- ${title === undefined ? `task ${id}` : `${id} ${title}`}`;
    if (result === null) return `${what}: not done`;
    const reply = endOf(result.reply);
    return `${what}: ${result.commit === null ? "no commit" : `commit ${result.commit}`}${reply === "" ? "" : `, which ended with: ${reply}`}`;
  });
  return lastOf(lines, maxTried).join("\n");
}

/** The end of what an executor said, without its signal. */
function endOf(reply: string): string {
  const words = reply
    .replace(/\bTASK_COMPLETE\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return words.length <= maxReply ? words : `…${words.slice(-maxReply).replace(/^\S*/, "")}`;
}
