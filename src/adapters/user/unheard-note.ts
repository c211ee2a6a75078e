import { lstatSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { interpreted } from "../../model/interpreted.ts";
import { UnheardWord } from "../../model/speaker.ts";
import { checkDataFolder } from "../files/data-folder.ts";
import { readOwnFile } from "../files/read-own-file.ts";
import { refused } from "../files/refused.ts";
import { draftPath, writeAtomic } from "../files/write-atomic.ts";

/** The last message that was refused because it came out of a call of the run. */
export interface UnheardNote {
  isThere(): boolean;
  /** The message; null when there is none, or the file holds something else. */
  read(): UnheardWord | null;
  /** Write the message in one step, in place of an earlier one. The folder must exist. */
  leave(word: UnheardWord): void;
  /** Answers whether there was one. */
  remove(): boolean;
}

const name = "unheard";

/**
 * The note as a file in a spec's folder of run data, where whatever works in the workspace may write: it is told, and
 * changes nothing.
 *
 * @throws {EnvironmentError} `file-refused`, from each of its methods
 */
export function unheardNote(dataFolder: string): UnheardNote {
  const path = join(dataFolder, name);
  return {
    isThere: () => refused("look at", path, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined),
    read() {
      const text = refused("read", path, () => readOwnFile(path));
      return text === null ? null : (UnheardWord.safeParse(valueIn(text), interpreted).data ?? null);
    },
    leave(word) {
      checkDataFolder(dataFolder);
      const temporary = draftPath(dataFolder, name);
      refused("write", path, () => writeAtomic(path, `${JSON.stringify(word)}\n`, { temporary, durable: false }));
    },
    remove() {
      checkDataFolder(dataFolder);
      return refused("remove", path, () => isRemoved(path));
    },
  };
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRemoved(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return false;
  }
}
