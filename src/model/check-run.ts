import * as z from "zod";
import { type FailedCheck, FailureSet, nameOfCheck, OutputDigest } from "./failure-set.ts";
import { clamp } from "./text.ts";

/** Numbers of checks in one command run; null if the tool does not report a number. */
export const CheckCounts = z.object({
  ran: z.int().min(0).nullable(),
  skipped: z.int().min(0).nullable(),
  /** Failed checks that the output of a passed command reports; missing if there are none. */
  failed: z.int().min(1).optional(),
});
export type CheckCounts = z.infer<typeof CheckCounts>;

/** A failed check: its name in a failure set, and its file if the tool reports it. */
export const RedCheck = z.object({
  name: z.string(),
  /** Id from the tool, shortened. */
  id: z.string(),
  file: z.string().nullable(),
});
export type RedCheck = z.infer<typeof RedCheck>;

/** Maximum length of a check's id, in code points. */
const longestId = 200;

export const redCheck = (check: FailedCheck): RedCheck => ({
  ...{ name: nameOfCheck(check), id: clamp(check.id, longestId) },
  file: check.file,
});

/** Result of a task's Verify before the work. */
export const Before = z.object({
  command: z.string(),
  /** Null if unknown; `why` gives the reason. */
  red: z.boolean().nullable(),
  why: z.string().optional(),
  failing: FailureSet.nullable(),
  reds: z.array(RedCheck),
  counts: CheckCounts.nullable(),
});
export type Before = z.infer<typeof Before>;

/** Recorded facts about one execution of a check command. */
export interface KnownRun extends Pick<Before, "failing" | "reds" | "counts"> {
  /** Name of the stored output of this execution. */
  readonly name: string;
  readonly passed: boolean;
  /** Hash of the workspace files after the command; null if unknown. */
  readonly tree: string | null;
  readonly durationMs: number;
}

/** Recorded facts about a check command: its last execution, and stored outputs. */
export interface CommandRuns {
  readonly last: KnownRun;
  /** Name of the output of the last passed execution; null without such an execution. */
  readonly passed: string | null;
  /** Name of the output of the last failed execution; null without such an execution. */
  readonly failed: string | null;
  /**
   * Names of checks that were red in the first execution; empty if the first execution came after the first delegation.
   */
  readonly atFirst: readonly string[];
}

export const VerifyRecord = z.object({
  command: z.string(),
  /** File name of the output in the run's output folder. */
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
  /** Digest of the failures; null if the command passed. */
  digest: OutputDigest.nullable(),
  /** Hash of the workspace files after the command; null if unknown. */
  tree: z.string().nullable().optional(),
  counts: CheckCounts.optional(),
  /** Names of checks that were red in the previous execution and are green now, although no file changed. */
  flaky: z.array(z.string()).optional(),
});
