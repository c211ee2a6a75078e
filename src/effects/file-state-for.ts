import { readPaths } from "../markdown/lint/find-shared-files.ts";
import type { Task } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/** The state of the files, as far as a task says which count; null when it is not known. */
export const fileStateFor = async ({ fileState }: WholePorts, { fields }: Task): Promise<string | null> =>
  (await fileState?.(readPaths(fields.files ?? ""))) ?? null;
