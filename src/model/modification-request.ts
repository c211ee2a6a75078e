import * as z from "zod";
import { clamp } from "./clamp.ts";

/** What an executor may ask for instead of, or besides, doing its task. */
export const ChangeType = z.enum(["SPLIT_TASK", "ADD_PREREQUISITE", "ADD_FOLLOWUP"]);
export type ChangeType = z.infer<typeof ChangeType>;

const mostTasks = 20;
/** Code points kept. */
const longestReasoning = 500;

/** A `TASK_MODIFICATION_REQUEST` as an executor wrote it. Untrusted. */
export const ModificationRequest = z.object({
  type: ChangeType,
  originalTaskId: z.string().trim().min(1),
  reasoning: z
    .string()
    .default("")
    .overwrite((said) => clamp(said, longestReasoning)),
  /** Each the markdown of one task, as it is to stand in the plan. */
  proposedTasks: z.array(z.string()).min(1).max(mostTasks).readonly(),
});
export interface ModificationRequest {
  readonly type: ChangeType;
  readonly originalTaskId: string;
  readonly reasoning: string;
  /** Each the markdown of one task, as it is to stand in the plan; at least one. */
  readonly proposedTasks: readonly string[];
}
