import { join } from "node:path";
import { fileNamePart } from "../model/file-name-part.ts";
import type { AttemptKey } from "../model/reply.ts";

/** Where an attempt's output lies. */
export interface OutputPaths {
  readonly stdout: string;
  readonly stderr: string;
  /** The final message, where it is not the whole stdout. */
  readonly message: string;
}

/** Where an attempt's output lies. No key leads out of the folder. */
export function outputPaths(folder: string, key: AttemptKey): OutputPaths {
  const path = join(folder, fileNamePart(key));
  return { stdout: `${path}.out`, stderr: `${path}.err`, message: `${path}.msg` };
}
