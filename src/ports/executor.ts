import type { AttemptKey, Reply } from "../model/reply.ts";
import type { Role, SupportingRole } from "../model/role.ts";
import type { Rung } from "../model/rung.ts";
import type { TaskId } from "../model/task.ts";
import type { DelegationParts, Instructions } from "./delegation-parts.ts";

export interface Delegation {
  /** `<task id>#<attempt>`. A delegation that is repeated after a crash has the same key. */
  readonly key: AttemptKey;
  readonly role: Role;
  readonly taskId: TaskId;
  /** Counted from 1. */
  readonly attempt: number;
  readonly prompt: string;
  /** Material of the prompt; not given for a review or for the choice of a repair. */
  readonly parts?: DelegationParts;
  /** Absolute path of the folder to work in. */
  readonly workspace: string;
  /** Absolute path of the spec folder. */
  readonly spec: string;
  /** Absolute path of the progress log of the spec or, in a batch, of the task. */
  readonly progressFile: string;
}

export interface WorkProgress {
  /** Tool in use, such as `Bash`. */
  readonly tool?: string;
  /** Action of the tool, or text of the executor. Only the last line is shown. */
  readonly line?: string;
  /** Input and output tokens so far. */
  readonly tokens?: number;
}

/** Report progress, at any rate. A call replaces `tool` and `line` of the previous call. */
export type TellProgress = (progress: WorkProgress) => void;

/**
 * Does a task and reports the outcome. An executor should detect work that is already done, and not repeat that work.
 * Progress is only displayed.
 */
export interface Executor {
  (delegation: Delegation, signal: AbortSignal, progress: TellProgress): Promise<Reply | string>;
  /**
   * How prompts ask for the outcome. `text`, the default: in the last message; `tool`: by a call of the report tool,
   * for an executor whose replies have a `claim`.
   */
  readonly instructions?: Instructions | undefined;
}

/** Thrown if handed-out work has no report yet. The report may come in this start or in a later start. */
export class NotReported extends Error {
  override readonly name = "NotReported";
}

/**
 * Hands work out. A call returns the report, or throws `NotReported`; a repeated call does not start the work again.
 * The report may come in a later start.
 */
export interface HandOut extends Executor {
  /**
   * SHA-256 (hex) of the nonce that a report must carry.
   *
   * @param held Hash of an earlier handout, which is returned while it is valid; null at first.
   */
  readonly nonceHashOf: (key: string, held: string | null) => string;
}

/** One or more executors. If an executor is unavailable, the next executor takes over. */
export type ExecutorChain = Executor | readonly [Executor, ...Executor[]];

/**
 * Executors by role. Without a verifier or an operator, the executor does `[VERIFY]` tasks and chooses repairs; without
 * a reviewer, nothing is reviewed.
 */
export interface Executors extends Readonly<Partial<Record<SupportingRole, ExecutorChain>>> {
  readonly executor: ExecutorChain;
  /**
   * Executors for attempts on a rung, in place of `executor`. A rung without executors uses the executors of the
   * nearest earlier rung in the order of `Rung`, else `executor`.
   */
  readonly rungs?: Readonly<Partial<Record<Rung, ExecutorChain>>>;
}
