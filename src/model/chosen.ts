import * as z from "zod";
import { Repair } from "./directive.ts";
import { Escalation } from "./escalation.ts";
import { SpentByTask } from "./ledger.ts";

/** A tree that is being finished: the planned task, where in its tree to go on, and what that tree has spent. */
export const Chosen = z.object({
  root: z.string(),
  current: z.string(),
  spent: SpentByTask,
  /** The last fix that was made for `current` is done, and it was not tried behind that (not so when not given). */
  repaired: z.boolean().optional(),
  /** How stuck it was left; it was not when not given. */
  escalation: Escalation.optional(),
  /** An open question of the executor of `current` to a person; none when not given. */
  question: z.string().optional(),
  /** What a person has advised; nothing when not given. */
  guidance: z.string().optional(),
  /** Directives of the repair operator that were followed; none when not given. */
  repairs: z.array(Repair).optional(),
});
export type Chosen = z.infer<typeof Chosen>;

/** One of several trees that may be finished side by side. */
export const Member = Chosen.extend({
  /** Members whose end it waits for, since they change the same files. */
  after: z.array(z.string()),
});
export type Member = z.infer<typeof Member>;
