import { z } from "zod";
import { Denial } from "./effect.ts";
import { RunEnded } from "./event.ts";
import { Ending, Usage } from "./reply.ts";

const kept = z.string();

/** What an attempt's reply is recorded as. */
export const ReplyRecord = z.object({
  /** The text itself when it is short, else null: it lies in the run's output folder. */
  text: kept.nullable(),
  stderr: kept.optional(),
  exitCode: z.int().optional(),
  ended: Ending.optional(),
  usage: Usage.optional(),
  headBefore: z.string().nullable(),
});
export type ReplyRecord = z.infer<typeof ReplyRecord>;

/** A Verify command and how it ended, as recorded. */
const VerifyRecord = z.object({
  command: z.string(),
  result: z.object({
    exitCode: z.int().nullable(),
    stdout: kept,
    stderr: kept,
    durationMs: z.number(),
    timedOut: z.boolean(),
  }),
});

/** One line of the journal: something that happened, in the order in which it did. */
export const RunRecord = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("delegated"),
    key: z.string(),
    task: z.string(),
    role: z.enum(["executor", "verifier"]),
    attempt: z.int(),
    retries: z.int(),
    /** Working time of the run so far, in milliseconds, whatever the wall clock says. */
    elapsedMs: z.number(),
  }),
  z.object({
    type: z.literal("answered"),
    key: z.string(),
    answer: z.unknown(),
    reply: ReplyRecord.optional(),
    verify: VerifyRecord.optional(),
  }),
  z.object({
    type: z.literal("intended"),
    key: z.string(),
    fix: z.object({
      id: z.string(),
      fixOf: z.string(),
      summary: z.string(),
      error: z.string(),
      attemptedFix: z.string(),
      files: z.string(),
      verify: z.string(),
      commit: z.string(),
    }),
  }),
  /** A fix task that was recorded but never written, and is not wanted any more. */
  z.object({ type: z.literal("dropped"), fix: z.string() }),
  /** The iterations of a task begin anew: a person has changed the plan after they were spent. */
  z.object({ type: z.literal("reset"), task: z.string() }),
  /** The coordinator let go of the spec without an end. */
  z.object({ type: z.literal("released") }),
  z.object({
    type: z.literal("ended"),
    ending: RunEnded,
    /** Of the plan as it was left. */
    planHash: z.string(),
    denial: Denial.nullable(),
  }),
]);
export type RunRecord = z.infer<typeof RunRecord>;
/** A record with the time at which it was made, in milliseconds since 1970. */
export type TimedRunRecord = RunRecord & { readonly at: number };
