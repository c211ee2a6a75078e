import * as z from "zod";
import { type FailedCheck, FailureSet, nameOfCheck, OutputDigest } from "./failure-set.ts";
import { clamp } from "./text.ts";

/** How many checks a run of a command made, as far as its tool tells. */
export const CheckCounts = z.object({
  ran: z.int().min(0).nullable(),
  skipped: z.int().min(0).nullable(),
});
export type CheckCounts = z.infer<typeof CheckCounts>;

/** A check that failed: its name in a set of failures, and the file that it stands in, if its tool tells. */
export const RedCheck = z.object({
  name: z.string(),
  /** As its tool names it, cut. */
  id: z.string(),
  file: z.string().nullable(),
});
export type RedCheck = z.infer<typeof RedCheck>;

/** Code points of what its tool calls a check. */
const longestId = 200;

/** What is remembered of a check that failed. */
export const redCheck = (check: FailedCheck): RedCheck => ({
  ...{ name: nameOfCheck(check), id: clamp(check.id, longestId) },
  file: check.file,
});

/** What the command that checks a task said before the work on it. */
export const Before = z.object({
  command: z.string(),
  /** Null where it is not known; `why` says why. */
  red: z.boolean().nullable(),
  why: z.string().optional(),
  /** What failed; null where no tool names or counts it. */
  failing: FailureSet.nullable(),
  reds: z.array(RedCheck),
  counts: CheckCounts.nullable(),
});
export type Before = z.infer<typeof Before>;

/** A run of a command that checks something, as its run remembers it. */
export interface KnownRun extends Pick<Before, "failing" | "reds" | "counts"> {
  /** Name under which its output is kept. */
  readonly name: string;
  readonly passed: boolean;
  /** Name of the content of the workspace that it left; null where that is not known. */
  readonly tree: string | null;
  readonly durationMs: number;
}

/** All that a run remembers of a command: its last run, and which outputs of it are kept. */
export interface CommandRuns {
  readonly last: KnownRun;
  /** Name of the output of the last run that passed, and of the last that failed. */
  readonly passed: string | null;
  readonly failed: string | null;
  /** Checks that were red in its first run, where that was before the run's first delegation. */
  readonly atFirst: readonly string[];
}

/** A Verify command and how it ended, as recorded. */
export const VerifyRecord = z.object({
  command: z.string(),
  /** Name under which its output is kept in the run's output folder. */
  name: z.string(),
  result: z.object({
    exitCode: z.int().nullable(),
    stdout: z.string(),
    stderr: z.string(),
    durationMs: z.number(),
    timedOut: z.boolean(),
    limitMs: z.number().optional(),
    limitBytes: z.number().optional(),
  }),
  /** What its output says of what failed; null when it passed. */
  digest: OutputDigest.nullable(),
  /** Name of the content of the workspace that it left; null where that cannot be told. */
  tree: z.string().nullable().optional(),
  counts: CheckCounts.optional(),
  /** Names of checks that were red in a run just before, without a change in between. */
  flaky: z.array(z.string()).optional(),
});
