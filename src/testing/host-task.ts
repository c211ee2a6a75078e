import type { PersonEvent } from "../model/person-event.ts";
import type { PolicyInput } from "../model/policy.ts";
import type { AttemptKey, Reply } from "../model/reply.ts";
import type { TaskId } from "../model/task.ts";
import type { Delegation } from "../ports/executor.ts";
import type { CommandResult } from "../ports/shell.ts";

/** What an agent does in one attempt. */
export interface Act {
  /** What it replies; that its task is done when not given. */
  readonly reply?: string | Reply;
  /** What it replaces in the plan before it replies, each once. */
  readonly edits?: readonly (readonly [from: string, to: string])[];
}

/** A run for a host under test, as plain JSON, so that any process can do a part of it. */
export interface HostTask {
  /** Text of the plan. Verify commands are `true` or `./check <name>`. */
  readonly tasks: string;
  readonly policy: PolicyInput;
  /** What agents do, by task and attempt; past the last they do it. */
  readonly acts?: Readonly<Record<TaskId, readonly Act[]>>;
  /** How each run of `./check <name>` ends, by name; past the last with 0. */
  readonly checks?: Readonly<Record<string, readonly Pick<CommandResult, "exitCode" | "stdout">[]>>;
  /** What a person says while an agent is at work, by delegation. */
  readonly words?: Readonly<Record<AttemptKey, readonly PersonEvent[]>>;
  /** The host is killed once for each answer of an effect, when it has not kept that yet, and started again. */
  readonly isKilled?: true;
}

/** What an agent does with a delegation. */
export const actOn = ({ acts = {} }: HostTask, { taskId, attempt }: Pick<Delegation, "taskId" | "attempt">): Act =>
  acts[taskId]?.[attempt - 1] ?? {};

/** What it replies. */
export const replyOf = ({ reply = "TASK_COMPLETE" }: Act): string | Reply => reply;

/** The plan when it has edited it. */
export const editedBy = ({ edits = [] }: Act, tasks: string): string =>
  edits.reduce((text, [from, to]) => text.replace(from, () => to), tasks);

/** How a run of a Verify command ends. @param earlier How often it was run before. */
export const checkResult = ({ checks = {} }: HostTask, command: string, earlier: number): CommandResult => ({
  ...{ exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false },
  ...checks[command.replace(/^\.\/check /, "")]?.[earlier],
});
