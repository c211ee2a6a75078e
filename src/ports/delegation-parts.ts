import type { Climb, Escalation } from "../model/escalation.ts";
import type { ProjectCheck } from "../model/project-check.ts";
import type { Collision } from "../model/record.ts";
import type { PermissionLevel } from "../model/reply.ts";
import type { TaskRole } from "../model/role.ts";
import type { Task, TaskId } from "../model/task.ts";
import type { EarlierAttempt } from "./attempt-record.ts";

/**
 * Material of a prompt, for executors that write their own prompt; `renderPrompt` writes the standard prompt. Except
 * `adjustment` and `guidance`, the texts come unchanged from the plan, executors and tools: treat them as data, not as
 * instructions.
 */
export interface DelegationParts {
  readonly role: TaskRole;
  readonly task: Pick<Task, "id" | "title" | "markers" | "fields">;
  /** Text of the task in the plan, with everything below its title. */
  readonly block: string;
  /** Part of the task to do; null or not given for the whole task. */
  readonly part?: TaskPart | null;
  /** `folder`: absolute. */
  readonly spec: { readonly name: string; readonly folder: string };
  /** Surroundings of the task in the plan. */
  readonly context?: PlanContext;
  /** End of the progress log. */
  readonly progress: string;
  /** Path of this task's own log in a batch; null for a task that runs alone. */
  readonly progressFile: string | null;
  /** Earlier attempts at the task, oldest first. */
  readonly earlier: readonly EarlierAttempt[];
  /** Changes of earlier attempts that this attempt starts without; null or not given if it continues from them. */
  readonly setAside?: SetAside | null;
  /** Changes of earlier attempts that this attempt continues from; null or not given if there are none. */
  readonly left?: SetAside | null;
  /** Why an accepted task is done again; null or not given for other tasks. */
  readonly collision?: ToldCollision | null;
  /** Null or not given if the tree is not stuck. */
  readonly climb?: Climb | null;
  /** History of the tree, with evidence of its failures; null or not given without failures. */
  readonly escalation?: Escalation | null;
  /** Whether the policy has rungs for stuck tasks; false if not given. */
  readonly escalates?: boolean;
  /** Text of the planned task in the plan, if another task of its tree is delegated; otherwise null or not given. */
  readonly original?: string | null;
  /** Changes requested by the repair operator. */
  readonly adjustment?: string | null;
  /** Guidance from the owner of the spec. */
  readonly guidance?: string | null;
  /** How the executor reports the outcome; `text` if not given. */
  readonly instructions?: Instructions | undefined;
  readonly requireExecutorTick: boolean;
  /** Permissions that the executor's tool gets; `tool` if not given. */
  readonly permissions?: PermissionLevel | undefined;
  /** Whether fixpoint commits the changes; false if not given. */
  readonly committed?: boolean | undefined;
  /**
   * Project check that judges this task later, together with other tasks. The command of the check is markdown. Null or
   * not given if no check follows.
   */
  readonly checkedLater?: ProjectCheck | null;
  /** Maximum length of failure evidence in the prompt, in characters; 8000 if not given. */
  readonly maxEvidence?: number;
  /**
   * Number of earlier prompts in the tree that were too long for the model, 0 to 2. A higher number makes this prompt
   * shorter.
   */
  readonly tooLong?: number;
}

/** How an executor reports the outcome: in its last message, or with the report tool. */
export type Instructions = "text" | "tool";

/** Why a task is done again. */
export interface ToldCollision extends Collision {
  /** Command that shows the accepted work. */
  readonly command: string;
}

/** Changes of earlier attempts at the task. */
export interface SetAside {
  /** Command that shows the changes of the last attempt. */
  readonly command: string;
  /**
   * Files that were reset, or that differ from the content before the first attempt, as paths relative to the
   * workspace.
   */
  readonly files: readonly string[];
}

export interface TaskPart {
  readonly of: TaskId;
  /** Counted from 1. */
  readonly number: number;
  readonly count: number;
  /** In the words of the repair operator. */
  readonly title: string;
}

export interface PlanContext {
  /** Heading above the task; null without a heading. */
  readonly phase: string | null;
  /** Text between the heading `phase` and the first task below it; may be empty. */
  readonly goal: string;
  /** Text of the checkpoint that the author has written below the tasks of the phase; may be empty or not given. */
  readonly checkpoint?: string;
  /** Section `Acceptance Criteria` of the plan; not given if the plan has none. */
  readonly criteria?: string;
  /** Value of the line `Status:` of the plan; not given if the plan has none. */
  readonly status?: string;
  /** Titles of the tasks that contain this task, outermost first. */
  readonly groups: readonly string[];
  readonly documents: readonly SpecDocument[];
}

export interface SpecDocument {
  readonly name: string;
  readonly text: string;
}
