import { join } from "node:path";
import { runFolder } from "../../../adapters/journal/read-journal.ts";
import { actsIn } from "../../../adapters/presets/read-acts.ts";
import { outputPaths, readTail } from "../../../adapters/processes/open-output.ts";
import { attemptsOn } from "../../../model/ledger.ts";
import type { TimedRunRecord } from "../../../model/record.ts";
import { attemptOf } from "../../../model/reply.ts";
import { worksOnTasks } from "../../../model/role.ts";
import { at, type RunState } from "../../../model/run-state.ts";
import type { TaskId } from "../../../model/task.ts";
import { escapeSequence } from "../../../model/text.ts";
import { escapeLines } from "../../../wording/escape-text.ts";
import type { Clip, Printed, PrintedByTask } from "../../page/page-data.ts";

/** Maximum number of characters for one attempt: half for its message, half for its Verify. */
const mostOfAttempt = 64 * 1024;
const mostOfAll = 4 * 1024 * 1024;
const mostAttempts = 20;

interface Place {
  readonly dataFolder: string;
  readonly run: number;
}

/**
 * Read the outputs of all attempts of a run, up to 4 MiB. Tasks that did not pass come first, then tasks that passed
 * after a failure.
 *
 * @param state State after the records.
 * @returns The outputs, and the number of omitted attempts.
 */
export function readAllPrinted(
  records: readonly TimedRunRecord[],
  state: RunState,
  place: Place,
): { readonly printed: PrintedByTask; readonly left: number } {
  const need = (task: TaskId): number =>
    at(state.accepted, task) !== true ? 0 : attemptsOn(state.tasks, task) > 1 ? 1 : 2;
  const attempts = [...attemptsIn(records)].sort(([one], [other]) => need(one) - need(other));
  const printed: Record<TaskId, Printed[]> = {};
  let room = mostOfAll;
  let left = 0;
  for (const [task, made] of attempts) {
    for (const each of made) {
      const print = printedBy(each, place);
      const size = JSON.stringify(print).length;
      if (size > room) {
        left += 1;
        continue;
      }
      room -= size;
      printed[task] = [...(printed[task] ?? []), print];
    }
  }
  return { printed, left };
}

export function readPrinted(records: readonly TimedRunRecord[], task: TaskId, place: Place): Printed[] {
  const made = attemptsIn(records).get(task) ?? [];
  return made.slice(-mostAttempts).map((each) => printedBy(each, place));
}

function attemptsIn(records: readonly TimedRunRecord[]): ReadonlyMap<TaskId, (readonly TimedRunRecord[])[]> {
  const byKey = new Map<string, TimedRunRecord[]>();
  const attempts = new Map<TaskId, TimedRunRecord[][]>();
  for (const record of records) {
    if (!("key" in record)) continue;
    const key = record.type === "delegated" ? record.key : attemptOf(record.key);
    if (record.type === "delegated" && worksOnTasks(record.role) && !byKey.has(key)) {
      const made: TimedRunRecord[] = [];
      byKey.set(key, made);
      const before = attempts.get(record.task);
      if (before === undefined) attempts.set(record.task, [made]);
      else before.push(made);
    }
    byKey.get(key)?.push(record);
  }
  return attempts;
}

function printedBy(records: readonly TimedRunRecord[], { dataFolder, run }: Place): Printed {
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
  const acts = text === null ? actsIn(said) : null;
  return {
    attempt: begun.attempt,
    message: clipEnd(acts ?? said),
    ...(acts !== null && { raw: clipEnd(said) }),
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

/** Read the end of a file; empty if it cannot be read. */
function endOf(path: string): string {
  try {
    return readTail(path, mostOfAttempt);
  } catch {
    return "";
  }
}

function clipEnd(text: string): Clip {
  const shown = escapeLines(text.replaceAll(escapeSequence, ""));
  const end = shown.slice(-mostOfAttempt / 2);
  return { text: end, left: shown.length - end.length };
}
