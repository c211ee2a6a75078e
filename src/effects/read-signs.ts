import type { Failure, Signs } from "../model/failure.ts";
import type { TaskId } from "../model/task.ts";
import { clamp } from "../model/text.ts";
import { parseApproach } from "../parse/parse-approach.ts";
import { findAdmission } from "../parse/parse-signal.ts";
import type { AttemptRecord } from "../ports/attempt-record.ts";
import { fileStateFor } from "./file-state-for.ts";
import { findTask } from "./find-task.ts";
import type { WholePorts } from "./with-memory.ts";

/** Code points that are kept of what an executor says it tried. */
const kept = 200;

/**
 * What a failed attempt shows of being stuck: what its executor says of itself, and what has become of the files.
 *
 * @param watch Whether anybody asks for the files.
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
