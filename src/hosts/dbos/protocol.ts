import { FixpointError } from "../../model/errors.ts";
import type { PersonEvent, Speaker } from "../../model/person-event.ts";
import type { PolicyInput } from "../../model/policy.ts";
import type { Reply } from "../../model/reply.ts";
import type { Role } from "../../model/role.ts";
import type { Delegation } from "../../ports/executor.ts";
import type { CommandResult } from "../../ports/shell.ts";

/** A run of a spec, as it is submitted: the input of its workflow. */
export interface FleetRun {
  /** Address of the repository for fetch and push, without a login. */
  readonly repo: string;
  /** Hash of the commit from which the run begins. The remote has this commit. */
  readonly base: string;
  /** Branch to which accepted work is pushed; created if the remote does not have it. */
  readonly branch: string;
  /** Hash of the last commit of that branch when the run was submitted; null if there was no branch. */
  readonly expect: string | null;
  /** Folder of the spec, relative to the top of the repository; empty for the top itself. */
  readonly spec: string;
  readonly policy: PolicyInput;
  /** Executor of each role, by the names that workers give their executors. */
  readonly executors: Readonly<Partial<Record<Role, string>>> & { readonly executor: string };
  /** SHA-256 of each command that the owner of the run has agreed to, in hex. */
  readonly agreed: readonly string[];
}

/** Placeholder for the workspace's folder in texts that are sent to other machines. */
export const workspaceMark = "<fixpoint-workspace>";

/** Work for a worker: the input of a job's workflow. Holds no plan, no secret, and at most 16 KiB as JSON. */
export interface FleetJob {
  readonly run: string;
  readonly repo: string;
  readonly base: string;
  /** Ref of the remote from which `base` can be fetched. */
  readonly ref: string;
  readonly spec: string;
  /** Name of the executor; only workers with this executor take the job. */
  readonly executor: string;
  readonly work:
    | ({ readonly kind: "execute"; readonly progressFile: string } & Pick<
        Delegation,
        "key" | "role" | "taskId" | "attempt" | "prompt"
      >)
    | { readonly kind: "check"; readonly command: string; readonly timeoutMs: number }
    | { readonly kind: "find"; readonly program: string };
}

export const mostJobBytes = 16 * 1024;

/** Maximum bytes of a check's result in an answer; a larger result is pushed. */
export const mostSaidBytes = 4 * 1024;

/**
 * Answer of a job. The reply or result is in `said`, or in the message of the commit `left`, which also holds the
 * files.
 */
export interface FleetAnswer {
  readonly job: string;
  readonly said?: FleetSaid;
  readonly left?: { readonly commit: string; readonly ref: string };
  readonly error?: FleetError;
}

export interface FleetError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export function fleetErrorOf(error: unknown): FleetError {
  if (!(error instanceof FixpointError)) return { code: "defect", message: String(error) };
  const { code, message, hint } = error;
  return { code, message, ...(hint !== undefined && { hint }) };
}

export type FleetSaid =
  | { readonly kind: "execute"; readonly reply: Reply }
  | { readonly kind: "check"; readonly result: CommandResult }
  | { readonly kind: "find"; readonly exists: boolean };

export type FleetMessage =
  | { readonly kind: "answer"; readonly answer: FleetAnswer }
  | {
      readonly kind: "word";
      readonly event: PersonEvent;
      readonly by: Speaker;
      /** Key of the question that the event answers; not given if the event answers none. */
      readonly to?: string;
    };

export const inbox = "fixpoint";

export const workflows = { run: "fixpoint-run", job: "fixpoint-job" } as const;

export const runQueue = "fixpoint-runs";
export const jobQueue = (executor: string): string => `fixpoint-jobs-${executor}`;

export interface ShownQuestion {
  /** Unique among all questions of the run. */
  readonly key: string;
  /** Null for a question about the whole run, such as its unreachable repository. */
  readonly task: string | null;
  readonly text: string;
}

export interface ShownRun {
  readonly spec: string;
  readonly branch: string;
  readonly repo: string;
  readonly done: number;
  readonly total: number;
  /** Open questions to a person, one line each; empty if nothing waits for a person. */
  readonly questions: readonly ShownQuestion[];
  /** Outcome of the run; null while it continues. */
  readonly outcome: string | null;
  readonly costUsd: number;
}
