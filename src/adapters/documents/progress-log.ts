import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { appendEntry } from "../../markdown/progress/append-entry.ts";
import { mergeProgress } from "../../markdown/progress/merge-progress.ts";
import { newProgress } from "../../markdown/progress/new-progress.ts";
import { progressName } from "../../model/progress-name.ts";
import type { Documents } from "../../ports/documents.ts";
import { bytesOf, type ReadText, textOf } from "../files/bytes-as-text.ts";
import { lookAtOwn, markOwn, readOwnFile, type Stamp, sameStamp, withOwn } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { writeAtomic } from "../files/write-atomic.ts";

/**
 * The progress log of a spec, and the logs of the members of a batch, as files in its folder. The log is read again
 * only when it has changed. It is a regular file of its own, or a link to one inside the folder. Of a member's log only
 * the first MiB counts; one that is no regular file of its own is ignored.
 *
 * @param temporary File that is written first and then replaces the log.
 * @param checkFence Throws when another coordinator has taken the spec over; called before anything is written.
 */
export function progressLog(
  folder: string,
  temporary: string,
  checkFence: () => void,
): Pick<Documents, "progress" | "append" | "merge"> {
  const path = join(folder, progressName());
  const memberPath = (member: string): string => join(folder, progressName(member));
  let target = path;
  let log: (ReadText & { readonly stamp: Stamp }) | undefined;
  const look = (): ReadText => {
    const entry = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (entry === undefined) return { text: "", isUtf8: true };
    const own = lookAtOwn(path, folder, entry);
    target = own.target;
    if (log === undefined || !sameStamp(log.stamp, own.stamp)) {
      log = { ...textOf(withOwn(target, "read", (file) => readFileSync(file))), stamp: own.stamp };
    }
    return log;
  };
  /** It must be on the disk before the journal records it, and before the merged log is removed. */
  const edit = (change: (before: string) => string): void => {
    const { text, isUtf8 } = look();
    const before = text || newProgress(folder);
    const after = change(before);
    if (after === before) return;
    checkFence();
    const content = isUtf8 ? after : bytesOf(after);
    log = {
      text: after,
      isUtf8,
      stamp: writeAtomic(target, content, { temporary, durable: true, mark: markOwn, check: checkFence }),
    };
  };
  const readMember = (member: string): string =>
    refused("read", memberPath(member), () => readOwnFile(memberPath(member)) ?? "");

  return {
    progress: async (member) => (member === undefined ? refused("read", path, () => look().text) : readMember(member)),
    append: async (entry) => refused("write", path, () => edit((before) => appendEntry(before, entry))),
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

/** A folder of that name was not merged. */
function remove(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(path, { force: true });
}

/**
 * Names of the logs of batch members in the folder of a spec, `1.9` before `1.10`. What is no regular file of its own
 * is skipped.
 */
export function memberLogsIn(folder: string): string[] {
  const names = refused("read", folder, () => readdirSync(folder)).filter((name) => name.startsWith(".progress-task-"));
  return names.filter((name) => readOwnFile(join(folder, name)) !== null).sort(byNumber);
}

const { compare: byNumber } = new Intl.Collator("en", { numeric: true });
