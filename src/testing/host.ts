import { deepEqual } from "node:assert/strict";
import type { PersonEvent } from "../model/person-event.ts";
import type { PolicyInput } from "../model/policy.ts";
import type { AttemptKey, Reply } from "../model/reply.ts";
import type { TaskId } from "../model/task.ts";
import type { Delegation } from "../ports/executor.ts";
import type { CommandResult } from "../ports/shell.ts";
import { failedReply } from "./scripted-ports.ts";

/** Result of a run, the same for every host. */
export interface HostResult {
  /** `complete`, `limit`, `gate`, `cancelled`, `checkpoint` or `skipped`. */
  readonly outcome: string;
  /** The final plan. */
  readonly tasks: string;
  readonly progress: string;
  /** Delegations in order, repeats after a kill included. */
  readonly delegated: readonly { readonly key: AttemptKey; readonly prompt: string }[];
  readonly kills: number;
}

/** Drives the coordinator over a plan to its outcome. */
export type Host = (task: HostTask) => Promise<HostResult>;

export type HostSkill = "is killed" | "is cancelled" | "hears people";

/** A requirement for hosts, and the ability that a host needs for it. */
export interface HostCheck extends Contract<Host> {
  readonly needs?: HostSkill;
}

/** A requirement for every implementation of a port, or every host. Works with any test runner. */
export interface Contract<Subject> {
  /** A sentence in the present tense about the subject's behaviour. */
  readonly name: string;
  /** Rejects if the subject fails the requirement. */
  run(subject: Subject): Promise<void>;
}

/** Behaviour of an agent in one attempt. */
export interface Act {
  /** Reply of the agent; a claim of completion if not given. */
  readonly reply?: string | Reply;
  /** Replacements in the plan before the reply, each applied once. */
  readonly edits?: readonly (readonly [from: string, to: string])[];
}

/** A run for a host under test, as plain JSON, so that any process can do a part of the run. */
export interface HostTask {
  /** Text of the plan. Verify commands are `true` or `./check <name>`. */
  readonly tasks: string;
  readonly policy: PolicyInput;
  /** Agent behaviour by task and attempt; after the last entry, agents claim completion. */
  readonly acts?: Readonly<Record<TaskId, readonly Act[]>>;
  /** Results of the runs of `./check <name>`, by name; exit code 0 after the last entry. */
  readonly checks?: Readonly<Record<string, readonly Pick<CommandResult, "exitCode" | "stdout">[]>>;
  /** Messages of a person while an agent works, by the key of the delegation. */
  readonly words?: Readonly<Record<AttemptKey, readonly PersonEvent[]>>;
  /** Whether the host is killed once per effect answer, before the answer is stored, and restarted. */
  readonly isKilled?: true;
}

export const actOn = ({ acts = {} }: HostTask, { taskId, attempt }: Pick<Delegation, "taskId" | "attempt">): Act =>
  acts[taskId]?.[attempt - 1] ?? {};

/** The agent's reply. */
export const replyOf = ({ reply = "TASK_COMPLETE" }: Act): string | Reply => reply;

export const editedBy = ({ edits = [] }: Act, tasks: string): string =>
  edits.reduce((text, [from, to]) => text.replace(from, () => to), tasks);

/** Result of a Verify run. @param earlier Number of earlier runs. */
export const checkResult = ({ checks = {} }: HostTask, command: string, earlier: number): CommandResult => ({
  ...{ exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false },
  ...checks[command.replace(/^\.\/check /, "")]?.[earlier],
});

export const plan = `- [ ] 1.1 First
  - **Verify**: \`true\`

- [ ] 1.2 Second
  - **Verify**: \`true\`
`;
export const batch = `- [ ] 1.1 [P] First
  - **Files**: \`a.ts\`

- [ ] 1.2 [P] Second
  - **Files**: \`b.ts\`

- [ ] 1.3 [P] Third
  - **Files**: \`c.ts\`
`;
/** Policy with `rules: "source"`: a reported failure gets a fix, and the fixed task is always delegated again. */
export const fix: PolicyInput = { recovery: ["fix"], rules: "source" };
export const fails = (task: string, ...errors: readonly string[]) =>
  errors.map((error) => ({ reply: failedReply(task, error) }));

export async function drive(host: Host, task: Partial<HostTask>) {
  const given: HostTask = { tasks: plan, policy: {}, ...task };
  const before = structuredClone(given);
  const result = await host(given);
  deepEqual(given, before, "A host must not change its task");
  return { ...result, keys: result.delegated.map(({ key }) => key) };
}
