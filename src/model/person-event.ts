import * as z from "zod";

/**
 * What a person decides about a task that could not be repaired: once more, leave it out, or end the run. `skip` leaves
 * out what the question is about, which may be a part or a fix of a planned task; `skip-task` the planned task.
 */
export const PersonDecision = z.enum(["retry", "skip", "skip-task", "stop"]);
export type PersonDecision = z.infer<typeof PersonDecision>;

/** Characters of advice, at most. */
export const longestGuidance = 4000;

/** What a person, or a program for one, may say to a run at any time. */
export const PersonEvent = z.discriminatedUnion("type", [
  /** An answer to a checkpoint, or advice for the next delegation; empty to go on without any. */
  z.object({ type: z.literal("guidance.given"), text: z.string().max(longestGuidance) }),
  /** The answer of the verification-failure gate. */
  z.object({ type: z.literal("decision.made"), decision: PersonDecision }),
  /** No delegation begins until `resume`; what is under way is finished. */
  z.object({ type: z.literal("pause") }),
  z.object({ type: z.literal("resume") }),
  z.object({ type: z.literal("cancel") }),
]);
export type PersonEvent = z.infer<typeof PersonEvent>;
