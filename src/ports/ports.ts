import type { SpecAddress } from "../model/command-line.ts";
import type { CheckStarted, Notice, TaskProgress, TaskRaced } from "../model/event.ts";
import type { PersonDecision, QuestionTopic } from "../model/person-event.ts";
import type { ProjectCheck } from "../model/project-check.ts";
import type { TaskId } from "../model/task.ts";
import type { Attempts } from "./attempts.ts";
import type { Branch } from "./branch.ts";
import type { Documents } from "./documents.ts";
import type { Executors } from "./executor.ts";
import type { Forge } from "./forge.ts";
import type { Git, Trees, Worktrees } from "./git.ts";
import type { Shell } from "./shell.ts";

/** All outside services that effects need. */
export interface Ports {
  readonly executors: Executors;
  readonly documents: Documents;
  readonly shell: Shell;
  readonly git?: Git;
  /** Reads the contents of the workspace; if not given, the contents are unknown. */
  readonly trees?: Trees;
  /** Worktrees for batch members; if not given, the members share the workspace. */
  readonly worktrees?: Worktrees;
  /** Worktrees for races; if not given, there are no races. */
  readonly lanes?: Worktrees;
  /** Forge of the pull request; required if the policy asks for a pull request. */
  readonly forge?: Forge;
  /** Branch of the pull request; required if the policy asks for a pull request. */
  readonly branch?: Branch;
  readonly clock: Clock;
  /**
   * Asks the owner to approve commands that come up during the run. If not given, only commands of the plan may run.
   */
  readonly consent?: (request: CommandRequest) => Promise<CommandConsent>;
  /** Asks a person. If not given, or if the answer is null because no one is there, the run stops with the question. */
  readonly person?: (question: PersonQuestion, signal: AbortSignal) => Promise<PersonAnswer | null>;
  /**
   * Hashes the files and commits of the repository, or only the declared files of a task. The spec's own files are not
   * hashed. Null if the hash cannot be computed.
   *
   * @param declared Paths relative to the workspace.
   */
  readonly fileState?: (declared: readonly string[]) => Promise<string | null>;
  /**
   * Receives progress of attempts (at most four times a second), the start of the final check, and notices about
   * restored plan text. None of these events is recorded.
   */
  readonly onProgress?: (event: TaskProgress | CheckStarted | TaskRaced | Notice) => void;
  /** Stores the attempts of the run; the default store is in memory. */
  readonly attempts?: Attempts;
  /** Verifies tasks that have no `Verify`. Null or not given: there is no project check. */
  readonly check?: ProjectCheck | null;
  /** Absolute path of the workspace that executors get; empty if not given. */
  readonly workspace?: string;
  readonly spec?: string;
  /** Name of the spec on the command line; by default the name of its folder. */
  readonly address?: SpecAddress;
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves at `time`, in milliseconds since 1970; rejects when aborted. */
  sleepUntil(time: number, signal: AbortSignal): Promise<void>;
}

/** A question that only a person can answer. */
export interface PersonQuestion {
  /** The planned task. */
  readonly task: TaskId;
  /** The task that the decision `skip` skips: the planned task, or the part or fix task that the question is about. */
  readonly current: TaskId;
  /**
   * `repair`: retry, skip or end? `checkpoint`: how to continue? `blocked`: a question from the executor.
   * `environment`: is the problem of several tasks solved?
   */
  readonly about: QuestionTopic;
  /** Expectation, result and attempts so far, for people. */
  readonly text: string;
}

/** A person's answer. */
export type PersonAnswer =
  | { readonly kind: "decided"; readonly decision: PersonDecision }
  | { readonly kind: "guided"; readonly text: string };

/** Commands to approve. An approval is valid only for this `purpose`. */
export interface CommandRequest {
  readonly purpose: "verify" | "reality";
  readonly commands: readonly string[];
}

/** The owner's decision on commands; `hint` says how to approve them later. */
export type CommandConsent = { readonly given: true } | { readonly given: false; readonly hint: string };
