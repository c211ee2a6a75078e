import type { PersonEvent } from "../model/person-event.ts";
import type { PolicyInput } from "../model/policy.ts";
import type { AttemptKey, Reply } from "../model/reply.ts";
import type { TaskId } from "../model/task.ts";
import type { Delegation } from "../ports/executor.ts";
import type { CommandResult } from "../ports/shell.ts";

/** Behaviour of an agent in one attempt. */
export interface Act {
  /** Reply of the agent; a claim of completion if not given. */
  readonly reply?: string | Reply;
  /** Replacements in the plan before the reply, each applied once. */
  readonly edits?: readonly (readonly [from: string, to: string])[];
}

/** A run for a host under test, as plain JSON, so that any process can do part of it. */
export interface HostTask {
  /** Text of the plan. Verify commands are `true` or `./check <name>`. */
  readonly tasks: string;
  readonly policy: PolicyInput;
  /** Agent behaviour by task and attempt; after the last entry, agents complete. */
  readonly acts?: Readonly<Record<TaskId, readonly Act[]>>;
  /** Results of the runs of `./check <name>`, by name; exit code 0 after the last entry. */
  readonly checks?: Readonly<Record<string, readonly Pick<CommandResult, "exitCode" | "stdout">[]>>;
  /** Messages of a person while an agent works, by delegation. */
  readonly words?: Readonly<Record<AttemptKey, readonly PersonEvent[]>>;
  /** Whether the host is killed once per effect answer, before the answer is stored, and restarted. */
  readonly isKilled?: true;
}

/** Find the agent's behaviour for a delegation. */
export const actOn = ({ acts = {} }: HostTask, { taskId, attempt }: Pick<Delegation, "taskId" | "attempt">): Act =>
  acts[taskId]?.[attempt - 1] ?? {};

/** The agent's reply. */
export const replyOf = ({ reply = "TASK_COMPLETE" }: Act): string | Reply => reply;

/** Apply the agent's edits to a plan. */
export const editedBy = ({ edits = [] }: Act, tasks: string): string =>
  edits.reduce((text, [from, to]) => text.replace(from, () => to), tasks);

/** Result of a Verify run. @param earlier Number of earlier runs. */
export const checkResult = ({ checks = {} }: HostTask, command: string, earlier: number): CommandResult => ({
  ...{ exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false },
  ...checks[command.replace(/^\.\/check /, "")]?.[earlier],
});
