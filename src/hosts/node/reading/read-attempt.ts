import { existsSync } from "node:fs";
import { join } from "node:path";
import { readJournal, runFolder } from "../../../adapters/journal/read-journal.ts";
import { outputPaths, readTail } from "../../../adapters/processes/open-output.ts";
import { commandLine } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import type { RunRecord } from "../../../model/record.ts";
import { attemptOf } from "../../../model/reply.ts";
import { worksOnTasks } from "../../../model/role.ts";
import type { TaskId } from "../../../model/task.ts";
import { replyFiles } from "../file-journal.ts";
import { type SpecFolder, specAddress } from "../find-spec.ts";
import type { StatusOptions } from "./read-status.ts";

/** Output of an attempt at a task. */
export interface AttemptOutput {
  readonly task: TaskId;
  readonly run: number;
  readonly attempt: number;
  /** Numbers of all attempts at the task in the same run. */
  readonly attempts: readonly number[];
  /**
   * Final message of the executor, or its output so far if it is still running. A very long text is cut at its
   * beginning.
   */
  readonly message: string;
  /** Verify command of the attempt with its output; null if none was run. */
  readonly verify: { readonly command: string; readonly exitCode: number | null; readonly output: string } | null;
}

/** Number of bytes read from the end of each output. */
const longest = 1024 * 1024;

type Record<Type extends RunRecord["type"]> = Extract<RunRecord, { type: Type }>;

/**
 * Read the output of an attempt. Read-only, so it is safe while the run is in progress.
 *
 * @param attempt Number of the attempt; the last by default.
 * @throws {InputError} `attempt-missing`, `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export async function readAttempt(
  spec: SpecFolder,
  task: TaskId,
  {
    run: wanted,
    attempt: number,
    address = specAddress(spec),
  }: StatusOptions & { readonly attempt?: number | undefined },
): Promise<AttemptOutput> {
  const { run, records } = readJournal(spec.dataFolder, { run: wanted });
  const made = records.filter(
    (record): record is Record<"delegated"> & { at: number } =>
      record.type === "delegated" && record.task === task && worksOnTasks(record.role),
  );
  const attempts = [...new Set(made.map(({ attempt }) => attempt))];
  const last = made.findLast(({ attempt }) => number === undefined || attempt === number);
  if (last === undefined) {
    const which = number === undefined ? "an attempt" : `attempt ${number}`;
    const expected = attempts.length === 0 ? "a task with attempts" : `one of ${attempts.join(", ")}`;
    throw new InputError(`Cannot find ${which} of task \`${task}\` in run ${run}, expected ${expected}`, {
      code: "attempt-missing",
      hint: `See what was tried: ${commandLine(address, "status")}`,
    });
  }
  const outputs = join(runFolder(spec.dataFolder, run), "out");
  const ofAttempt = records.filter((record) => "key" in record && attemptOf(record.key) === last.key);
  const reply = ofAttempt.findLast((record) => record.type === "answered" && record.reply !== undefined);
  const checked = ofAttempt.findLast(
    (record) => (record.type === "answered" || record.type === "judged") && record.verify !== undefined,
  ) as Record<"answered"> | undefined;
  const inline = reply?.type === "answered" ? (reply.reply?.text ?? null) : null;
  return {
    ...{ task, run, attempt: last.attempt, attempts },
    // An attempt that has just begun has no output yet.
    message:
      inline ??
      (await replyFiles(outputs)
        .readOutput(last.key)
        .catch(() => "")),
    verify: checked?.verify === undefined ? null : verifyOf(checked.verify, outputs),
  };
}

function verifyOf(
  { command, name, result }: NonNullable<Record<"answered">["verify"]>,
  outputs: string,
): NonNullable<AttemptOutput["verify"]> {
  const { stdout, stderr } = outputPaths(outputs, name);
  const kept = [stdout, stderr].filter((path) => existsSync(path)).map((path) => readTail(path, longest));
  const output = kept.length > 0 ? kept : [result.stdout, result.stderr];
  return { command, exitCode: result.exitCode, output: output.filter((text) => text !== "").join("\n") };
}
