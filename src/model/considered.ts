import * as z from "zod";
import { Limit } from "./limits.ts";
import { Rung } from "./rung.ts";

/** A rung that was looked at in a decision, and what was counted. */
export const Considered = z.object({
  rung: Rung,
  /** The limit that was asked, on which task, and what it had counted; null for a rung without one. */
  limit: Limit.nullable(),
  task: z.string(),
  spent: z.number(),
  /** Null where there is none. */
  max: z.number().nullable(),
  /** Why it was passed over; null for the one that was chosen. */
  passedOver: z.enum(["spent", "stuck", "repeated", "total"]).nullable(),
});
export type Considered = z.infer<typeof Considered>;
