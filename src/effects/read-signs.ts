import { readPaths } from "../markdown/lint/find-shared-files.ts";
import type { Failure, Signs } from "../model/failure.ts";
import type { Reply } from "../model/reply.ts";
import type { Task, TaskId } from "../model/task.ts";
import { clamp } from "../model/text.ts";
import { parseApproach } from "../parse/parse-approach.ts";
import { findAdmission } from "../parse/parse-signal.ts";
import type { AttemptRecord } from "../ports/attempt-record.ts";
import { findTask } from "./find-task.ts";
import type { WholePorts } from "./with-memory.ts";

/** Maximum length of an attempted fix, in code points. */
const kept = 200;

/**
 * Signs of being stuck in a failed attempt: the executor's own words, and the state of the files.
 *
 * @param watch Whether the file state is needed.
 */
export async function readSigns(
  ports: WholePorts,
  task: TaskId,
  failure: Failure,
  { reply, fileState: before }: AttemptRecord,
  watch: boolean,
): Promise<Signs> {
  const fileState = watch ? await fileStateFor(ports, await findTask(ports, task)) : null;
  return {
    strategy: strategyOf(reply, failure),
    findings: [...parseApproach(reply.text).findings],
    admission: findAdmission(reply.text),
    fileState,
    changed: fileState === null || before === null ? null : fileState !== before,
  };
}

/** The approach that an executor names in its message, else the attempted fix in its failure report. */
export const strategyOf = ({ text }: Reply, { attemptedFix, unstated }: Failure): string | null =>
  parseApproach(text).strategy ?? (unstated.includes("attemptedFix") ? null : clamp(attemptedFix, kept));

/** Fingerprint of the files, compared between attempts at a task; null if the fingerprint is unknown. */
export const fileStateFor = async ({ fileState }: WholePorts, { fields }: Task): Promise<string | null> =>
  (await fileState?.(readPaths(fields.files ?? ""))) ?? null;
