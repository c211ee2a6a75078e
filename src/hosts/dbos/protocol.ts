import { FixpointError } from "../../model/errors.ts";
import type { PersonEvent, Speaker } from "../../model/person-event.ts";
import type { PolicyInput } from "../../model/policy.ts";
import type { Reply } from "../../model/reply.ts";
import type { Role } from "../../model/role.ts";
import type { Delegation } from "../../ports/executor.ts";
import type { CommandResult } from "../../ports/shell.ts";

/** A run of a spec, as it is submitted: the input of its workflow. */
export interface FleetRun {
  /** Address that the repository is fetched from and pushed to, without a login. */
  readonly repo: string;
  /** Hash of the commit to begin with, which the remote has. */
  readonly base: string;
  /** The branch that what is accepted is pushed to; made where the remote has none. */
  readonly branch: string;
  /** Hash of the commit that branch had; null for none. */
  readonly expect: string | null;
  /** Folder of the spec, from the top of the repository; empty for the top itself. */
  readonly spec: string;
  readonly policy: PolicyInput;
  /** Who plays which role, by the names that workers give their executors. */
  readonly executors: Readonly<Partial<Record<Role, string>>> & { readonly executor: string };
  /** SHA-256 of each command that its owner has agreed to, in hex. */
  readonly agreed: readonly string[];
}

/** What stands for the folder of a workspace in what travels. */
export const workspaceMark = "<fixpoint-workspace>";

/** Work for a worker: the input of a job's workflow. Holds no plan, no secret, and at most 16 KiB as JSON. */
export interface FleetJob {
  readonly run: string;
  readonly repo: string;
  /** Where the content to work on is: a commit, and the ref of the remote that leads to it. */
  readonly base: string;
  readonly ref: string;
  readonly spec: string;
  /** Name of the executor whose workers take it. */
  readonly executor: string;
  readonly work:
    | ({ readonly kind: "execute"; readonly progressFile: string } & Pick<
        Delegation,
        "key" | "role" | "taskId" | "attempt" | "prompt"
      >)
    | { readonly kind: "check"; readonly command: string; readonly timeoutMs: number };
}

export const mostJobBytes = 16 * 1024;

/** Largest result of a check that is sent in its answer; a larger one is pushed. */
export const mostSaidBytes = 4 * 1024;

/** What has come of a job. What was said stands here, or in the message of a commit: that which holds what it left. */
export interface FleetAnswer {
  readonly job: string;
  readonly said?: FleetSaid;
  readonly left?: { readonly commit: string; readonly ref: string };
  /** Why it could not be done. */
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

/** What a worker has to say. */
export type FleetSaid =
  | { readonly kind: "execute"; readonly reply: Reply }
  | { readonly kind: "check"; readonly result: CommandResult };

/** What reaches a run while it is under way. */
export type FleetMessage =
  | { readonly kind: "answer"; readonly answer: FleetAnswer }
  | {
      readonly kind: "word";
      readonly event: PersonEvent;
      readonly by: Speaker;
      /** The task whose question it answers; that which was asked first when not given. */
      readonly task?: string;
    };

/** The topic of messages to a run. */
export const inbox = "fixpoint";

export const workflows = { run: "fixpoint-run", job: "fixpoint-job" } as const;

/** The queue of runs, and that of the jobs for an executor. */
export const runQueue = "fixpoint-runs";
export const jobQueue = (executor: string): string => `fixpoint-jobs-${executor}`;

/** What people are shown of a run. */
export interface ShownRun {
  readonly spec: string;
  readonly branch: string;
  readonly repo: string;
  readonly done: number;
  readonly total: number;
  /** What waits for a person, each with a line on it; none while it goes on. */
  readonly questions: readonly { readonly task: string | null; readonly text: string }[];
  /** How it has ended; null while it goes on. */
  readonly outcome: string | null;
  readonly costUsd: number;
}
