import type { TaskId } from "../../../model/task.ts";
import { type RecordedAttempt, readAttempts } from "./read-attempts.ts";
import { type AttemptsAsked, withSnapshots } from "./snapshots-of.ts";

/** An attempt with the size of its changes; `changes` is null if its files are not kept. */
export interface ListedAttempt extends Pick<RecordedAttempt, "key" | "task" | "attempt" | "result" | "failing"> {
  readonly changes: { readonly files: number; readonly added: number; readonly removed: number } | null;
}

export interface ListedAttempts {
  readonly run: number;
  readonly attempts: readonly ListedAttempt[];
}

/**
 * List the attempts of a run with the size of their changes. Read-only, so the run may be at work.
 *
 * @param task Only attempts at this task.
 * @throws {EnvironmentError} `attempts-unknown`, and what reading the journal throws
 */
export async function listAttempts(asked: AttemptsAsked, task?: TaskId): Promise<ListedAttempts> {
  const { run, attempts } = readAttempts(asked.spec, asked.run);
  const wanted = attempts.filter((attempt) => task === undefined || attempt.task === task);
  if (wanted.length === 0) return { run, attempts: [] };
  return withSnapshots(asked, run, async (snapshots) => {
    const listed: ListedAttempt[] = [];
    for (const { found, left, ...attempt } of wanted) {
      const isKept = found !== null && left !== null && (await snapshots?.has(found)) && (await snapshots?.has(left));
      const changes = isKept === true ? ((await snapshots?.stat(found, left)) ?? null) : null;
      listed.push({ ...attempt, changes });
    }
    return { run, attempts: listed };
  });
}
