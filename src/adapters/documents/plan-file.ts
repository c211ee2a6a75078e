import { fstatSync, lstatSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkPlanBytes, checkPlanSize } from "../../markdown/check-plan-size.ts";
import {
  applyEdit,
  type Edit,
  openPlan,
  type PlanDocument,
  reopenPlan,
} from "../../markdown/document/plan-document.ts";
import { fixEdit } from "../../markdown/insert-fix-task.ts";
import { tasksEdits } from "../../markdown/insert-tasks.ts";
import { closeEdits, tickEdits } from "../../markdown/tick-task.ts";
import { EnvironmentError } from "../../model/errors.ts";
import type { Documents, PlanEdit } from "../../ports/documents.ts";
import { lookAtOwn, markOwn, type OwnFile, type Stamp, sameStamp, withOwn, writeInPlace } from "../files/own-file.ts";
import { bytesOf, textOf } from "../files/read-own-file.ts";
import { refused } from "../files/refused.ts";
import type { SpecFiles } from "../files/spec-files.ts";
import { flushLater } from "../files/write-atomic.ts";

export interface PlanFile extends Pick<Documents, "insert" | "tick" | "close" | "change" | "rewrite"> {
  read(): Promise<PlanDocument>;
  flush(): Promise<void>;
}

/**
 * The plan as a file. A tick writes one byte in place; an insertion (with its tick) replaces the file atomically. The
 * plan is read again only after the file changed. Some editors empty the file before they save it. So if the plan is
 * suddenly gone, empty or shorter, it is read again for up to 200 ms before it is used.
 *
 * @param path Path in the spec folder: a regular file without further hard links, or a link to such a file in the
 *   folder.
 */
export function planFile(path: string, files: SpecFiles): PlanFile {
  let bytes = Buffer.alloc(0);
  let isUtf8 = true;
  let document: PlanDocument | undefined;
  /** The last plan that was used or written. */
  let whole: PlanDocument | undefined;
  let stamp: Stamp | undefined;
  let target = path;
  const folder = dirname(path);
  const name = `\`${path}\``;
  const ticks = flushLater(() => target);
  const found = (): OwnFile => lookAtOwn(path, folder, lstatSync(path, { bigint: true }));

  /** Return the same object while the file is unchanged. */
  const look = (): PlanDocument => {
    const own = found();
    target = own.target;
    if (document !== undefined && sameStamp(stamp, own.stamp)) return document;
    const content = withOwn(target, "read", (file) => {
      // Take the stamp before reading, to detect later changes.
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
  const note = (after: PlanDocument, content: Buffer<ArrayBuffer>, written: Stamp): PlanDocument => {
    document = after;
    whole = after;
    bytes = content;
    stamp = written;
    return after;
  };
  /** Throw if an editor or another coordinator has saved the file since the last read. */
  const mayReplace = (): void => {
    if (!sameStamp(stamp, found().stamp)) throw changedUnderneath(path);
  };
  const offsetIn = (at: PlanDocument, offset: number): number =>
    isUtf8 ? Buffer.byteLength(at.text.slice(0, offset)) : bytesOf(at.text.slice(0, offset)).length;
  const replace = (before: PlanDocument, edits: readonly Edit[]): PlanEdit => {
    let content = bytes;
    let after = before;
    for (const edit of edits) {
      const [start, end] = [offsetIn(after, edit.start), offsetIn(after, edit.end)];
      const written = isUtf8 ? Buffer.from(edit.text) : bytesOf(edit.text);
      content = Buffer.concat([content.subarray(0, start), written, content.subarray(end)]);
      after = applyEdit(after, edit);
    }
    if (after === before) return { before, after };
    const written = files.replace(target, content, { mark: markOwn, check: mayReplace });
    return { before, after: note(after, content, written) };
  };

  const isTorn = (found: PlanDocument): boolean =>
    whole === undefined ? found.text.trim() === "" : found.plan.tasks.length < whole.plan.tasks.length;
  /** Use the plan after an editor has finished saving it. */
  const settled = async <Result>(verb: string, use: (found: PlanDocument) => Result): Promise<Result> => {
    let last: PlanDocument | undefined;
    for (let looks = 0; ; looks++) {
      const isLast = looks === mostLooks;
      const before = refused(verb, path, () => (isLast ? look() : unlessGone(look)));
      // Use a plan that looks complete, on the first read or if the previous read returned the same plan. On the last
      // read, use any plan.
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
    rewrite: (make) => settled("write", (before) => replace(before, wholeEdit(before.text, make(before)))),
    flush: ticks.flush,
    tick: (task, done, { durable = true } = {}) =>
      settled("write", (before) => {
        const edits = tickEdits(before, task, done);
        const [edit] = edits;
        if (edit === undefined || edits.length > 1) return replace(before, edits);
        const at = offsetIn(before, edit.start);
        const change = (around: Buffer): Buffer | undefined =>
          around.equals(bytes.subarray(at - 1, at + 2)) ? Buffer.from(edit.text) : undefined;
        const place = { at, length: 1, margin: 1, change, stamp, durable };
        const written = files.edit(() => writeInPlace(target, place));
        if (written === undefined) throw changedUnderneath(path);
        if (!durable) ticks.note();
        bytes[at] = edit.text.charCodeAt(0);
        return { before, after: note(applyEdit(before, edit), bytes, written) };
      }),
  };
}

const wholeEdit = (before: string, after: string): Edit[] =>
  before === after ? [] : [{ start: 0, end: before.length, text: after }];

/** Maximum number of further reads within 200 ms, which is longer than a save takes. */
const mostLooks = 20;
const betweenLooksMs = 10;

/** Return undefined while the file is missing: some editors first move the old file away. */
function unlessGone<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

const changedUnderneath = (path: string): EnvironmentError =>
  new EnvironmentError(`Cannot write \`${path}\`: the file was changed after it was read`, {
    code: "plan-changed-underneath",
    hint: "Run again to use the current plan",
  });
