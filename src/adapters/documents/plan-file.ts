import { fdatasyncSync, fstatSync, lstatSync, readFileSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkPlanBytes, checkPlanSize } from "../../markdown/check-plan-size.ts";
import { closeEdits } from "../../markdown/close-task.ts";
import {
  applyEdit,
  byteOffset,
  type Edit,
  openPlan,
  type PlanDocument,
  reopenPlan,
} from "../../markdown/document/plan-document.ts";
import { fixEdit } from "../../markdown/insert-fix-task.ts";
import { tasksEdits } from "../../markdown/insert-tasks.ts";
import { tickEdit } from "../../markdown/tick-task.ts";
import { EnvironmentError } from "../../model/errors.ts";
import type { Documents, PlanEdit } from "../../ports/documents.ts";
import { bytesOf, textOf } from "../files/bytes-as-text.ts";
import { lookAtOwn, markOwn, type OwnFile, type Stamp, sameStamp, stampIn, withOwn } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { writeAtomic } from "../files/write-atomic.ts";

/** What is done to the plan of a spec. */
export interface PlanFile extends Pick<Documents, "insert" | "tick" | "close" | "change"> {
  read(): Promise<PlanDocument>;
}

/**
 * A plan as a file. A tick is one byte written in place; an insertion, with the tick that goes with it, replaces the
 * file in one go. The plan is read again only when the file has changed. Editors that save in place empty it first:
 * a plan that is suddenly gone, empty or has fewer tasks is read again for a moment before that is believed.
 *
 * @param path In the spec's folder. What is there is a regular file of its own, or a link to one inside the folder.
 * @param temporary File that is written before it takes the place of the plan.
 * @param checkFence Throws when another coordinator has taken the spec over; called before the plan is written.
 */
export function planFile(path: string, temporary: string, checkFence: () => void): PlanFile {
  let bytes = Buffer.alloc(0);
  let isUtf8 = true;
  let document: PlanDocument | undefined;
  /** The last one that was believed. */
  let whole: PlanDocument | undefined;
  let stamp: Stamp | undefined;
  let target = path;
  const folder = dirname(path);
  const name = `\`${path}\``;
  const found = (): OwnFile => lookAtOwn(path, folder, lstatSync(path, { bigint: true }));

  /** The plan as the file says; the same object when it has not changed. */
  const look = (): PlanDocument => {
    const own = found();
    target = own.target;
    if (document !== undefined && sameStamp(stamp, own.stamp)) return document;
    const content = withOwn(target, "read", (file) => {
      // Marked before it is read: a change after that shows.
      stamp = document === undefined ? own.stamp : markOwn(file);
      checkPlanBytes(fstatSync(file).size, name);
      return readFileSync(file);
    });
    if (document === undefined || !content.equals(bytes)) {
      const read = textOf(content);
      checkPlanSize(read.text, name);
      isUtf8 = read.isUtf8;
      document = document === undefined ? openPlan(read.text) : reopenPlan(document, read.text);
      bytes = content;
    }
    return document;
  };
  /** Remember what an edit of ours made of the plan. */
  const note = (after: PlanDocument, content: Buffer<ArrayBuffer>, written: Stamp): PlanDocument => {
    document = after;
    whole = after;
    bytes = content;
    stamp = written;
    return after;
  };
  /** An editor's save between our look and our write must not be lost, nor what another coordinator has written. */
  const mayReplace = (): void => {
    checkFence();
    if (!sameStamp(stamp, found().stamp)) throw changedUnderneath(path);
  };
  const offsetIn = (at: PlanDocument, offset: number): number =>
    isUtf8 ? byteOffset(at, offset) : bytesOf(at.text.slice(0, offset)).length;
  /** Replace the file by what edits make of it, each made for what the one before it gives. */
  const replace = (before: PlanDocument, edits: readonly Edit[]): PlanEdit => {
    let content = bytes;
    let after = before;
    for (const edit of edits) {
      const [start, end] = [offsetIn(after, edit.start), offsetIn(after, edit.end)];
      content = Buffer.concat([content.subarray(0, start), Buffer.from(edit.text), content.subarray(end)]);
      after = applyEdit(after, edit);
    }
    if (after === before) return { before, after };
    checkFence();
    const written = writeAtomic(target, content, { temporary, durable: true, mark: markOwn, check: mayReplace });
    return { before, after: note(after, content, written) };
  };

  const isTorn = (found: PlanDocument): boolean =>
    whole === undefined ? found.text.trim() === "" : found.plan.tasks.length < whole.plan.tasks.length;
  /** Use the plan as it is when nobody is half-way through saving it. */
  const settled = async <Result>(verb: string, use: (found: PlanDocument) => Result): Promise<Result> => {
    let last: PlanDocument | undefined;
    for (let looks = 0; ; looks++) {
      const isLast = looks === mostLooks;
      const before = refused(verb, path, () => (isLast ? look() : unlessGone(look)));
      // What was torn is believed when it reads the same twice.
      if (before !== undefined && (isLast || (!isTorn(before) && (looks === 0 || before === last)))) {
        whole = before;
        return refused(verb, path, () => use(before));
      }
      last = before;
      await sleep(betweenLooksMs);
    }
  };

  return {
    read: () => settled("read", (found) => found),
    insert: (fix) => settled("write", (before) => replace(before, [fixEdit(before, fix)])),
    close: (task, by) => settled("write", (before) => replace(before, closeEdits(before, task, by))),
    change: (change) => settled("write", (before) => replace(before, tasksEdits(before, change))),
    tick: (task, done) =>
      settled("write", (before) => {
        const edit = tickEdit(before, task, done);
        if (edit === null) return { before, after: before };
        checkFence();
        const at = offsetIn(before, edit.start);
        const written = overwriteByte(target, { at, text: edit.text, expected: bytes, stamp });
        bytes[at] = edit.text.charCodeAt(0);
        return { before, after: note(applyEdit(before, edit), bytes, written) };
      }),
  };
}

/** Together 200 ms, which is longer than a save takes. */
const mostLooks = 20;
const betweenLooksMs = 10;

/** Undefined while there is no file: some editors move the old one away first. */
function unlessGone<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

interface ByteEdit {
  readonly at: number;
  readonly text: string;
  /** The whole file as it was read. */
  readonly expected: Buffer;
  readonly stamp: Stamp | undefined;
}

function overwriteByte(path: string, { at, text, expected, stamp }: ByteEdit): Stamp {
  return withOwn(path, "edit", (file) => {
    // Else what another file says, which has come in its place since, would never be read.
    if (!sameStamp(stamp, stampIn(fstatSync(file, { bigint: true })))) throw changedUnderneath(path);
    const around = Buffer.alloc(3);
    readSync(file, around, 0, 3, at - 1);
    if (!around.equals(expected.subarray(at - 1, at + 2))) throw changedUnderneath(path);
    writeSync(file, text, at);
    const written = markOwn(file);
    // On the disk before it is recorded there.
    fdatasyncSync(file);
    if (written.size !== BigInt(expected.length)) throw changedUnderneath(path);
    return written;
  });
}

const changedUnderneath = (path: string): EnvironmentError =>
  new EnvironmentError(`Cannot write \`${path}\`, it was changed at that moment`, {
    code: "plan-changed-underneath",
    hint: "Run again: the plan is read anew",
  });
