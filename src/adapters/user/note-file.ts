import { lstatSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { Speaker, UnheardWord } from "../../model/speaker.ts";
import { checkDataFolder } from "../files/data-folder.ts";
import { readOwnFile } from "../files/read-own-file.ts";
import { refused } from "../files/refused.ts";
import { draftPath, writeAtomic } from "../files/write-atomic.ts";

/** A JSON file in a spec's folder of run data, with which a process sends the coordinator a message. */
export interface NoteFile<Value> {
  isThere(): boolean;
  /** The message; null when there is none, or the file holds something else. */
  read(): Value | null;
  /** Write the message in one step, in place of an earlier one. The folder must exist. */
  leave(value: Value): void;
  /** Answers whether there was one. */
  remove(): boolean;
}

/** @throws {EnvironmentError} `file-refused`, from each of its methods */
export function noteFile<Value>(dataFolder: string, name: string, schema: z.ZodType<Value>): NoteFile<Value> {
  const path = join(dataFolder, name);
  return {
    isThere: () => refused("look at", path, () => lstatSync(path, { throwIfNoEntry: false }) !== undefined),
    read() {
      const text = refused("read", path, () => readOwnFile(path));
      return text === null ? null : (schema.safeParse(valueIn(text)).data ?? null);
    },
    leave(value) {
      checkDataFolder(dataFolder);
      const temporary = draftPath(dataFolder, name);
      refused("write", path, () => writeAtomic(path, `${JSON.stringify(value)}\n`, { temporary, durable: false }));
    },
    remove() {
      checkDataFolder(dataFolder);
      return refused("remove", path, () => isRemoved(path));
    },
  };
}

/** Who asks the run to stop, so that it can go on later. */
export const stopNote = (dataFolder: string): NoteFile<Speaker> => noteFile(dataFolder, "stop", Speaker);

/** The last message that was refused because it came out of a call of the run. */
export const unheardNote = (dataFolder: string): NoteFile<UnheardWord> => noteFile(dataFolder, "unheard", UnheardWord);

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
