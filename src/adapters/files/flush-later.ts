import { closeSync, constants, fdatasync } from "node:fs";
import { promisify } from "node:util";
import { openRegular } from "./own-file.ts";

/** What was written into a file and is still to be brought to the disk. */
export interface FlushLater {
  /** Something was written. */
  note(): void;
  /** Bring to the disk what was noted; nothing where nothing was. */
  flush(): Promise<void>;
}

/** @param path Where the file is by then. */
export function flushLater(path: () => string): FlushLater {
  // What a start before has written may not be there yet.
  let isDue = true;
  return {
    note: () => {
      isDue = true;
    },
    flush: async () => {
      if (!isDue) return;
      isDue = false;
      try {
        const file = openRegular(path(), constants.O_RDONLY);
        try {
          await sync(file);
        } finally {
          closeSync(file);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
        isDue = true;
        throw error;
      }
    },
  };
}

const sync = promisify(fdatasync);
