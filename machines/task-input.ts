import * as z from "zod";
import { Repair } from "../src/model/directive.ts";
import { Escalation } from "../src/model/escalation.ts";
import { SpentByTask } from "../src/model/ledger.ts";
import type { PolicyInput } from "../src/model/policy.ts";
import type { TaskId } from "../src/model/task-id.ts";
import { PolicyGiven } from "./check-input.ts";

/** What a task machine is started with. */
export interface TaskInput {
  /** The planned task to finish. */
  readonly root: TaskId;
  /** Where in its tree to go on: an open fix task below it; the root itself when not given. */
  readonly current?: TaskId | undefined;
  /** What its tree has spent in earlier starts. */
  readonly spent?: SpentByTask | undefined;
  /** The last fix that was made for `current` is done, and it was not tried behind that (not so when not given). */
  readonly repaired?: boolean | undefined;
  readonly policy?: PolicyInput | undefined;
  /** Others are worked on beside it (not so when not given). */
  readonly grouped?: boolean | undefined;
  /** Its box stays open when it is done (not so when not given). */
  readonly keepOpen?: boolean | undefined;
  /** How stuck it was left (not at all when not given). */
  readonly escalation?: Escalation | undefined;
  /** An open question of the executor of `current` to a person (none when not given). */
  readonly question?: string | undefined;
  /** What a person has advised (nothing when not given). */
  readonly guidance?: string | undefined;
  /** Directives of the repair operator that were followed (none when not given). */
  readonly repairs?: readonly Repair[] | undefined;
  /** No delegation begins before `resume` (not so when not given). */
  readonly paused?: boolean | undefined;
}

/** Its form. */
export const taskInput: z.ZodType<TaskInput> = z.strictObject({
  root: z.string(),
  current: z.string().optional(),
  spent: SpentByTask.optional(),
  repaired: z.boolean().optional(),
  policy: PolicyGiven,
  grouped: z.boolean().optional(),
  keepOpen: z.boolean().optional(),
  escalation: Escalation.optional(),
  question: z.string().optional(),
  guidance: z.string().optional(),
  repairs: z.array(Repair).optional(),
  paused: z.boolean().optional(),
});
