import { z } from "zod";

/** What an executor may ask for instead of, or besides, doing its task. */
export const ChangeType = z.enum(["SPLIT_TASK", "ADD_PREREQUISITE", "ADD_FOLLOWUP"]);
export type ChangeType = z.infer<typeof ChangeType>;

/** A `TASK_MODIFICATION_REQUEST` as an executor wrote it. Untrusted. */
export interface ModificationRequest {
  readonly type: ChangeType;
  readonly originalTaskId: string;
  readonly reasoning: string;
  /** Each the markdown of one task, as it is to stand in the plan; at least one. */
  readonly proposedTasks: readonly string[];
}
