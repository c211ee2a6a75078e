import { readPaths } from "../markdown/lint/find-shared-files.ts";
import type { Task } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/** Fingerprint of the files that count for a task; null if unknown. */
export const fileStateFor = async ({ fileState }: WholePorts, { fields }: Task): Promise<string | null> =>
  (await fileState?.(readPaths(fields.files ?? ""))) ?? null;
