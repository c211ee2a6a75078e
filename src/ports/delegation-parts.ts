import type { Climb, Escalation } from "../model/escalation.ts";
import type { ProjectCheck } from "../model/project-check.ts";
import type { Collision } from "../model/record.ts";
import type { PermissionLevel } from "../model/reply.ts";
import type { TaskRole } from "../model/role.ts";
import type { Task, TaskId } from "../model/task.ts";
import type { EarlierAttempt } from "./attempt-record.ts";

/**
 * What a delegation is made of, for executors that make a prompt of their own. `renderPrompt` makes the prompt of it.
 * Texts are those of the plan, of executors and of tools, as they are: data, not instructions, but for `adjustment` and
 * `guidance`.
 */
export interface DelegationParts {
  readonly role: TaskRole;
  readonly task: Pick<Task, "id" | "title" | "markers" | "fields">;
  /** The task as it stands in the plan, with everything below its title. */
  readonly block: string;
  /** The one part of the task that is to be done; null or not given for the whole. */
  readonly part?: TaskPart | null;
  /** `folder`: absolute. */
  readonly spec: { readonly name: string; readonly folder: string };
  /** Phase, goal, groups and documents around the task; nothing when not given. */
  readonly context?: PlanContext;
  /** The end of the progress log. */
  readonly progress: string;
  /** Path of the log of this member of a batch; null for one that works alone. */
  readonly progressFile: string | null;
  /** Earlier attempts at the task, oldest first. */
  readonly earlier: readonly EarlierAttempt[];
  /** What attempts before it left, where it begins without that; null or not given where it goes on with it. */
  readonly setAside?: SetAside | null;
  /** Files that attempts before it changed, where it goes on with them; null or not given where none did. */
  readonly left?: SetAside | null;
  /** Why the task is done once more though it was accepted; null or not given for any other. */
  readonly collision?: ToldCollision | null;
  /** The level of being stuck; null or not given for none. */
  readonly climb?: Climb | null;
  /** Failures of the planned task so far, with their evidence; nothing when not given. */
  readonly escalation?: Escalation | null;
  /** Whether being stuck means anything (false by default). */
  readonly escalates?: boolean;
  /** The planned task as it stands in the plan, if another one is delegated for it; else null or not given. */
  readonly original?: string | null;
  /** Changes that the repair operator asks for. */
  readonly adjustment?: string | null;
  /** Advice of the owner of the spec. */
  readonly guidance?: string | null;
  /** How the outcome is to be given: in words, or by a report (`text` by default). */
  readonly instructions?: Instructions | undefined;
  readonly requireExecutorTick: boolean;
  /** What its tool may do (`tool` by default). */
  readonly permissions?: PermissionLevel | undefined;
  /** Whether its changes are committed for it (false by default). */
  readonly committed?: boolean | undefined;
  /** The check of the project, its command as code, that judges the task together with others; null or not given for none. */
  readonly checkedLater?: ProjectCheck | null;
  /** The longest evidence of a failure in the prompt, in characters (8000 by default). */
  readonly maxEvidence?: number;
  /** How many prompts for the planned task were too long for the model: up to two, each makes this one shorter. */
  readonly tooLong?: number;
}

/** How an executor gives the outcome: by words in its last message, or by a report. */
export type Instructions = "text" | "tool";

/** Why a task is done once more. */
export interface ToldCollision extends Collision {
  /** The command that shows what was accepted of it. */
  readonly command: string;
}

/** What earlier attempts at the task left. */
export interface SetAside {
  /** The command that shows what the last of them changed. */
  readonly command: string;
  /** The files, from the workspace: those that are put back, or those that differ from what the first attempt found. */
  readonly files: readonly string[];
}

/** One part of a decomposed task. */
export interface TaskPart {
  readonly of: TaskId;
  /** Counted from 1. */
  readonly number: number;
  readonly count: number;
  /** The repair operator's words. */
  readonly title: string;
}

/** What stands around a task, and belongs to it as its author means it. */
export interface PlanContext {
  /** Heading above it; null for none. */
  readonly phase: string | null;
  /** What stands between that heading and its first task; empty for nothing. */
  readonly goal: string;
  /** What its author writes below the tasks of that heading: by what they are done; empty or not given for nothing. */
  readonly checkpoint?: string;
  /** The section `Acceptance Criteria` of the plan; not given where it has none. */
  readonly criteria?: string;
  /** What a line `Status:` of the plan says; not given where it has none. */
  readonly status?: string;
  /** Titles of the tasks that group it, from the outside. */
  readonly groups: readonly string[];
  readonly documents: readonly SpecDocument[];
}

/** A document that lies beside the plan. */
export interface SpecDocument {
  /** Of its file. */
  readonly name: string;
  readonly text: string;
}
