import * as z from "zod";
import type { SpecAddress } from "../../model/command-line.ts";
import type { RunSeed } from "../../model/run-seed.ts";
import type { Task } from "../../model/task.ts";
import type { RecordedStart } from "../../runtime/recorded-run.ts";

/** A task as it stands in the plan. Texts are untrusted. */
export type PlannedTask = Pick<Task, "id" | "title" | "fixOf" | "parent" | "done">;

/** A run as the page is given it, before its records. */
export interface PageRun {
  readonly spec: string;
  readonly run: number;
  /** How command lines in hints name the spec. */
  readonly address: SpecAddress;
  /** Tasks that were open when the run began. */
  readonly open: number;
  /** What had been spent before its first record. */
  readonly seed: RunSeed;
  readonly tasks: readonly PlannedTask[];
}

/** How the list of planned tasks has changed: from the place `at` on `drop` of them were replaced by `tasks`. */
export interface PlanChanged {
  readonly at: number;
  readonly drop: number;
  readonly tasks: readonly PlannedTask[];
}

/** Who is at work. */
export interface AtWork {
  /** Whether a coordinator of this machine is. */
  readonly held: boolean;
  /** Whether one may be, here or elsewhere. */
  readonly alive: boolean;
}

/** A run with all of its records, as a page has it that stands alone. */
export interface WholeRun {
  readonly head: PageRun;
  /** Oldest first. */
  readonly starts: readonly RecordedStart[];
  readonly atWork: AtWork;
  /** What of the evidence is left out, in sentences. */
  readonly left: readonly string[];
}

/** A text of which only the end may be there; of a diff the beginning. */
export interface Clip {
  readonly text: string;
  /** Characters that are left out, or more. */
  readonly left: number;
}

/** What an attempt has printed. */
export interface Printed {
  readonly attempt: number;
  readonly message: Clip;
  readonly verify: { readonly command: string; readonly exitCode: number | null; readonly output: Clip } | null;
  /** What it changed, as a unified diff; only in a page that stands alone, as far as there is room. */
  readonly changed?: Clip;
}

/** What the attempts at each task have printed. */
export type PrintedByTask = Readonly<Record<string, readonly Printed[]>>;

/** What an executor has printed so far: `text` behind the first `keep` characters of what was sent before. */
export interface MoreOutput {
  readonly task: string;
  readonly attempt: number;
  readonly keep: number;
  readonly text: string;
}

/** What a live page says for a person. */
export const PageWord = z.strictObject({
  word: z.enum(["pause", "resume", "stop", "guidance", "accept", "retry", "skip", "skip-task"]),
  /** The advice; only with `guidance`. */
  text: z.string().max(4000).optional(),
  /** The task that the question is about; not given for the whole run. */
  task: z.string().optional(),
});
export type PageWord = z.infer<typeof PageWord>;
