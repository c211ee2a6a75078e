import { join } from "node:path";
import { runFolder } from "../../../adapters/journal/read-journal.ts";
import { outputPaths } from "../../../adapters/processes/open-output.ts";
import { readTail } from "../../../adapters/processes/read-tail.ts";
import { escapeSequence } from "../../../model/escape-sequence.ts";
import type { Clip, Printed, TaskMark, TaskStories, TaskStory, Told } from "../../../model/frame.ts";
import type { TimedRunRecord } from "../../../model/record.ts";
import { attemptOf } from "../../../model/reply.ts";
import { worksOnTasks } from "../../../model/role.ts";
import type { TaskId } from "../../../model/task-id.ts";
import { tellStories } from "../../../runtime/tell-stories.ts";
import { escapeLines } from "../../../wording/escape-text.ts";
import type { RecordedFilm } from "./grow-film.ts";

/** Characters that may be told of one attempt: half for its message, half for its Verify. */
const mostOfAttempt = 64 * 1024;
/** Characters that may be told of all tasks. */
const mostOfAll = 4 * 1024 * 1024;

/** What is told of tasks, and what of it is left out. */
export interface Stories {
  readonly stories: TaskStories;
  /** In sentences. */
  readonly left: readonly string[];
}

/**
 * What is told of every task of a run: what happened, and the ends of what its attempts have printed. Tasks that did not
 * pass come first, then those that passed after a failure, until 4 MiB are told; what is left out is said.
 */
export function readStories(film: RecordedFilm): Stories {
  const told = tellStories(film.starts, film.places);
  const attempts = attemptsIn(film);
  const stories: TaskStories = {};
  let room = mostOfAll;
  let unprinted = 0;
  let untold = 0;
  for (const task of inOrderOfNeed(film, told)) {
    const about = told.get(task) ?? [];
    const size = JSON.stringify(about).length;
    if (size > room) {
      untold += 1;
      continue;
    }
    room -= size;
    const printed: Printed[] = [];
    const made = attempts.get(task) ?? [];
    for (const records of made) {
      const print = printedBy(records, film);
      const length = JSON.stringify(print).length;
      if (length > room) continue;
      room -= length;
      printed.push(print);
    }
    const missing = made.length - printed.length;
    unprinted += missing;
    stories[task] = {
      told: about,
      printed,
      left: missing === 0 ? null : `What ${missing} of ${made.length} attempts printed is left out: see fixpoint logs`,
    };
  }
  return {
    stories,
    left: [
      ...(unprinted === 0 ? [] : [`What ${unprinted} attempts printed is left out: this page has room for 4 MiB`]),
      ...(untold === 0 ? [] : [`What happened to ${untold} tasks is left out: see fixpoint why`]),
    ],
  };
}

/**
 * What is told of one task, with what its last 20 attempts have printed.
 *
 * @public
 */
export function readStory(film: RecordedFilm, task: TaskId): TaskStory {
  const turns = film.turnsOf(task);
  const told = tellStories(turns, film.places, task).get(task) ?? [];
  const made = attemptsIn({ starts: turns }).get(task) ?? [];
  return { told, printed: made.slice(-20).map((records) => printedBy(records, film)), left: null };
}

/** The records of each attempt at a task, oldest first. */
function attemptsIn({ starts }: Pick<RecordedFilm, "starts">): ReadonlyMap<TaskId, (readonly TimedRunRecord[])[]> {
  const byKey = new Map<string, TimedRunRecord[]>();
  const attempts = new Map<TaskId, TimedRunRecord[][]>();
  for (const record of starts.flatMap(({ records }) => records)) {
    if (!("key" in record)) continue;
    const key = record.type === "delegated" ? record.key : attemptOf(record.key);
    if (record.type === "delegated" && worksOnTasks(record.role) && !byKey.has(key)) {
      const made: TimedRunRecord[] = [];
      byKey.set(key, made);
      attempts.set(record.task, [...(attempts.get(record.task) ?? []), made]);
    }
    byKey.get(key)?.push(record);
  }
  return attempts;
}

function printedBy(records: readonly TimedRunRecord[], { dataFolder, run }: RecordedFilm): Printed {
  const begun = records.find((record) => record.type === "delegated") as Extract<TimedRunRecord, { type: "delegated" }>;
  const outputs = join(runFolder(dataFolder, run), "out");
  let text: string | null = null;
  let verify: Extract<TimedRunRecord, { type: "judged" }>["verify"];
  for (const record of records) {
    if (record.type !== "answered" && record.type !== "judged") continue;
    if (record.type === "answered" && record.reply !== undefined) text = record.reply.text;
    verify = record.verify ?? verify;
  }
  const { message, stdout } = outputPaths(outputs, begun.key);
  const said = text ?? (endOf(message) || endOf(stdout));
  return {
    ...{ task: begun.task, attempt: begun.attempt, message: clipEnd(said) },
    verify:
      verify === undefined
        ? null
        : {
            ...{ command: verify.command, exitCode: verify.result.exitCode },
            output: clipEnd(outputOf(verify, outputs)),
          },
  };
}

function outputOf(
  { name, result }: NonNullable<Extract<TimedRunRecord, { type: "judged" }>["verify"]>,
  outputs: string,
): string {
  const { stdout, stderr } = outputPaths(outputs, name);
  const kept = [endOf(stdout), endOf(stderr)].filter((text) => text !== "");
  return (kept.length > 0 ? kept : [result.stdout, result.stderr]).filter((text) => text !== "").join("\n");
}

/** The end of a file; nothing where there is none that can be read. */
function endOf(path: string): string {
  try {
    return readTail(path, mostOfAttempt);
  } catch {
    return "";
  }
}

/** The end of what was printed, without escape sequences. */
function clipEnd(text: string): Clip {
  const shown = escapeLines(text.replaceAll(escapeSequence, ""));
  const end = shown.slice(-mostOfAttempt / 2);
  return { text: end, left: shown.length - end.length };
}

/** Tasks that did not pass, then those that passed after a failure, then the others. */
function inOrderOfNeed({ frames }: RecordedFilm, told: ReadonlyMap<TaskId, readonly Told[]>): TaskId[] {
  const marks = new Map<TaskId, TaskMark>();
  for (const frame of frames) for (const { task, mark } of frame.marks) marks.set(task, mark);
  const needs = (task: TaskId): number => {
    if (marks.get(task) !== "passed") return 0;
    return told.get(task)?.some(({ kind }) => kind === "failed") ? 1 : 2;
  };
  return [...told.keys()]
    .map((task) => ({ task, need: needs(task) }))
    .sort((one, other) => one.need - other.need)
    .map(({ task }) => task);
}
