import * as z from "zod";

/** Something only a person can decide. */
export const Question = z.object({ kind: z.literal("gate"), reason: z.string(), hint: z.string() });
export type Question = z.infer<typeof Question>;

/**
 * What a person is asked about: a task that could not be repaired, how to go on from a checkpoint, what an executor has
 * put to them, or trouble of the environment that meets one task after the other.
 */
export const QuestionTopic = z.enum(["repair", "checkpoint", "blocked", "environment"]);
export type QuestionTopic = z.infer<typeof QuestionTopic>;
