import { ftruncateSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { appendEntry, newProgress } from "../../markdown/progress/append-entry.ts";
import { mergeProgress } from "../../markdown/progress/merge-progress.ts";
import {
  grown,
  type Insertion,
  insertionOf,
  type OpenSections,
  openSections,
} from "../../markdown/progress/open-sections.ts";
import { progressName } from "../../model/file-names.ts";
import type { Documents, ProgressEntry } from "../../ports/documents.ts";
import { lookAtOwn, markOwn, type Stamp, sameStamp, withOwn, writeInPlace } from "../files/own-file.ts";
import { bytesOf, type ReadText, readOwnFile, textOf } from "../files/read-own-file.ts";
import { refused } from "../files/refused.ts";
import type { SpecFiles } from "../files/spec-files.ts";
import { flushLater } from "../files/write-atomic.ts";

/**
 * The progress logs of a spec and of batch members, as files in the spec folder. A log is read again only after it
 * changed. A log is a regular file without further hard links; only the spec's log may be a link to such a file in the
 * folder. Another file in place of a member's log is ignored, and only the first MiB of a member's log is read.
 */
export function progressLog(
  folder: string,
  files: SpecFiles,
): Pick<Documents, "progress" | "append" | "merge"> & { flush(): Promise<void> } {
  const path = join(folder, progressName());
  const memberPath = (member: string): string => join(folder, progressName(member));
  let target = path;
  let log: Known | undefined;
  const lines = flushLater(() => target);
  const read = (): ReadText => textOf(withOwn(target, "read", (file) => readFileSync(file)));
  const look = (): Known | undefined => {
    const entry = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (entry === undefined) {
      target = path;
      return undefined;
    }
    const own = lookAtOwn(path, folder, entry);
    target = own.target;
    if (log === undefined || !sameStamp(log.stamp, own.stamp)) log = cutLostEnd(knownOf(read(), own.stamp));
    return log;
  };
  /** Cut trailing zeros: a power cut may keep the length of the last lines and lose their bytes. */
  const cutLostEnd = (found: Known): Known => {
    const whole = withoutZeros(found.end);
    const lost = found.end.length - whole.length;
    if (lost === 0) return found;
    const cut = () =>
      withOwn(target, "edit", (file, now) => {
        if (!sameStamp(found.stamp, now)) return undefined;
        ftruncateSync(file, Number(now.size) - lost);
        return markOwn(file);
      });
    const stamp = files.edit(() => unlessReadOnly(cut));
    return stamp === undefined ? found : knownOf({ text: whole, isUtf8: found.content?.isUtf8 === true }, stamp);
  };
  const wholeOf = (now: Known | undefined): ReadText => {
    if (now === undefined) return { text: "", isUtf8: true };
    now.content ??= read();
    return now.content;
  };
  /** Flush the edit before the journal records it, and before a merged log is removed. */
  const edit = (change: (before: string) => string): void => {
    const { text, isUtf8 } = wholeOf(look());
    const before = text || newProgress(folder);
    const after = change(before);
    if (after === before) return;
    const stamp = files.replace(target, isUtf8 ? after : bytesOf(after), { mark: markOwn });
    log = knownOf({ text: after, isUtf8 }, stamp);
  };
  /**
   * Add an entry without reading the whole log.
   *
   * @returns Whether the log now has the entry.
   */
  const insert = (entry: ProgressEntry, durable: boolean): boolean => {
    const now = look();
    const sections = now ? sectionsIn(now) : null;
    const insertion = sections && insertionOf(sections, entry);
    if (now === undefined || sections == null || insertion == null) return false;
    if (insertion === "nothing") return true;
    const stamp = splice(now.stamp, insertion, durable);
    const text = insertedInto(now.end, insertion);
    const content = now.content?.text === now.end && text.length <= longestEnd ? { text, isUtf8: true } : undefined;
    log = stamp && { stamp, content, end: endOf(text), sections: grown(sections, entry, insertion) };
    return log !== undefined;
  };
  /**
   * Write an insertion in place if that is atomic, else replace the file.
   *
   * @returns Undefined if another process changed the file, or if the file is read-only.
   */
  const splice = (stamp: Stamp, { text, bytes }: Insertion, durable: boolean): Stamp | undefined => {
    const at = Number(stamp.size) - bytes;
    const inserted = Buffer.from(text);
    // Write in place only within one page: a kill or power cut may leave a longer write incomplete.
    if ((at % pageSize) + inserted.length + bytes <= pageSize) {
      const change = (rest: Buffer): Buffer => Buffer.concat([inserted, rest]);
      return files.edit(() => {
        if (!durable) lines.note();
        return unlessReadOnly(() => writeInPlace(target, { at, length: bytes, change, stamp, durable }));
      });
    }
    const before = withOwn(target, "read", (file, found) => (sameStamp(stamp, found) ? readFileSync(file) : undefined));
    if (before === undefined) return undefined;
    const content = Buffer.concat([before.subarray(0, at), inserted, before.subarray(at)]);
    if (!durable) lines.note({ isNew: true });
    return files.replace(target, content, { durable, mark: markOwn });
  };
  const readMember = (member: string): string =>
    refused("read", memberPath(member), () => readOwnFile(memberPath(member)) ?? "");

  return {
    progress: async (member, last) => {
      if (typeof member === "string") return readMember(member);
      return refused("read", path, () => {
        const now = look();
        return now !== undefined && last !== undefined && now.end.length >= last ? now.end : wholeOf(now).text;
      });
    },
    flush: lines.flush,
    append: async (entry, { durable = true } = {}) =>
      refused("write", path, () => {
        if (!insert(entry, durable)) edit((before) => appendEntry(before, entry));
      }),
    merge: async (members, done) => {
      const left = members.filter((member) => refused("read", memberPath(member), () => isThere(memberPath(member))));
      if (left.length === 0) return;
      const texts = left.map(readMember);
      refused("write", path, () =>
        edit((before) => texts.reduce((log, text) => mergeProgress(log, text, done), before)),
      );
      for (const member of left) refused("remove", memberPath(member), () => remove(memberPath(member)));
    },
  };
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function withoutZeros(text: string): string {
  let length = text.length;
  while (text.charCodeAt(length - 1) === 0) length -= 1;
  return text.slice(0, length);
}

interface Known {
  readonly stamp: Stamp;
  /** Undefined if only the end of the log has been read. */
  content: ReadText | undefined;
  readonly end: string;
  /** Null if the log is not UTF-8; undefined before it is parsed. */
  sections: OpenSections | null | undefined;
}

const knownOf = (content: ReadText, stamp: Stamp): Known => ({
  ...{ stamp, content, end: content.text, sections: undefined },
});

function sectionsIn(now: Known): OpenSections | null {
  const { text, isUtf8 } = now.content ?? { text: "", isUtf8: false };
  if (now.sections === undefined) now.sections = isUtf8 ? openSections(text) : null;
  return now.sections;
}

function insertedInto(end: string, { text, units }: Insertion): string {
  const at = end.length - units;
  return at < 0 ? end : `${end.slice(0, at)}${text}${end.slice(at)}`;
}

/** Return undefined if the file is read-only: the caller then replaces the file. */
function unlessReadOnly<Result>(write: () => Result): Result | undefined {
  try {
    return write();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === "open" && ["EACCES", "EPERM"].includes(code ?? "")) return undefined;
    throw error;
  }
}

/** Number of bytes that every file system writes atomically. */
const pageSize = 4096;

/** Maximum characters of the end of a log that stay in memory: more than prompts show. */
const longestEnd = 6 * 1024;
const endOf = (text: string): string => (text.length > longestEnd ? text.slice(-leastEnd) : text);
const leastEnd = 5 * 1024;

/** Remove a merged log. A folder with this name was not merged, so it stays. */
function remove(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(path, { force: true });
}

/**
 * List the batch members' logs in a spec folder, `1.9` before `1.10`. Skip anything but regular files without further
 * hard links.
 */
export function memberLogsIn(folder: string): string[] {
  const names = refused("read", folder, () => readdirSync(folder)).filter((name) => name.startsWith(".progress-task-"));
  const logs = names.filter((name) => readOwnFile(join(folder, name)) !== null);
  // Create the collator only if needed: that takes 15 ms, a tenth of the start of a run.
  return logs.length < 2 ? logs : logs.sort(new Intl.Collator("en", { numeric: true }).compare);
}
