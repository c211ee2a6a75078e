import {
  type BigIntStats,
  closeSync,
  existsSync,
  fstatSync,
  futimesSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { applyEdit, byteOffset, openPlan, type PlanDocument, reopenPlan } from "../markdown/document/plan-document.ts";
import { fixEdit } from "../markdown/insert-fix-task.ts";
import { appendCompleted, appendFixHistory } from "../markdown/progress/append-progress.ts";
import { newProgress } from "../markdown/progress/new-progress.ts";
import { tickEdit } from "../markdown/tick-task.ts";
import { EnvironmentError } from "../model/errors.ts";
import type { Documents } from "../ports.ts";
import { refused } from "./refused.ts";
import { writeAtomic } from "./write-atomic.ts";

/** A file's identity and time; equal ones mean an unchanged file. */
interface Stamp {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

/**
 * The documents of a spec as files. A tick is one byte written in place; an insertion replaces the file in one go. The
 * plan is read again only when the file has changed.
 *
 * @param checkFence Throws when another coordinator has taken the spec over; called before the plan is written.
 */
export function fileStore({
  folder,
  dataFolder,
  checkFence = () => {},
}: {
  folder: string;
  dataFolder: string;
  checkFence?: () => void;
}): Documents & { read(): Promise<PlanDocument> } {
  const tasksPath = join(folder, "tasks.md");
  const progressPath = join(folder, ".progress.md");
  const temporary = join(dataFolder, "replacement.tmp");
  let bytes = Buffer.alloc(0);
  let encoding: BufferEncoding = "utf8";
  let document: PlanDocument | undefined;
  let stamp: Stamp | undefined;

  /** The plan as the file says; the same object when it has not changed. */
  const look = (): PlanDocument => {
    const found = stampOf(tasksPath);
    if (document !== undefined && same(stamp, found)) return document;
    // Marked before it is read: a change after that shows.
    stamp = document === undefined ? found : markPath(tasksPath);
    const content = readFileSync(tasksPath);
    if (document === undefined || !content.equals(bytes)) {
      encoding = encodingOf(content);
      const text = content.toString(encoding);
      document = document === undefined ? openPlan(text) : reopenPlan(document, text);
      bytes = content;
    }
    return document;
  };
  /** Remember what an edit of ours made of the plan. */
  const note = (after: PlanDocument, content: Buffer<ArrayBuffer>, written: Stamp): PlanDocument => {
    document = after;
    bytes = content;
    stamp = written;
    return after;
  };
  let log: { text: string; encoding: BufferEncoding; stamp: Stamp } | undefined;
  const readLog = (): { text: string; encoding: BufferEncoding } => {
    if (!existsSync(progressPath)) return { text: "", encoding: "utf8" };
    const found = stampOf(progressPath);
    if (log === undefined || !same(log.stamp, found)) {
      const content = readFileSync(progressPath);
      const kept = encodingOf(content);
      log = { text: content.toString(kept), encoding: kept, stamp: found };
    }
    return log;
  };
  /** An editor's save between our look and our write must not be lost. */
  const unchanged = (): void => {
    if (!same(stamp, stampOf(tasksPath))) throw changedUnderneath(tasksPath);
  };
  const offsetIn = (at: PlanDocument, offset: number): number =>
    encoding === "utf8" ? byteOffset(at, offset) : offset;

  return {
    read: async () => refused("read", tasksPath, look),
    insert: async (fix) =>
      refused("write", tasksPath, () => {
        const before = look();
        const edit = fixEdit(before, fix);
        if (edit.text === "") return { before, after: before };
        checkFence();
        const at = offsetIn(before, edit.start);
        // Of a file that is not UTF-8 every byte was read as one character; the insertion is UTF-8 all the same.
        const content = Buffer.concat([bytes.subarray(0, at), Buffer.from(edit.text, "utf8"), bytes.subarray(at)]);
        const written = writeAtomic(tasksPath, content, { temporary, durable: true, mark: markOwn, check: unchanged });
        const after = encoding === "utf8" ? edit.after : reopenPlan(before, content.toString(encoding));
        return { before, after: note(after, content, written) };
      }),
    tick: async (task, done) =>
      refused("write", tasksPath, () => {
        const before = look();
        const edit = tickEdit(before, task, done);
        if (edit === null) return { before, after: before };
        checkFence();
        const at = offsetIn(before, edit.start);
        const written = overwriteByte(tasksPath, at, bytes, edit.text);
        bytes[at] = edit.text.charCodeAt(0);
        return { before, after: note(applyEdit(before, edit), bytes, written) };
      }),
    progress: async () =>
      refused("read", progressPath, () => {
        const { text, encoding: kept } = readLog();
        return kept === "utf8" ? text : Buffer.from(text, kept).toString("utf8");
      }),
    append: async (entry) =>
      refused("write", progressPath, () => {
        const { text, encoding: kept } = readLog();
        const before = text || newProgress(folder);
        const inKept = (text: string): string => (kept === "utf8" ? text : Buffer.from(text).toString(kept));
        const after =
          entry.kind === "completed"
            ? appendCompleted(before, { ...entry, title: inKept(entry.title) })
            : appendFixHistory(before, entry);
        if (after === before) return;
        checkFence();
        const written = writeAtomic(progressPath, Buffer.from(after, kept), {
          temporary,
          durable: false,
          mark: markOwn,
        });
        log = { text: after, encoding: kept, stamp: written };
      }),
  };
}

/** Make the folder of run data, which keeps itself out of version control. */
export function makeDataFolder(dataFolder: string): void {
  refused("make", dataFolder, () => {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    const ignore = join(dataFolder, ".gitignore");
    // An empty one was being written when a start was killed.
    if ((statSync(ignore, { throwIfNoEntry: false })?.size ?? 0) === 0) writeFileSync(ignore, "*\n");
  });
}

/** Make the progress log of a spec when there is none. */
export function makeProgress(path: string, name: string): void {
  if (existsSync(path)) return;
  refused("write", path, () => writeFileSync(path, newProgress(name), { flag: "wx" }));
}

function overwriteByte(path: string, at: number, expected: Buffer, text: string): Stamp {
  const file = openSync(path, "r+");
  try {
    const around = Buffer.alloc(3);
    readSync(file, around, 0, 3, at - 1);
    if (!around.equals(expected.subarray(at - 1, at + 2))) throw changedUnderneath(path);
    writeSync(file, text, at, "latin1");
    const written = markOwn(file);
    if (written.size !== BigInt(expected.length)) throw changedUnderneath(path);
    return written;
  } finally {
    closeSync(file);
  }
}

const changedUnderneath = (path: string): EnvironmentError =>
  new EnvironmentError(`Cannot write \`${path}\`, it was changed at that moment`, {
    code: "plan-changed-underneath",
    hint: "Run again: the plan is read anew",
  });

const stampOf = (path: string): Stamp => stampIn(statSync(path, { bigint: true }));
const stampIn = ({ ino, size, mtimeNs }: BigIntStats): Stamp => ({ ino, size, mtimeNs });

const same = (a: Stamp | undefined, b: Stamp): boolean =>
  a !== undefined && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;

/**
 * Give an open file a time that no other write can leave: the system's own times are as coarse as its clock tick,
 * within which an executor may change a file without changing its time. The owner of the file alone may do so; that of
 * another keeps the system's.
 */
function markOwn(file: number): Stamp {
  const now = Date.now() / 1000;
  try {
    futimesSync(file, now, now + ownFraction);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") throw error;
  }
  return stampIn(fstatSync(file, { bigint: true }));
}

function markPath(path: string): Stamp {
  const file = openSync(path, "r");
  try {
    return markOwn(file);
  } finally {
    closeSync(file);
  }
}

/** Seconds; too fine for a clock tick, and within what a file system keeps. */
const ownFraction = 0.000_123;

/** UTF-8 when the bytes are that, else one character a byte, so that nothing is lost on the way back. */
function encodingOf(content: Buffer): BufferEncoding {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(content);
    return "utf8";
  } catch {
    return "latin1";
  }
}
