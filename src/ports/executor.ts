import type { AttemptKey, Reply } from "../model/reply.ts";
import type { Role, SupportingRole } from "../model/role.ts";
import type { Rung } from "../model/rung.ts";
import type { TaskId } from "../model/task.ts";
import type { DelegationParts, Instructions } from "./delegation-parts.ts";

/** One task handed to an executor. */
export interface Delegation {
  /** `<task id>#<attempt>`; the same key when a delegation is repeated after a crash. */
  readonly key: AttemptKey;
  readonly role: Role;
  readonly taskId: TaskId;
  /** Counted from 1. */
  readonly attempt: number;
  readonly prompt: string;
  /** Material for the prompt; not given for a review, or for the choice of a repair. */
  readonly parts?: DelegationParts;
  /** Absolute path of the folder to work in. */
  readonly workspace: string;
  /** Absolute path of the spec folder. */
  readonly spec: string;
  /** Absolute path of the progress log: the spec's own, or a separate one in a batch. */
  readonly progressFile: string;
}

/** Progress that an executor reports while it works. */
export interface WorkProgress {
  /** The tool in use, such as `Bash`. */
  readonly tool?: string;
  /** The tool's action, or text of the executor; only the last of several lines is shown. */
  readonly line?: string;
  /** Input and output tokens so far. */
  readonly tokens?: number;
}

/** Report progress; replaces the tool and line of the previous call. May be called at any rate. */
export type TellProgress = (progress: WorkProgress) => void;

/**
 * Does a task and reports the outcome. Work that is already done should be detected, not repeated. Progress is
 * displayed and has no other effect.
 */
export interface Executor {
  (delegation: Delegation, signal: AbortSignal, progress: TellProgress): Promise<Reply | string>;
  /**
   * How prompts ask for the outcome. `text` (default): in the last message; `tool`: by a call of the report tool, for
   * an executor whose replies have a `claim`.
   */
  readonly instructions?: Instructions | undefined;
}

/** Thrown while handed-out work has no report yet. The report may come in this start or a later one. */
export class NotReported extends Error {
  override readonly name = "NotReported";
}

/**
 * An executor that hands work out and receives the report in this start or a later one. A call returns the report or
 * throws `NotReported`. Repeated calls do not start the work again.
 */
export interface HandOut extends Executor {
  /**
   * SHA-256 (hex) of the nonce that a report must carry.
   *
   * @param held The hash from the previous handout, kept while it is valid; null at first.
   */
  readonly nonceHashOf: (key: string, held: string | null) => string;
}

/** One executor, or several: if one cannot work, the next one replaces it. */
export type ExecutorChain = Executor | readonly [Executor, ...Executor[]];

/**
 * The executor of each role. Without a verifier or operator, the executor does `[VERIFY]` tasks and chooses repairs;
 * without a reviewer there is no review.
 */
export interface Executors extends Readonly<Partial<Record<SupportingRole, ExecutorChain>>> {
  readonly executor: ExecutorChain;
  /**
   * Executors for attempts of a rung, in place of the main executor. A rung without executors uses
   * those of the nearest earlier rung in `Rung` order, else the main executor.
   */
  readonly rungs?: Readonly<Partial<Record<Rung, ExecutorChain>>>;
}
