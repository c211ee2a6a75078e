import { existsSync, lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findReport } from "../../../adapters/documents/file-store.ts";
import { removeStateFile } from "../../../adapters/documents/state-file.ts";
import { removeFolder } from "../../../adapters/files/folder.ts";
import { lookAtOwn, withOwn } from "../../../adapters/files/own-file.ts";
import { bytesOf, textOf } from "../../../adapters/files/read-own-file.ts";
import { refused } from "../../../adapters/files/refused.ts";
import { writeAtomic } from "../../../adapters/files/write-atomic.ts";
import { markOf, readJournal, readRun, runFolder } from "../../../adapters/journal/read-journal.ts";
import { refuseLocked } from "../../../adapters/lease/spec-lease.ts";
import { removeHeads } from "../../../adapters/user/run-head.ts";
import { removeTrees } from "../../../adapters/user/run-trees.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { openPlan } from "../../../markdown/document/plan-document.ts";
import { newProgress } from "../../../markdown/progress/append-entry.ts";
import { undoProgress, undoSummary } from "../../../markdown/undo/undo-log.ts";
import { EnvironmentError, FixpointError, InputError } from "../../../model/errors.ts";
import type { TimedRunRecord } from "../../../model/record.ts";
import { someOf } from "../../../model/text.ts";
import { lastTold } from "../../../runtime/recorded-run.ts";
import type { SpecFolder } from "../find-spec.ts";
import { holdSpec } from "../start/hold-workspace.ts";
import { loggedIn, summarizedIn, undoPlan } from "./plan-undo.ts";

interface Reset {
  /** One line for each thing to remove. */
  readonly goes: readonly string[];
  /** One line for each thing of the run that is not removed. */
  readonly stays: readonly string[];
  /**
   * Remove the things in `goes` while holding the spec's lease.
   *
   * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`, `file-refused`, and `reset-disturbed` if a document
   * has changed since it was read
   */
  perform(): void;
}

/**
 * Collect the traces of the latest run of a spec, and of earlier runs back to the last complete run. After the traces
 * are removed, the next run starts over. Texts written by a person or an executor stay.
 *
 * @throws {InputError} `journal-corrupt`, `journal-newer`, `journal-older`, `plan-too-large`, `plan-too-deep`
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`, `file-refused`, `user-folder-unusable`
 */
export function resetOf(spec: SpecFolder, workspace: string): Reset {
  const { folder, dataFolder, tasksPath, progressPath, statePath } = spec;
  const place = userFolder(folder, workspace);
  const summaryPath = join(folder, "SUMMARY.md");
  refuseLocked(dataFolder, { takeOver: false });
  const mark = markOf(dataFolder);
  const { run: latest, segments } = readJournal(dataFolder);
  const { runs, records, unread } = toUndo(dataFolder, latest);
  const plan = readOwn(tasksPath, folder) ?? "";
  const undone = undoPlan(openPlan(plan), records);
  const log = readOwn(progressPath, folder);
  const { tasks } = openPlan(plan).plan;
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const { after: logAfter, removed } = undoProgress(
    log ?? "",
    loggedIn(records, (task) => titles.get(task) ?? ""),
  );
  const summary = readOwn(summaryPath, folder);
  const summaryUndone = undoSummary(summary ?? "", summarizedIn(records));
  const isOwnLog = logAfter.trim() === newProgress(folder).trim();
  const path = segments.at(-1)?.header.policy.stuckReport ?? null;
  const report = reportAt({ folder, workspace, path });
  const isLast = runs.length === latest;
  // Without run data it is unknown which ticks and fix tasks come from a run.
  const isUnknown = latest === 0 && tasks.some(({ done, fixOf }) => done || fixOf !== null);
  const data = isLast ? [dataFolder] : runs.map((run) => runFolder(dataFolder, run));
  return {
    goes: [
      ...undone.removed.map((id) => `task ${id} in tasks.md, which the run wrote`),
      ...undone.cleared.map((id) => `the tick of ${id} in tasks.md`),
      ...(log !== null && isOwnLog ? [".progress.md"] : removed.map((line) => `in .progress.md: ${line}`)),
      ...(summaryUndone.after === null
        ? ["SUMMARY.md"]
        : summaryUndone.removed.map((line) => `in SUMMARY.md: ${line}`)),
      ...(existsSync(statePath) ? [".ralph-state.json"] : []),
      ...(report === null ? [] : [report]),
      ...data
        .filter((folderOf) => existsSync(folderOf))
        .map((folderOf) => `.fixpoint${folderOf.slice(dataFolder.length)}`),
    ],
    stays: [
      ...changedByAttempts(records),
      ...undone.kept.map((id) => `task ${id} in tasks.md: changed since the run wrote it`),
      ...unread.map((run) => `changes by run ${run}: its journal cannot be read`),
      ...(isUnknown ? ["fix tasks, ticks and log lines: without run data it is not known who wrote them"] : []),
    ],
    perform: () => {
      const lease = holdSpec(spec, mark);
      try {
        remove();
      } finally {
        lease.release();
      }
    },
  };

  function remove(): void {
    const temporary = join(folder, `.fixpoint-reset-${process.pid}.tmp`);
    const edit = (file: string, before: string, after: string | null): void => {
      if (before !== after && !replaceOwn(file, folder, { before, after, temporary })) throw changed(file);
    };
    edit(tasksPath, plan, undone.after.text);
    if (log !== null) edit(progressPath, log, isOwnLog ? null : logAfter);
    if (summary !== null) edit(summaryPath, summary, summaryUndone.after);
    removeStateFile(statePath);
    if (report !== null) refused("remove", report, () => rmSync(report, { force: true }));
    // Remove the run data last: while it exists, an interrupted reset can be repeated.
    removeHeads(place);
    removeTrees(place);
    for (const folderOf of data) removeFolder(folderOf);
  }
}

const mostNamed = 8;

function changedByAttempts(records: readonly TimedRunRecord[]): string[] {
  const found = records.flatMap((record) => {
    const git = record.type === "answered" ? record.judgement?.evidence.git : undefined;
    return git === null || git === undefined ? [] : [git];
  });
  const paths = [...new Set(found.flatMap(({ changed }) => changed))].sort();
  if (paths.length === 0) return [];
  const [since] = found.flatMap(({ headBefore }) => headBefore ?? []);
  // `git diff` does not show new files.
  const seen = since === undefined ? "" : ` (see git diff ${since.slice(0, 12)}, and git status for new files)`;
  return [`changes by attempts in ${someOf(paths, mostNamed)}${seen}`];
}

/** The runs since the last complete run, with their records. The latest run is always included. */
function toUndo(dataFolder: string, latest: number) {
  const undo = { runs: [] as number[], records: [] as TimedRunRecord[], unread: [] as number[] };
  for (let run = latest; run > 0 && (run === latest || existsSync(runFolder(dataFolder, run))); run -= 1) {
    const records = recordsIfReadable(runFolder(dataFolder, run));
    if (run < latest && records !== null && isComplete(records)) return undo;
    undo.runs.unshift(run);
    if (records === null) undo.unread.unshift(run);
    else undo.records = records.concat(undo.records);
  }
  return undo;
}

function recordsIfReadable(folder: string): TimedRunRecord[] | null {
  try {
    return readRun(folder).flatMap(({ records }) => records);
  } catch (error) {
    if (error instanceof FixpointError && error.code.startsWith("journal-")) return null;
    throw error;
  }
}

function isComplete(records: readonly TimedRunRecord[]): boolean {
  const last = lastTold(records);
  return last?.type === "ended" && last.ending.outcome === "complete";
}

/** Path of the checkpoint report; null if there is none, or if another file has the name of the report. */
function reportAt(place: Parameters<typeof findReport>[0]): string | null {
  try {
    const { target } = findReport(place);
    return existsSync(target) ? target : null;
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

const changed = (path: string): EnvironmentError =>
  new EnvironmentError(`Cannot reset: \`${path}\` was changed during the reset`, {
    code: "reset-disturbed",
    hint: "Reset again: the current content is shown first",
  });

/**
 * Read a document of a spec; null if there is none.
 *
 * @throws {EnvironmentError} `file-refused`
 */
const readOwn = (path: string, folder: string): string | null =>
  refused("read", path, () => {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return null;
    return textOf(withOwn(lookAtOwn(path, folder, found).target, "read", (file) => readFileSync(file))).text;
  });

/**
 * Replace the text of an existing document; null removes the document.
 *
 * @param before The text as it was read. A document with another text stays unchanged.
 * @param temporary File that is written first and then replaces the document.
 * @returns False if the text is no longer `before`, or the document is missing.
 * @throws {EnvironmentError} `file-refused`
 */
const replaceOwn = (
  path: string,
  folder: string,
  { before, after, temporary }: { readonly before: string; readonly after: string | null; readonly temporary: string },
): boolean =>
  refused("write", path, () => {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined) return false;
    const { target } = lookAtOwn(path, folder, found);
    const { text, isUtf8 } = textOf(withOwn(target, "read", (file) => readFileSync(file)));
    if (text !== before) return false;
    if (after === null) rmSync(target);
    else writeAtomic(target, isUtf8 ? after : bytesOf(after), { temporary, durable: true });
    return true;
  });
