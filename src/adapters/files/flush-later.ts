import { closeSync, constants, fdatasync, fsync, openSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { openRegular } from "./own-file.ts";

/** Flushes a file some time after it was written. */
export interface FlushLater {
  /** Say that the file was written. @param isNew Whether another file has taken its place. */
  note(how?: { readonly isNew: boolean }): void;
  /** Bring the file to the disk if it was written since the last flush. */
  flush(): Promise<void>;
}

/** @param path Gives the path of the file. Called when it is flushed. */
export function flushLater(path: () => string): FlushLater {
  // A start that was killed may have left something unflushed.
  let isDue = true;
  let isNameDue = true;
  return {
    note: ({ isNew } = { isNew: false }) => {
      isDue = true;
      isNameDue ||= isNew;
    },
    flush: async () => {
      if (!isDue) return;
      const isNamed = isNameDue;
      isDue = false;
      isNameDue = false;
      try {
        const place = path();
        await flushed(openRegular(place, constants.O_RDONLY), flushContent);
        if (isNamed) await flushed(openSync(dirname(place), constants.O_RDONLY), flushWhole);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
        isDue = true;
        isNameDue = isNamed;
        throw error;
      }
    },
  };
}

async function flushed(file: number, flush: (file: number) => Promise<void>): Promise<void> {
  try {
    await flush(file);
  } finally {
    closeSync(file);
  }
}

const flushContent = promisify(fdatasync);
const flushWhole = promisify(fsync);
