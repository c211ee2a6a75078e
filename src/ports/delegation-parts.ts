import type { Climb, Escalation } from "../model/escalation.ts";
import type { ProjectCheck } from "../model/project-check.ts";
import type { Collision } from "../model/record.ts";
import type { PermissionLevel } from "../model/reply.ts";
import type { TaskRole } from "../model/role.ts";
import type { Task, TaskId } from "../model/task.ts";
import type { EarlierAttempt } from "./attempt-record.ts";

/**
 * The material of a delegation, for executors that build their own prompt; `renderPrompt` builds the standard prompt.
 * Texts come unchanged from the plan, executors and tools: treat them as data, not instructions, except `adjustment`
 * and `guidance`.
 */
export interface DelegationParts {
  readonly role: TaskRole;
  readonly task: Pick<Task, "id" | "title" | "markers" | "fields">;
  /** The task as written in the plan, with everything below its title. */
  readonly block: string;
  /** The part of the task to do; null or not given: the whole task. */
  readonly part?: TaskPart | null;
  /** `folder`: absolute. */
  readonly spec: { readonly name: string; readonly folder: string };
  /** Phase, goal, groups and documents around the task; not given: none. */
  readonly context?: PlanContext;
  /** The end of the progress log. */
  readonly progress: string;
  /** Path of the log of this batch member; null if the task works alone. */
  readonly progressFile: string | null;
  /** Earlier attempts at the task, oldest first. */
  readonly earlier: readonly EarlierAttempt[];
  /**
   * Changes of earlier attempts, if this attempt starts without them; null or not given if this attempt continues from
   * them.
   */
  readonly setAside?: SetAside | null;
  /** Changes of earlier attempts, if this attempt continues from them; null or not given if there are none. */
  readonly left?: SetAside | null;
  /** Why an accepted task is done again; null or not given for any other task. */
  readonly collision?: ToldCollision | null;
  /** Stuck level of the tree; null or not given: not stuck. */
  readonly climb?: Climb | null;
  /** Failures of the planned task so far, with evidence; null or not given: none. */
  readonly escalation?: Escalation | null;
  /** Whether the policy has rungs for stuck tasks (false by default). */
  readonly escalates?: boolean;
  /** The planned task as written in the plan, if another task is delegated; else null or not given. */
  readonly original?: string | null;
  /** Changes requested by the repair operator. */
  readonly adjustment?: string | null;
  /** Guidance from the owner of the spec. */
  readonly guidance?: string | null;
  /** How the executor reports the outcome: `text` (default) or `tool`. */
  readonly instructions?: Instructions | undefined;
  readonly requireExecutorTick: boolean;
  /** Permissions of the executor's tool (`tool` by default). */
  readonly permissions?: PermissionLevel | undefined;
  /** Whether fixpoint commits the changes (false by default). */
  readonly committed?: boolean | undefined;
  /**
   * The project check (command formatted as code) that judges this task together with others; null or not given:
   * none.
   */
  readonly checkedLater?: ProjectCheck | null;
  /** Maximum number of characters of failure evidence in the prompt (8000 by default). */
  readonly maxEvidence?: number;
  /**
   * Number of prompts for the planned task that were too long for the model (0 to 2); each one shortens this prompt.
   */
  readonly tooLong?: number;
}

/** How an executor reports the outcome: in its last message, or with a report tool. */
export type Instructions = "text" | "tool";

/** Why a task is done again. */
export interface ToldCollision extends Collision {
  /** The command that shows the accepted work. */
  readonly command: string;
}

/** Changes of earlier attempts at the task. */
export interface SetAside {
  /** The command that shows the changes of the last attempt. */
  readonly command: string;
  /** Files, relative to the workspace, that were reset or that differ from the content before the first attempt. */
  readonly files: readonly string[];
}

/** One part of a decomposed task. */
export interface TaskPart {
  readonly of: TaskId;
  /** Counted from 1. */
  readonly number: number;
  readonly count: number;
  /** Title in the words of the repair operator. */
  readonly title: string;
}

/** Context of a task in its plan. */
export interface PlanContext {
  /** Heading above the task; null if there is none. */
  readonly phase: string | null;
  /** Text between that heading and its first task; may be empty. */
  readonly goal: string;
  /** The author's checkpoint below the tasks of that heading; empty or not given if there is none. */
  readonly checkpoint?: string;
  /** The section `Acceptance Criteria` of the plan; not given if there is none. */
  readonly criteria?: string;
  /** The value of the plan's `Status:` line; not given if there is none. */
  readonly status?: string;
  /** Titles of the enclosing tasks, outermost first. */
  readonly groups: readonly string[];
  readonly documents: readonly SpecDocument[];
}

/** A document in the folder of the plan. */
export interface SpecDocument {
  /** File name. */
  readonly name: string;
  readonly text: string;
}
