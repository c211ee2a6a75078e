import { type FSWatcher, fstatSync, watch } from "node:fs";
import { join } from "node:path";
import { type Stamp, sameStamp, stampOf, withRegular } from "../../../adapters/files/own-file.ts";
import { readAt } from "../../../adapters/files/read-own-file.ts";
import { followJournal } from "../../../adapters/journal/follow-journal.ts";
import type { SegmentHeader } from "../../../adapters/journal/journal-segment.ts";
import { runFolder } from "../../../adapters/journal/read-journal.ts";
import { outputPaths } from "../../../adapters/processes/open-output.ts";
import { openPlan, reopenPlan } from "../../../markdown/document/plan-document.ts";
import type { Plan } from "../../../model/plan.ts";
import { beginsTurn, type TimedRunRecord } from "../../../model/record.ts";
import { attemptOf } from "../../../model/reply.ts";
import { worksOnTasks } from "../../../model/role.ts";
import { escapeSequence } from "../../../model/text.ts";
import { escapeLines } from "../../../wording/escape-text.ts";
import type { AtWork } from "../../page/page-data.ts";
import type { SpecFolder } from "../find-spec.ts";
import { readPlanText } from "../reading/read-plan-file.ts";
import { holderElsewhere, holderOf } from "../reading/recorded-starts.ts";

/** A run as it stands, for those who watch it. */
export interface Sight {
  readonly run: number;
  /** Another list when the journal was cut or replaced, or another run has begun. It grows with its records. */
  readonly segments: readonly JournalSegment[];
  /** Another object whenever it differs. */
  readonly plan: Plan;
  readonly atWork: AtWork;
  readonly tail: Tail | null;
}

/** A segment as far as it has come. */
export interface JournalSegment {
  readonly header: SegmentHeader;
  readonly records: readonly TimedRunRecord[];
}

/** Follows the run of a spec while somebody watches. */
export interface RunWatch {
  /** The run as it stands. @throws {FixpointError} when it cannot be read */
  look(): Sight;
  /** Have it looked at again whenever something has changed. Answers what ends that. */
  follow(tell: (sight: Sight) => void): () => void;
}

/** How often one looks without being told of a change, and at least between two looks. */
const [pollMs, leastMs] = [250, 30];

/**
 * Follow the run of a spec. What was read of its journal and its plan is not read again. Without a viewer nothing is asked
 * of the system at all.
 *
 * @param notice Tells of changes before they are looked for.
 */
export function watchRun(
  { folder, tasksPath, dataFolder }: SpecFolder,
  notice: typeof noticeChanges = noticeChanges,
): RunWatch {
  const viewers = new Set<(sight: Sight) => void>();
  const journal = followJournal(dataFolder);
  const planNow = followPlan(tasksPath);
  const tailNow = followTail();
  let sight: Sight | null = null;
  let told: Sight | null = null;
  let isBehind = true;
  let costMs = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const look = (): Sight => {
    const begun = performance.now();
    const news = journal.look();
    isBehind ||= news !== "same";
    const { run, segments } = journal;
    const held = holderOf({ dataFolder }) !== null;
    const alive = held || holderElsewhere({ dataFolder }) !== null;
    const plan = planNow();
    const tail = tailOf(segments, run);
    const isSame = !isBehind && sight !== null && sight.atWork.held === held && sight.plan === plan;
    if (!isSame || tail?.text !== sight?.tail?.text) sight = { run, segments, plan, atWork: { held, alive }, tail };
    isBehind = false;
    readAt = performance.now();
    costMs = readAt - begun;
    return sight as Sight;
  };
  const tailOf = (segments: Sight["segments"], run: number): Tail | null => {
    const begun = lastAttempt(segments);
    if (begun === null) return null;
    const text = tailNow(outputPaths(outputsOf(run), begun.key).stdout);
    return text === null ? null : { task: begun.task, attempt: begun.attempt, text };
  };
  const outputsOf = (run: number): string => join(runFolder(dataFolder, run), "out");

  const lookAgain = (): void => {
    timer = setTimeout(lookAgain, pollMs);
    try {
      const now = look();
      // A request for outputs looks, too, and tells nobody.
      if (now !== told) for (const tell of viewers) tell(now);
      told = now;
    } catch {
      // It is being written, or taken away: the next look shows.
    }
    noticed?.at([folder, dataFolder, runFolder(dataFolder, journal.run), outputsOf(journal.run)]);
  };
  const lookSoon = (): void => {
    // Looks that cost much are not made often: at most a fifth of the time goes into them.
    const wait = readAt + Math.max(leastMs, 4 * costMs) - performance.now();
    if (due !== undefined || viewers.size === 0) return;
    due = setTimeout(
      () => {
        due = undefined;
        clearTimeout(timer);
        lookAgain();
      },
      Math.max(1, wait),
    );
  };
  let due: NodeJS.Timeout | undefined;
  let noticed: ReturnType<typeof noticeChanges> | null = null;
  return {
    look,
    follow: (tell) => {
      viewers.add(tell);
      if (viewers.size === 1) {
        noticed = notice(lookSoon);
        lookAgain();
      }
      return () => {
        if (!viewers.delete(tell) || viewers.size > 0) return;
        clearTimeout(timer);
        clearTimeout(due);
        due = undefined;
        noticed?.close();
        noticed = null;
      };
    },
  };
}

/** The plan of a file, of which only what has changed is read again. Answers the same plan as long as it is the same. */
function followPlan(path: string): () => ReturnType<typeof openPlan>["plan"] {
  let document: ReturnType<typeof openPlan> | null = null;
  let stamp: Stamp | undefined;
  return () => {
    const now = stampOf(path);
    if (document !== null && now !== undefined && sameStamp(stamp, now)) return document.plan;
    const text = readPlanText(path);
    if (text !== document?.text) document = document === null ? openPlan(text) : reopenPlan(document, text);
    stamp = now;
    return document.plan;
  };
}

/** The last attempt of a turn that nothing has come of yet: others side by side with it may be over. */
function lastAttempt(segments: Sight["segments"]) {
  const records = segments.at(-1)?.records ?? [];
  const over = new Set<string>();
  for (let at = records.length - 1; at >= 0; at -= 1) {
    const record = records[at] as TimedRunRecord;
    if (record.type === "answered") over.add(attemptOf(record.key));
    if (record.type === "delegated" && worksOnTasks(record.role) && !over.has(record.key)) return record;
    if (beginsTurn(record)) return null;
  }
  return null;
}

/** What an executor has printed so far, or the end of it. */
export interface Tail {
  readonly task: string;
  readonly attempt: number;
  readonly text: string;
}

/** Bytes of an output that are shown at least; up to twice as many before its beginning is left out. */
const tailBytes = 64 * 1024;

/**
 * Read the end of a file that grows. Its beginning stays where it is for a while, so that what is read later begins with
 * what was read before.
 */
function followTail(): (path: string) => string | null {
  let path = "";
  let from = 0;
  let seen = "";
  let text: string | null = null;
  return (wanted) => {
    if (wanted !== path) [path, from, seen, text] = [wanted, 0, "", null];
    try {
      return withRegular(path, "read", (file) => {
        const { size, mtimeMs, ino } = fstatSync(file);
        const mark = `${size} ${mtimeMs} ${ino}`;
        if (mark === seen) return text;
        if (size < from) from = 0;
        if (size - from > 2 * tailBytes) from = size - tailBytes;
        const bytes = readAt(file, from, size - from);
        const begin = from === 0 ? 0 : bytes.indexOf(0x0a) + 1;
        text = shown(`${from === 0 ? "" : "\u2026\n"}${bytes.subarray(begin).toString()}`);
        seen = mark;
        return text;
      });
    } catch {
      return null;
    }
  };
}

const shown = (printed: string): string => escapeLines(printed.replaceAll(escapeSequence, ""));

/** Tells when something in folders changes. */
interface Notice {
  /** Look at these folders and no others. One that cannot be looked at (yet) is tried again at the next call. */
  at(folders: readonly string[]): void;
  close(): void;
}

/** Have the system tell of changes in folders, where it does. */
function noticeChanges(tell: () => void): Notice {
  const watchers = new Map<string, FSWatcher>();
  const leave = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  return {
    at: (folders) => {
      for (const folder of watchers.keys()) if (!folders.includes(folder)) leave(folder);
      for (const folder of folders) {
        if (watchers.has(folder)) continue;
        try {
          const watcher = watch(folder, (event, name) => {
            tell();
            // The folder itself was moved or taken away: whatever has its name is looked at anew.
            if (event === "rename" && name !== null && folder.endsWith(`/${name}`)) leave(folder);
          });
          watcher.on("error", () => leave(folder));
          watchers.set(folder, watcher);
        } catch {
          // Not there yet, or the system has no more of them: one looks from time to time anyway.
        }
      }
    },
    close: () => {
      for (const folder of [...watchers.keys()]) leave(folder);
    },
  };
}
