import { memberLogsIn } from "../../../adapters/documents/progress-log.ts";
import type { StateReading } from "../../../adapters/documents/state-file.ts";
import type { SpecFiles } from "../../../adapters/files/spec-files.ts";
import type { JournalReading } from "../../../adapters/journal/read-journal.ts";
import type { RunMemory } from "../../../effects/run-memory.ts";
import type { Agreement } from "../../../model/agreement.ts";
import { memberIn, progressName } from "../../../model/file-names.ts";
import type { Plan } from "../../../model/plan.ts";
import type { Task, TaskId } from "../../../model/task.ts";
import type { Start as AnyStart } from "../../../runtime/start.ts";
import type { VerifyCommands } from "../consent/verify-commands.ts";
import type { SpecFolder } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";
import type { CommitGuard } from "./commit-guard.ts";

export interface Consent {
  current(): Agreement;
  agree(agreement: Agreement): void;
}

export interface Start extends AnyStart {
  readonly options: RunOptions;
  readonly workspace: string;
  readonly spec: SpecFolder;
  /** Writers of the spec's files while this process holds the spec. */
  readonly files: SpecFiles;
  readonly reading: JournalReading;
  readonly state: StateReading;
  /** The Verify commands that may run; null when the run executes none. */
  readonly agreed: VerifyCommands | null;
  /** All commands that the plan names, whether they may run or not. */
  readonly commands: readonly string[];
  readonly consent: Consent;
  readonly guard: CommitGuard;
}

/**
 * Merge logs of batch tasks that no batch of this run will merge. These are logs of another coordinator (file names may
 * contain task indices), and logs of tasks that a person has done or the run has skipped.
 *
 * @param batch Tasks of the batch in which the run resumes; empty if there is none.
 */
export async function mergeLeftLogs(
  { spec, documents, origin }: Pick<Start, "spec" | "documents" | "origin">,
  { tasks }: Plan,
  memory: RunMemory,
  batch: readonly TaskId[],
): Promise<void> {
  const logs = memberLogsIn(spec.folder);
  if (logs.length === 0) return;
  const isAwaited = ({ id, done }: Task): boolean =>
    batch.includes(id) || memory.unlogged().has(id) || (!done && !memory.skipped().has(id));
  const taskOf = new Map(tasks.map((task) => [progressName(task.id), task]));
  const members = logs.flatMap((name) => {
    const task = taskOf.get(name);
    if (task !== undefined) return !origin.fresh && isAwaited(task) ? [] : [task.id];
    return memberIn(name) ?? [];
  });
  const doneBefore = tasks.filter(({ id, done }) => done && !memory.isAccepted(id)).map(({ id }) => id);
  await documents.merge(members, new Set(doneBefore));
}
