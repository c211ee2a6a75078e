import { lstatSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { Speaker, UnheardWord } from "../../model/speaker.ts";
import { checkDataFolder } from "../files/data-folder.ts";
import { readOwnFile } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { draftPath, writeAtomic } from "../files/write-atomic.ts";

/** A file of JSON in a spec's folder of run data, by which one process tells its coordinator something. */
export interface NoteFile<Value> {
  isThere(): boolean;
  /** What it says; null when it is not there, and for what is no such note. */
  read(): Value | null;
  /** Put it there whole, in the place of one before. The folder must be there. */
  leave(value: Value): void;
  /** Answers whether it was there. */
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

/** Who wants the run to end so that it can go on. */
export const stopNote = (dataFolder: string): NoteFile<Speaker> => noteFile(dataFolder, "stop", Speaker);

/** The last word that was refused since it came out of a call of the run. */
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
