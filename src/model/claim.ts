import * as z from "zod";
import { clamp } from "./clamp.ts";
import { ModificationRequest } from "./modification-request.ts";

/** Characters that are kept of each text of a claim. */
const longest = 16 * 1024;

const text = z.string().overwrite((said) => clamp(said, longest));

/**
 * What an executor claims of its attempt, in a form made for programs. It is untrusted, and takes the place of what
 * would be read from the text of its reply; what is verified stays the same.
 */
export const Claim = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("complete") }),
  z.object({ kind: z.literal("failed"), error: text, attemptedFix: text.optional(), blocker: text.optional() }),
  /** A person has to decide something first. */
  z.object({ kind: z.literal("blocked"), question: text.min(1) }),
  /** The plan has to change: the task is not done, but for one of type `ADD_FOLLOWUP`. */
  z.object({ kind: z.literal("modify"), request: ModificationRequest }),
]);
export type Claim = z.infer<typeof Claim>;
