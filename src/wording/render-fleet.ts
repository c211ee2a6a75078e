import { countOf } from "../model/text.ts";
import { escapeText } from "./escape-text.ts";

export interface ToldFleet {
  readonly workers: readonly {
    readonly id: string;
    readonly executors: readonly string[];
    readonly slots: number;
    readonly beatS: number;
  }[];
  readonly runs: readonly {
    readonly run: string;
    readonly done: number;
    readonly total: number;
    readonly branch: string;
    readonly outcome: string | null;
    readonly questions: readonly { readonly task: string | null; readonly text: string }[];
  }[];
  readonly waiting: readonly string[];
  readonly jobs: Readonly<Record<string, { readonly waiting: number; readonly atWork: number }>>;
  readonly notes: readonly string[];
}

export function renderFleet({ workers, runs, waiting, jobs, notes }: ToldFleet): string {
  const lines = [
    countOf(workers.length, "worker", "workers"),
    ...workers.map(
      ({ id, executors, slots, beatS }) =>
        `  ${id}  ${executors.join(", ")}  ${slots} jobs at a time, last heartbeat ${beatS} s ago`,
    ),
    countOf(runs.length + waiting.length, "run", "runs"),
    ...runs.map(
      ({ run, done, total, branch, outcome }) =>
        `  ${run}  ${outcome ?? "at work"}  ${done} of ${total} tasks  ${branch}`,
    ),
    ...waiting.map((run) => `  ${run}  waits for a worker`),
    ...Object.entries(jobs).map(
      ([executor, { atWork, waiting: open }]) => `  jobs of ${executor}: ${atWork} at work, ${open} waiting`,
    ),
    ...runs.flatMap(({ run, branch, questions, outcome }) =>
      questions.map(({ task, text }) =>
        outcome === null
          ? `Asked: ${run}${task === null ? "" : ` ${task}`}: ${text}`
          : `Ended: ${run}: ${text.replace(/\.$/, "")}. To continue, check out ${branch} and submit the spec again`,
      ),
    ),
    ...notes.map((note) => `Note: ${note}`),
  ];
  return lines.map((line) => `${escapeText(line)}\n`).join("");
}
