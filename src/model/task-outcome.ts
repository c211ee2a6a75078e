import * as z from "zod";
import { SpentByTask } from "./ledger.ts";
import { Denial } from "./limits.ts";
import { Question } from "./question.ts";

/** What every outcome names: the planned task, where in its tree it ended, and what that tree has spent. */
const settled = { root: z.string(), current: z.string(), spent: SpentByTask };

/** How a planned task ended. */
export const TaskOutcome = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("passed"), ...settled }),
  /** Its executor has had other tasks put before it, or in its place. */
  z.object({ kind: z.literal("replanned"), ...settled }),
  z.object({
    kind: z.literal("exhausted"),
    ...settled,
    denial: Denial,
    /** What the last attempt failed with, or why its claim was rejected; null when none was made. */
    lastError: z.string().nullable(),
  }),
  /** It is left out: its box stays open. */
  z.object({ kind: z.literal("pruned"), ...settled, justification: z.string() }),
  /** It is stuck, and a report was written for a person. */
  Question.extend({ ...settled, kind: z.literal("checkpoint") }),
  Question.extend(settled),
  z.object({ kind: z.literal("cancelled"), ...settled }),
]);
export type TaskOutcome = z.infer<typeof TaskOutcome>;
