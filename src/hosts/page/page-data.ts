import * as z from "zod";
import type { SpecAddress } from "../../model/command-line.ts";
import type { RunSeed } from "../../model/run-seed.ts";
import type { Task } from "../../model/task.ts";
import type { RecordedStart } from "../../runtime/recorded-run.ts";

/** A task as written in the plan. Texts are untrusted. */
export type PlannedTask = Pick<Task, "id" | "title" | "fixOf" | "parent" | "done" | "isGroup" | "aside">;

export interface PageRun {
  readonly spec: string;
  readonly run: number;
  readonly address: SpecAddress;
  /** Tasks that were open when the run began. */
  readonly open: number;
  /** Spending before the first record of the run. */
  readonly seed: RunSeed;
  readonly tasks: readonly PlannedTask[];
}

/** Change of the list of planned tasks: from index `at` on, `drop` tasks were replaced by `tasks`. */
export interface PlanChanged {
  readonly at: number;
  readonly drop: number;
  readonly tasks: readonly PlannedTask[];
}

/** Facts about a run that its records do not contain. */
export interface AtWork {
  /** Whether a coordinator of this machine executes the run. */
  readonly held: boolean;
  /** Whether a coordinator may be executing the run, on this or another machine. */
  readonly alive: boolean;
  /** Open question to a person about the whole run; absent if there is none. */
  readonly asked?: string;
}

export interface WholeRun {
  readonly head: PageRun;
  /** Oldest first. */
  readonly starts: readonly RecordedStart[];
  readonly atWork: AtWork;
  /** Sentences about omitted evidence. */
  readonly left: readonly string[];
}

/** A text that may be cut: the end of an output, or the beginning of a diff. */
export interface Clip {
  readonly text: string;
  /** Minimum number of omitted characters. */
  readonly left: number;
}

export interface Printed {
  readonly attempt: number;
  /** Before the reply, the acts that the stream of a known tool reports, else the output so far. */
  readonly message: Clip;
  /** Output from which the acts in `message` were read. */
  readonly raw?: Clip;
  readonly verify: { readonly command: string; readonly exitCode: number | null; readonly output: Clip } | null;
  /** Changes of the attempt as a unified diff; only in an exported page, as far as there is room. */
  readonly changed?: Clip;
}

export type PrintedByTask = Readonly<Record<string, readonly Printed[]>>;

/** Update of the output of an executor: `text` follows the first `keep` characters of the text that was sent before. */
export interface MoreOutput {
  readonly task: string;
  readonly attempt: number;
  /** Whether the text lists the acts that the stream of a known tool reports, instead of the output itself. */
  readonly acts: boolean;
  readonly keep: number;
  readonly text: string;
}

/** A spec in the list of specs. Its texts are escaped. */
export interface ListedSpec {
  readonly name: string;
  readonly kind: "work" | "ask" | "good" | "bad" | "quiet";
  /** Whether its run works, waits or is over, in words. */
  readonly state: string;
}

/** A message of a person from a live page. */
export const PageWord = z.strictObject({
  word: z.enum(["pause", "resume", "stop", "guidance", "accept", "retry", "skip", "skip-task"]),
  /** The advice; only with `guidance`. */
  text: z.string().max(4000).optional(),
  /** Task of the answered question; omitted for the whole run. */
  task: z.string().optional(),
});
export type PageWord = z.infer<typeof PageWord>;
