import { closeSync, constants, fdatasync } from "node:fs";
import { promisify } from "node:util";
import { openRegular } from "./own-file.ts";

/** Flushes a file some time after it was written. */
export interface FlushLater {
  /** Say that the file was written. */
  note(): void;
  /** Bring the file to the disk if it was written since the last flush. */
  flush(): Promise<void>;
}

/** @param path Gives the path of the file. Called when it is flushed. */
export function flushLater(path: () => string): FlushLater {
  // A start that was killed may have left something unflushed.
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
