import type { Repair } from "../src/model/directive.ts";
import type { Escalation } from "../src/model/escalation.ts";
import type { SpentByTask } from "../src/model/ledger.ts";
import type { PolicyInput } from "../src/model/policy.ts";
import type { TaskId } from "../src/model/task-id.ts";

/** What a task machine is started with. */
export interface TaskInput {
  /** The planned task to finish. */
  readonly root: TaskId;
  /** Where in its tree to go on: an open fix task below it; the root itself when not given. */
  readonly current?: TaskId;
  /** What its tree has spent in earlier starts. */
  readonly spent?: SpentByTask;
  readonly policy?: PolicyInput;
  /** Others are worked on beside it (not so when not given). */
  readonly grouped?: boolean;
  /** Its box stays open when it is done (not so when not given). */
  readonly keepOpen?: boolean;
  /** How stuck it was left (not at all when not given). */
  readonly escalation?: Escalation | undefined;
  /** What a person has advised (nothing when not given). */
  readonly guidance?: string | undefined;
  /** Directives of the repair operator that were followed (none when not given). */
  readonly repairs?: readonly Repair[] | undefined;
  /** No delegation begins before `resume` (not so when not given). */
  readonly paused?: boolean;
}
