import { type FSWatcher, lstatSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { readJournal, runFolder } from "../../../adapters/journal/read-journal.ts";
import { outputPaths } from "../../../adapters/processes/open-output.ts";
import { isAlive } from "../../../adapters/processes/process-identity.ts";
import { readTail } from "../../../adapters/processes/read-tail.ts";
import type { SpecAddress } from "../../../model/command-line.ts";
import { escapeSequence } from "../../../model/escape-sequence.ts";
import type { Frame } from "../../../model/frame.ts";
import { worksOnTasks } from "../../../model/role.ts";
import { unpackFrames } from "../../../runtime/pack-frames.ts";
import { escapeLines } from "../../../wording/escape-text.ts";
import type { SpecFolder } from "../find-spec.ts";
import { type RecordedFilm, readRecording } from "../reading/read-recording.ts";
import { holderOf } from "../reading/recorded-starts.ts";

/** What an executor has printed so far. */
interface Tail {
  readonly task: string;
  readonly attempt: number;
  readonly text: string;
}

/** A run as it stands, for those who watch it. */
export interface Sight {
  readonly film: RecordedFilm;
  readonly frames: readonly Frame[];
  readonly tail: Tail | null;
}

/** Follows the run of a spec while somebody watches. */
export interface RunWatch {
  /** The run as it stands. @throws {FixpointError} when it cannot be read */
  look(): Sight;
  /** Have it looked at again whenever something has changed. Answers what ends that. */
  follow(tell: (sight: Sight) => void): () => void;
}

/** How often one looks without being told of a change, and at least between two looks. */
const [pollMs, leastMs] = [250, 40];
const tailBytes = 64 * 1024;

/** Files are looked at by size and time; without a viewer nothing is asked of the system at all. */
export function watchRun(spec: SpecFolder, address: SpecAddress): RunWatch {
  const viewers = new Set<(sight: Sight) => void>();
  let sight: Sight | null = null;
  let holder: ReturnType<typeof holderOf> = null;
  let seen = "";
  let costMs = 0;
  let readAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let watchers: FSWatcher[] = [];

  const look = (): Sight => {
    const now = marksOf(spec, sight, holder !== null && isAlive(holder));
    if (sight !== null && now === seen) return sight;
    const begun = performance.now();
    const film = readRecording(spec.folder, { address });
    holder = holderOf(readJournal(spec.dataFolder));
    sight = { film, frames: unpackFrames(film.recording.frames), tail: tailIn(film) };
    seen = marksOf(spec, sight, holder !== null && isAlive(holder));
    readAt = performance.now();
    costMs = readAt - begun;
    return sight;
  };
  const tellAll = (): void => {
    // One that costs long is not made often: at most a fifth of the time goes into it.
    if (performance.now() - readAt < Math.max(leastMs, 4 * costMs)) return;
    const before = sight;
    try {
      const now = look();
      if (now !== before) for (const tell of viewers) tell(now);
    } catch {
      // It is being written, or taken away: the next look shows.
    }
  };
  const begin = (): void => {
    timer = setInterval(tellAll, pollMs);
    watchers = [spec.dataFolder, runFolder(spec.dataFolder, sight?.film.recording.run ?? 0)].flatMap((folder) => {
      try {
        return [watch(folder, () => setTimeout(tellAll, leastMs)).on("error", () => {})];
      } catch {
        return [];
      }
    });
  };
  const end = (): void => {
    clearInterval(timer);
    for (const each of watchers) each.close();
    watchers = [];
  };
  return {
    look,
    follow: (tell) => {
      viewers.add(tell);
      if (viewers.size === 1) begin();
      return () => {
        if (viewers.delete(tell) && viewers.size === 0) end();
      };
    },
  };
}

/** What differs when there is something new to see. */
function marksOf({ dataFolder, tasksPath }: SpecFolder, sight: Sight | null, isHeld: boolean): string {
  const run = runFolder(dataFolder, sight?.film.recording.run ?? 0);
  const journals = namesIn(run).filter((name) => name.startsWith("journal-"));
  const files = [tasksPath, ...journals.map((name) => join(run, name)), ...tailPath(sight?.film)];
  return JSON.stringify([isHeld, namesIn(dataFolder), files.map(markOf)]);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function markOf(path: string): unknown {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined ? null : [path, found.size, found.mtimeMs, found.ino];
  } catch {
    return null;
  }
}

/** The last attempt at a task, if nothing has come of it yet. */
function lastAttempt({ starts }: RecordedFilm) {
  const records = starts.at(-1)?.records ?? [];
  const at = records.findLastIndex((record) => record.type === "delegated" && worksOnTasks(record.role));
  const begun = records[at];
  if (begun?.type !== "delegated") return null;
  const isOver = records.slice(at).some((record) => record.type === "answered" && record.key.startsWith(begun.key));
  return isOver ? null : begun;
}

function tailPath(film: RecordedFilm | undefined): string[] {
  const begun = film === undefined ? null : lastAttempt(film);
  if (film === undefined || begun === null) return [];
  return [outputPaths(join(runFolder(film.dataFolder, film.recording.run), "out"), begun.key).stdout];
}

function tailIn(film: RecordedFilm): Tail | null {
  const begun = lastAttempt(film);
  const [path] = tailPath(film);
  if (begun === null || path === undefined) return null;
  try {
    const text = readTail(path, tailBytes).replaceAll(escapeSequence, "");
    return { task: begun.task, attempt: begun.attempt, text: escapeLines(text) };
  } catch {
    return null;
  }
}
