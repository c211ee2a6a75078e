import { type Stamp, sameStamp, stampOf } from "../../../adapters/files/own-file.ts";
import {
  type JournalReading,
  latestRun,
  latestSegment,
  readJournal,
  runFolder,
  segmentPath,
} from "../../../adapters/journal/read-journal.ts";
import type { RowState, RunRow } from "../../../model/run-row.ts";
import type { RunState } from "../../../model/run-state.ts";
import { openQuestions } from "../../../runtime/open-questions.ts";
import { stateIn, unendedStart } from "../../../start/run-before.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { findSpec } from "../find-spec.ts";
import { readPlanFile } from "../reading/read-plan-file.ts";
import { holderElsewhere, holderOf, startsIn } from "../reading/recorded-starts.ts";

/** How a spec stands, without what it is called. */
export type RowFacts = Omit<RunRow, "place" | "name">;

/** What the files of a spec looked like when they were read. */
interface Look {
  readonly plan: Stamp;
  readonly segment: string;
  readonly journal: Stamp | undefined;
  readonly held: boolean;
}

const nothing = { problem: null, tasks: [], costUsd: 0, tokens: 0, at: null };

/**
 * Have a spec looked at. Where a snapshot stands for the first records of its run, only those behind it are read, and
 * nothing is read again as long as its files are the same. Answers the same object as long as it is the same.
 *
 * @param folder Folder of the spec, absolute.
 */
export function rowOf(folder: string): () => RowFacts {
  let facts: RowFacts | null = null;
  let last: Look | null = null;
  let wasHeld = false;
  return () => {
    const now = lookAt(folder);
    const isSame = facts !== null && last !== null && now !== null && isSameLook(last, now);
    if (facts !== null && isSame && wasHeld === now.held) return facts;
    last = now;
    try {
      facts = readRow(folder);
    } catch (error) {
      facts = { ...nothing, state: "broken", problem: problemIn(error), done: 0, of: 0 };
    }
    wasHeld = now?.held ?? false;
    return facts;
  };
}

const problemIn = (error: unknown): string => escapeText(error instanceof Error ? error.message : String(error));

/** Null where the spec cannot be used at all. */
function lookAt(folder: string): Look | null {
  try {
    const { tasksPath, dataFolder } = findSpec(folder, folder, "watch");
    const plan = stampOf(tasksPath);
    if (plan === undefined) return null;
    const run = latestRun(dataFolder);
    const segment = segmentPath(dataFolder, run, latestSegment(runFolder(dataFolder, run)));
    return { plan, segment, journal: stampOf(segment), held: holderOf({ dataFolder }) !== null };
  } catch {
    return null;
  }
}

const isSameLook = (one: Look, other: Look): boolean =>
  one.segment === other.segment &&
  sameStamp(one.plan, other.plan) &&
  (one.journal === other.journal || (other.journal !== undefined && sameStamp(one.journal, other.journal)));

function readRow(folder: string): RowFacts {
  const { tasksPath, dataFolder } = findSpec(folder, folder, "watch");
  const planned = readPlanFile(tasksPath).plan.tasks.filter(({ fixOf }) => fixOf === null);
  const progress = { done: planned.filter(({ done }) => done).length, of: planned.length };
  const reading = readJournal(dataFolder, { whole: false });
  const state = stateIn(reading);
  if (state === null) return { ...nothing, ...progress, state: "new" };
  const asked = state.ended === null ? openQuestions(startsIn(reading)).map(({ task }) => task) : [];
  const atWork = Object.keys(state.turn.atWork);
  const stands = standingOf(dataFolder, reading, state, asked.length > 0);
  return {
    ...{ state: stands, problem: null, ...progress },
    tasks: (stands === "asking" ? asked : stands === "working" ? atWork : []).map(escapeText),
    ...{ costUsd: state.costUsd, tokens: state.tokens, at: reading.records.at(-1)?.at ?? null },
  };
}

function standingOf(
  dataFolder: string,
  reading: JournalReading,
  { ended, paused }: RunState,
  isAsked: boolean,
): RowState {
  if (ended !== null) return ended.ending.outcome;
  if (holderElsewhere({ dataFolder }) !== null) return "elsewhere";
  if (holderOf({ dataFolder }) === null) return unendedStart(reading) === null ? "interrupted" : "killed";
  if (isAsked) return "asking";
  return paused ? "paused" : "working";
}
