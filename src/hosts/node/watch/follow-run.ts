import { join } from "node:path";
import { type Stamp, sameStamp, stampOf } from "../../../adapters/files/own-file.ts";
import { followJournal } from "../../../adapters/journal/follow-journal.ts";
import { runFolder } from "../../../adapters/journal/read-journal.ts";
import { outputPaths } from "../../../adapters/processes/open-output.ts";
import { openPlan, reopenPlan } from "../../../markdown/document/plan-document.ts";
import type { SpecAddress } from "../../../model/command-line.ts";
import { worksOnTasks } from "../../../model/role.ts";
import type { SpecFolder } from "../find-spec.ts";
import { growFilm, type RecordedFilm } from "../reading/grow-film.ts";
import { readPlanText } from "../reading/read-plan-file.ts";
import { holderElsewhere, holderOf } from "../reading/recorded-starts.ts";
import { followTail, type Tail } from "./follow-tail.ts";
import { noticeChanges } from "./notice-changes.ts";

/** A run as it stands, for those who watch it. */
export interface Sight {
  readonly film: RecordedFilm;
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
const [pollMs, leastMs] = [250, 30];

/**
 * Follow the run of a spec. What was read of its journal and its plan is not read again. Without a viewer nothing is asked
 * of the system at all.
 *
 * @param notice Tells of changes before they are looked for.
 */
export function watchRun(
  { folder, tasksPath, dataFolder }: SpecFolder,
  address: SpecAddress,
  notice: typeof noticeChanges = noticeChanges,
): RunWatch {
  const viewers = new Set<(sight: Sight) => void>();
  const journal = followJournal(dataFolder);
  const planNow = followPlan(tasksPath);
  const tailNow = followTail();
  let grow: ReturnType<typeof growFilm> | null = null;
  let sight: Sight | null = null;
  let told: Sight | null = null;
  let last: readonly unknown[] = [];
  let isBehind = true;
  let costMs = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const look = (): Sight => {
    const begun = performance.now();
    const news = journal.look();
    const { run, segments } = journal;
    isBehind ||= news !== "same";
    if (news === "anew" || grow === null) grow = growFilm({ folder, dataFolder, run, address });
    const held = holderOf({ dataFolder }) !== null;
    const alive = held || holderElsewhere({ dataFolder }) !== null;
    const plan = planNow();
    const isSame = !isBehind && sight !== null && last[0] === held && last[1] === plan;
    const film = isSame && sight !== null ? sight.film : grow({ segments, plan, held, alive });
    const tail = tailOf(film);
    if (!isSame || tail?.text !== sight?.tail?.text) sight = { film, tail };
    last = [held, plan];
    isBehind = false;
    readAt = performance.now();
    costMs = readAt - begun;
    return sight as Sight;
  };
  const tailOf = ({ starts, run }: RecordedFilm): Tail | null => {
    const begun = lastAttempt(starts);
    if (begun === null) return null;
    const text = tailNow(outputPaths(outputsOf(run), begun.key).stdout);
    return text === null ? null : { task: begun.task, attempt: begun.attempt, text };
  };
  const outputsOf = (run: number): string => join(runFolder(dataFolder, run), "out");

  const lookAgain = (): void => {
    timer = setTimeout(lookAgain, pollMs);
    try {
      const now = look();
      // A request for a story looks, too, and tells nobody.
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

/** The last attempt at a task, if nothing has come of it yet. */
function lastAttempt(starts: RecordedFilm["starts"]) {
  const records = starts.at(-1)?.records ?? [];
  const at = records.findLastIndex((record) => record.type === "delegated" && worksOnTasks(record.role));
  const begun = records[at];
  if (begun?.type !== "delegated") return null;
  const isOver = records.slice(at).some((record) => record.type === "answered" && record.key.startsWith(begun.key));
  return isOver ? null : begun;
}
