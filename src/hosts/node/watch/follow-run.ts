import { type FSWatcher, fstatSync, watch } from "node:fs";
import { join } from "node:path";
import { type Stamp, sameStamp, stampOf, withRegular } from "../../../adapters/files/own-file.ts";
import { readAt } from "../../../adapters/files/read-own-file.ts";
import { followJournal } from "../../../adapters/journal/follow-journal.ts";
import type { SegmentHeader } from "../../../adapters/journal/journal-segment.ts";
import { runFolder } from "../../../adapters/journal/read-journal.ts";
import { type ActReader, openActs } from "../../../adapters/presets/read-acts.ts";
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

export interface Sight {
  readonly run: number;
  /**
   * A new array if the journal was cut or replaced, or another run has begun; else the same array, which grows with the
   * journal.
   */
  readonly segments: readonly JournalSegment[];
  /** A new object whenever the plan changes. */
  readonly plan: Plan;
  readonly atWork: AtWork;
  readonly tail: Tail | null;
}

/** The part of a segment that is written so far. */
export interface JournalSegment {
  readonly header: SegmentHeader;
  readonly records: readonly TimedRunRecord[];
}

export interface RunWatch {
  /** Read the current state. @throws {FixpointError} if the run cannot be read */
  look(): Sight;
  /** Call a function whenever something has changed. Returns a function that ends these calls. */
  follow(tell: (sight: Sight) => void): () => void;
}

/** `pollMs`: time between two reads without a change notice; `leastMs`: minimum time between two reads. */
const [pollMs, leastMs] = [250, 30];

/**
 * Follow the run of a spec. Reads only new parts of the journal and changes of the plan. Without viewers nothing is
 * watched.
 *
 * @param asked Open question about the whole run, which no record contains; null if there is none.
 */
export function watchRun(
  { folder, tasksPath, dataFolder }: SpecFolder,
  { asked = () => null }: { readonly asked?: (() => string | null) | undefined } = {},
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
    const question = asked();
    const atWork = { held, alive, ...(question !== null && { asked: question }) };
    const isSame = !isBehind && sight !== null && sameWork(sight.atWork, atWork) && sight.plan === plan;
    if (!isSame || !sameTail(tail, sight?.tail ?? null)) sight = { run, segments, plan, atWork, tail };
    isBehind = false;
    readAt = performance.now();
    costMs = readAt - begun;
    return sight as Sight;
  };
  const tailOf = (segments: Sight["segments"], run: number): Tail | null => {
    const begun = lastAttempt(segments);
    if (begun === null) return null;
    const output = tailNow(outputPaths(outputsOf(run), begun.key).stdout);
    return output === null ? null : { task: begun.task, attempt: begun.attempt, ...output };
  };
  const outputsOf = (run: number): string => join(runFolder(dataFolder, run), "out");

  const lookAgain = (): void => {
    timer = setTimeout(lookAgain, pollMs);
    try {
      const now = look();
      // `look` may have read a newer state for another request, so compare with the state that the viewers have.
      if (now !== told) for (const tell of viewers) tell(now);
      told = now;
    } catch {
      // The file is being written or removed: the next read shows the result.
    }
    noticed?.at([folder, dataFolder, runFolder(dataFolder, journal.run), outputsOf(journal.run)]);
  };
  const lookSoon = (): void => {
    // Limit expensive reads to a fifth of the time.
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
        noticed = noticeChanges(lookSoon);
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

const sameWork = (one: AtWork, other: AtWork): boolean =>
  one.held === other.held && one.alive === other.alive && one.asked === other.asked;

/** Read the plan of a file, parsing only changed parts again. Returns the same object until the plan changes. */
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

/** Find the last attempt of the turn that has no result yet; skip parallel attempts that are over. */
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

export interface Tail {
  readonly task: string;
  readonly attempt: number;
  readonly text: string;
  /** Whether the text lists the acts that the stream of a known tool reports, instead of the output itself. */
  readonly acts: boolean;
}

export const sameTail = (one: Tail | null, other: Tail | null): boolean =>
  one?.text === other?.text && one?.acts === other?.acts;

/** Number of bytes to keep of an output. Its beginning is dropped when the output is twice as long. */
const tailBytes = 64 * 1024;
/** Maximum number of bytes to read at once for the acts in an output; earlier bytes are skipped. */
const mostBytes = 4 * 1024 * 1024;

/** Read the end of a growing file: the acts in the stream of a known tool, else the text. */
function followTail(): (path: string) => Pick<Tail, "text" | "acts"> | null {
  let path = "";
  let seen = "";
  let acts = followActs();
  let text = followText();
  let output: Pick<Tail, "text" | "acts"> | null = null;
  return (wanted) => {
    if (wanted !== path) [path, seen, acts, text, output] = [wanted, "", followActs(), followText(), null];
    try {
      return withRegular(path, "read", (file) => {
        const { size, mtimeMs, ino } = fstatSync(file);
        const mark = `${size} ${mtimeMs} ${ino}`;
        if (mark === seen) return output;
        const read = acts(file, size);
        output = { text: shown(read ?? text(file, size)), acts: read !== null };
        seen = mark;
        return output;
      });
    } catch {
      return null;
    }
  };
}

function followActs(): (file: number, size: number) => string | null {
  let reader: ActReader = openActs();
  let from = 0;
  return (file, size) => {
    if (size < from) [reader, from] = [openActs(), 0];
    const begin = Math.max(from, size - mostBytes);
    reader.take(readAt(file, begin, size - begin));
    from = size;
    return reader.read();
  };
}

/**
 * Read the end of a growing file. The first byte to read moves rarely, so that a text usually extends the previous
 * text.
 */
function followText(): (file: number, size: number) => string {
  let from = 0;
  return (file, size) => {
    if (size < from) from = 0;
    if (size - from > 2 * tailBytes) from = size - tailBytes;
    const bytes = readAt(file, from, size - from);
    const begin = from === 0 ? 0 : bytes.indexOf(0x0a) + 1;
    return `${from === 0 ? "" : "\u2026\n"}${bytes.subarray(begin).toString()}`;
  };
}

const shown = (printed: string): string => escapeLines(printed.replaceAll(escapeSequence, ""));

interface Notice {
  /** Watch exactly these folders. A folder that cannot be watched yet is tried again at the next call. */
  at(folders: readonly string[]): void;
  close(): void;
}

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
            // The folder itself was moved or removed: watch its successor instead.
            if (event === "rename" && name !== null && folder.endsWith(`/${name}`)) leave(folder);
          });
          watcher.on("error", () => leave(folder));
          watchers.set(folder, watcher);
        } catch {
          // The folder does not exist yet, or the system has no more watchers: polling finds the changes.
        }
      }
    },
    close: () => {
      for (const folder of [...watchers.keys()]) leave(folder);
    },
  };
}
