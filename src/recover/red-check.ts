import { failureSetOf, type OutputDigest } from "../model/failure-set.ts";
import type { AddedTask } from "../model/pull-request.ts";
import type { Task } from "../model/task.ts";
import { fingerprint, lastOf } from "../model/text.ts";
import { renderCheck } from "./verify-error.ts";

export interface CheckEvidence {
  readonly digest: OutputDigest | null;
  readonly annotations: readonly string[];
  readonly summary: string | null;
}

/**
 * The error of a red check in one line. In order of preference: output of a known tool, annotations, the last output
 * line, the summary.
 */
export function readCheckFailure(check: string, { digest, annotations, summary }: CheckEvidence): string {
  const [first, last] = [digest?.failures[0], digest?.failures.at(-1)];
  if (digest?.source === "tools" && first !== undefined) return renderCheck(first);
  return annotations[0] ?? last?.message ?? summary ?? `The check ${check} fails without a log`;
}

export const pathsIn = (text: string, paths: readonly string[]): string[] =>
  paths.filter((path) => text.includes(path)).slice(0, 5);

export interface RedNames {
  readonly fingerprint: string;
  /** Sorted; null if no tool names the failures. */
  readonly names: readonly string[] | null;
}

export const namesOf = (error: string, digest: OutputDigest | null): RedNames => ({
  fingerprint: fingerprint(error),
  names: digest === null ? null : (failureSetOf(digest)?.ids ?? null),
});

/** Whether every failure of `one` is also a failure of `other`. */
export const failsWithin = (one: RedNames, other: RedNames): boolean =>
  one.names !== null && other.names !== null
    ? one.names.every((name) => other.names?.includes(name))
    : one.fingerprint === other.fingerprint;

const maxReply = 600;
const maxTried = 2000;

/**
 * Results of earlier tasks for a red check, oldest first. If there are many results, only the last results are shown.
 * Empty without results.
 */
export function renderTried(
  before: readonly (readonly [id: string, task: AddedTask])[],
  tasks: readonly Pick<Task, "id" | "title">[],
): string {
  const lines = before.map(([id, { result }]) => {
    const title = tasks.find((task) => task.id === id)?.title;
    const what = `- ${title === undefined ? `task ${id}` : `${id} ${title}`}`;
    if (result === null) return `${what}: not done`;
    const reply = endOf(result.reply);
    return `${what}: ${result.commit === null ? "no commit" : `commit ${result.commit}`}${reply === "" ? "" : `; its executor ended with: ${reply}`}`;
  });
  return lastOf(lines, maxTried).join("\n");
}

/** The end of an executor's message, without its signal. */
function endOf(reply: string): string {
  const words = reply
    .replace(/\bTASK_COMPLETE\b/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return words.length <= maxReply ? words : `…${words.slice(-maxReply).replace(/^\S*/, "")}`;
}
