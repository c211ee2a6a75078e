import type { Failure, Signs } from "../model/failure.ts";
import type { TaskId } from "../model/task.ts";
import { clamp } from "../model/text.ts";
import { parseApproach } from "../parse/parse-approach.ts";
import { findAdmission } from "../parse/parse-signal.ts";
import type { AttemptRecord } from "../ports/attempt-record.ts";
import { fileStateFor } from "./file-state-for.ts";
import { findTask } from "./find-task.ts";
import type { WholePorts } from "./with-memory.ts";

/** Maximum length of what an executor says it tried, in code points. */
const kept = 200;

/**
 * Signs of being stuck in a failed attempt: the executor's own words, and the state of the files.
 *
 * @param watch Whether the file state is needed.
 */
export async function readSigns(
  ports: WholePorts,
  task: TaskId,
  { attemptedFix, unstated }: Failure,
  { reply, fileState: before }: AttemptRecord,
  watch: boolean,
): Promise<Signs> {
  const { strategy, findings } = parseApproach(reply.text);
  const fileState = watch ? await fileStateFor(ports, await findTask(ports, task)) : null;
  return {
    strategy: strategy ?? (unstated.includes("attemptedFix") ? null : clamp(attemptedFix, kept)),
    findings: [...findings],
    admission: findAdmission(reply.text),
    fileState,
    changed: fileState === null || before === null ? null : fileState !== before,
  };
}
