import type { AttemptKey, Reply } from "../model/reply.ts";
import type { Role, SupportingRole } from "../model/role.ts";
import type { Rung } from "../model/rung.ts";
import type { TaskId } from "../model/task.ts";
import type { DelegationParts, Instructions } from "./delegation-parts.ts";

/** One task handed to an executor. */
export interface Delegation {
  /** `<task id>#<attempt>`; the same again when a delegation is repeated after a crash. */
  readonly key: AttemptKey;
  readonly role: Role;
  readonly taskId: TaskId;
  /** Counted from 1. */
  readonly attempt: number;
  readonly prompt: string;
  /** What the prompt is made of; not given for a review and for the choice of a repair. */
  readonly parts?: DelegationParts;
  /** Absolute folder to work in. */
  readonly workspace: string;
  /** Absolute folder of the spec. */
  readonly spec: string;
  /** Absolute path of the log to write into: that of the spec, or one of its own in a batch. */
  readonly progressFile: string;
}

/** What an executor shows of its work while it is at it. */
export interface WorkProgress {
  /** The tool it uses, such as `Bash`. */
  readonly tool?: string;
  /** What it does with that, or says; of several lines the last one is shown. */
  readonly line?: string;
  /** Tokens so far, input and output. */
  readonly tokens?: number;
}

/** Tells what is done now; what was told before of a tool and a line is over then. May be called as often as one likes. */
export type TellProgress = (progress: WorkProgress) => void;

/**
 * Does a task and says so. Executors are expected to find work already done, not to redo it. What they tell of their
 * progress is shown and nothing else.
 */
export interface Executor {
  (delegation: Delegation, signal: AbortSignal, progress: TellProgress): Promise<Reply | string>;
  /**
   * How its prompts ask for the outcome: `text` by words in its last message, `tool` by a report, where its replies have
   * a claim (`text` by default).
   */
  readonly instructions?: Instructions | undefined;
}

/** What was delegated is handed out: it is answered when it is reported, in this start or a later one. */
export class NotReported extends Error {
  override readonly name = "NotReported";
}

/**
 * Somebody who asks for work and reports to this start or to a later one. Called, it answers what was reported, or
 * throws `NotReported`. What is handed out is begun once, however often it is asked for.
 */
export interface HandOut extends Executor {
  /**
   * The SHA-256 of the nonce that the report of a delegation has to come with, in hex.
   *
   * @param held That of the nonce it was handed out with before, which is kept while it is known; null at first.
   */
  readonly nonceOf: (key: string, held: string | null) => string;
}

/** One executor, or several of which the next stands in for one that cannot work. */
export type ExecutorChain = Executor | readonly [Executor, ...Executor[]];

/**
 * Who plays which role. The executor does `[VERIFY]` tasks and chooses repairs where no verifier and no operator is
 * given; without a reviewer nothing is reviewed.
 */
export interface Executors extends Readonly<Partial<Record<SupportingRole, ExecutorChain>>> {
  readonly executor: ExecutorChain;
  /**
   * Who does the attempts that a rung of the ladder leads to, in place of the executor. A rung that has nobody takes
   * those of the nearest rung before it, in the order of `Rung`, else the executor.
   */
  readonly rungs?: Readonly<Partial<Record<Rung, ExecutorChain>>>;
}
