import { readJournal } from "../../../adapters/journal/read-journal.ts";
import { failingIn } from "../../../evidence/judge-runs.ts";
import type { Answered, TimedRunRecord } from "../../../model/record.ts";
import { type AttemptKey, attemptOf } from "../../../model/reply.ts";
import { worksOnTasks } from "../../../model/role.ts";
import type { TaskId } from "../../../model/task.ts";
import type { SpecFolder } from "../find-spec.ts";

export interface RecordedAttempt {
  readonly key: AttemptKey;
  readonly task: TaskId;
  readonly attempt: number;
  /** `stopped`: another attempt of the race was proven first. `unjudged`: interrupted, or still running. */
  readonly result: "accepted" | "rejected" | "failed" | "undecided" | "stopped" | "unjudged";
  /** Number of failing checks in the attempt's Verify; null if no Verify was run, or the number is unknown. */
  readonly failing: number | null;
  /** Git tree of the workspace before the attempt; null if no snapshot was stored. */
  readonly found: string | null;
  /** Git tree of the workspace after the attempt; null if no snapshot was stored. */
  readonly left: string | null;
}

/**
 * Read the attempts of a run from its journal, oldest first.
 *
 * @param wanted Number of the run; the latest by default.
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export function readAttempts(
  { dataFolder }: Pick<SpecFolder, "dataFolder">,
  wanted?: number | undefined,
): { readonly run: number; readonly attempts: readonly RecordedAttempt[] } {
  const { run, records } = readJournal(dataFolder, { run: wanted });
  const attempts = new Map<AttemptKey, RecordedAttempt>();
  for (const record of records) note(attempts, record);
  return { run, attempts: [...attempts.values()] };
}

function note(attempts: Map<AttemptKey, RecordedAttempt>, record: TimedRunRecord): void {
  if (record.type === "delegated") {
    if (!worksOnTasks(record.role) || attempts.has(record.key)) return;
    const { key, task, attempt, tree = null, verify } = record;
    const found = verify?.tree ?? tree;
    attempts.set(key, { key, task, attempt, result: "unjudged", failing: null, found, left: null });
    return;
  }
  if (record.type !== "answered" && record.type !== "judged") return;
  const key = attemptOf(record.key);
  const before = attempts.get(key);
  if (before === undefined) return;
  const { verify, judgement } = record;
  const left = (record.type === "answered" ? leftBehind(record) : null) ?? before.left ?? verify?.tree ?? null;
  attempts.set(key, {
    ...before,
    left,
    result:
      record.answer.kind === "raced" && record.answer.outcome === "stopped"
        ? "stopped"
        : (judgement?.kind ?? before.result),
    failing: verify === undefined ? before.failing : failingIn(verify),
  });
}

/** Git tree of the files after an attempt. An attempt stopped in a race has no reply; its answer holds the tree. */
const leftBehind = ({ reply, answer }: Answered): string | null =>
  reply?.tree ?? (answer.kind === "raced" ? answer.content : null);
