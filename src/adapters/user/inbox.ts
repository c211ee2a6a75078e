import { randomUUID } from "node:crypto";
import { lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { interpreted } from "../../model/parse-json.ts";
import { LeftWord, UnheardWord } from "../../model/person-event.ts";
import { checkDataFolder, makeFolder } from "../files/folder.ts";
import { readOwnFile } from "../files/read-own-file.ts";
import { refused } from "../files/refused.ts";
import { draftPath, writeAtomic } from "../files/write-atomic.ts";

/** Inbox: messages that this user's processes left for a run, until the run has recorded them. */
export interface Inbox {
  /** Leave a message; it survives a power cut. Returns the message's id. */
  leave(word: Omit<LeftWord, "id">): string;
  read(): readonly LeftWord[];
  isThere(id: string): boolean;
  remove(id: string): void;
}

/** Names of message files: the time since boot, by which messages are sorted, and the id. */
const wordName = /^\d{20}-([0-9a-f-]{36})\.json$/;

/**
 * The messages as files in the folder `said`, which exists only while there are messages: an empty inbox costs one
 * system call.
 *
 * @param place The user's folder for the spec. This folder is outside of every workspace, so nothing from a repository
 *   or an executor becomes a message.
 * @throws {EnvironmentError} `file-refused`, from each of its methods
 */
export function openInbox(place: string): Inbox {
  const folder = join(place, "said");
  const names = (): string[] => {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return orNone(() => readdirSync(folder), []).filter((name) => wordName.test(name));
  };
  const nameOf = (id: string): string | undefined => names().find((name) => wordName.exec(name)?.[1] === id);
  return {
    leave: (word) =>
      refused("write", folder, () => {
        const id = randomUUID();
        const path = join(folder, `${String(process.hrtime.bigint()).padStart(20, "0")}-${id}.json`);
        const temporary = join(place, `said-${id}.tmp`);
        // Retry, since the run may be removing the folder after its last message.
        for (let tries = 1; ; tries++) {
          makeFolder(folder, 0o700);
          try {
            writeAtomic(path, `${JSON.stringify({ id, ...word })}\n`, { temporary, durable: true, mode: 0o600 });
            return id;
          } catch (error) {
            if (!isGone(error) || tries === 100) throw error;
          }
        }
      }),
    read: () =>
      refused("read", folder, () =>
        names()
          .sort()
          .flatMap((name) => wordIn(readOwnFile(join(folder, name)))),
      ),
    isThere: (id) => refused("read", folder, () => nameOf(id) !== undefined),
    remove: (id) =>
      refused("remove", folder, () => {
        const name = nameOf(id);
        if (name !== undefined) orNone(() => unlinkSync(join(folder, name)), undefined);
        if (names().length === 0) removeEmpty(folder);
      }),
  };
}

function wordIn(text: string | null): LeftWord[] {
  try {
    return [LeftWord.parse(JSON.parse(text ?? ""), interpreted)];
  } catch {
    return [];
  }
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

function orNone<Result>(act: () => Result, none: Result): Result {
  try {
    return act();
  } catch (error) {
    if (!isGone(error)) throw error;
    return none;
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!isGone(error) && !["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

interface RejectedNote {
  isThere(): boolean;
  read(): UnheardWord | null;
  /** Write the message atomically, in place of an earlier message. The folder must exist. */
  leave(word: UnheardWord): void;
  remove(): boolean;
}

const name = "unheard";

/**
 * The note as a file in the spec's run data, where any program in the workspace may write: the message is only
 * reported, and has no effect.
 *
 * @throws {EnvironmentError} `file-refused`, from each of its methods
 */
export function rejectedNote(dataFolder: string): RejectedNote {
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
