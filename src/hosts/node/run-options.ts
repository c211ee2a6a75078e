import type { SpecAddress } from "../../model/command-line.ts";
import type { TimedRunEvent } from "../../model/event.ts";
import type { PersonDecision, Speaker } from "../../model/person-event.ts";
import type { PolicyInput } from "../../model/policy.ts";
import type { SupportingRole } from "../../model/role.ts";
import type { LadderChoices, Rung } from "../../model/rung.ts";
import type { TaskId } from "../../model/task.ts";
import type { Branch } from "../../ports/branch.ts";
import type { Executor } from "../../ports/executor.ts";
import type { Forge } from "../../ports/forge.ts";
import type { PersonAnswer, PersonQuestion } from "../../ports/ports.ts";
import type { Inspect } from "../../runtime/drive-charts.ts";
import type { Heard } from "../../runtime/run-control.ts";
import type { TelemetryOptions } from "../../telemetry/telemetry-like.ts";
import type { StartOptions } from "./start-options.ts";

interface PresetOption {
  /** Name of the tool, such as `claude`. */
  readonly preset: string;
  /** Command line to run instead of the usual command line of the tool. */
  readonly command?: string;
  /** Words added to the command line. */
  readonly args?: string;
  /**
   * Have the tool make its claim as JSON in a fixed schema, if the tool supports that; otherwise its message is the
   * claim.
   */
  readonly structuredClaim?: boolean;
}

/**
 * A function, a known tool, or a command line. A command line is split as a shell splits words, but no shell runs it.
 */
export type ExecutorOption = Executor | string | PresetOption;
export type ExecutorChoice = ExecutorOption | readonly ExecutorOption[];

/** Options of `runSpec`. */
export interface RunOptions extends StartOptions {
  /** Folder with a `tasks.md`, or the name of a spec under `<workspace>/specs`; the active spec when not given. */
  readonly spec?: string;
  /** Folder in which executors and Verify commands work (the current folder by default). */
  readonly workspace?: string;
  /**
   * Executors by role. In a list, the next executor replaces an executor that cannot work. Without a verifier,
   * `[VERIFY]` tasks go to `executor`; without a reviewer, nothing is reviewed.
   */
  readonly executors: {
    readonly executor: ExecutorChoice;
    /**
     * Executors of the attempts on a rung of the ladder, such as `{ fix: …, pivot: … }`. A rung without an executor
     * uses the executor of the nearest earlier rung or, if there is none, `executor`.
     */
    readonly rungs?: Readonly<Partial<Record<Rung, ExecutorChoice>>>;
  } & Readonly<Partial<Record<SupportingRole, ExecutorChoice>>>;
  /** Limits and choices. A continued run keeps its recorded limits and choices unless they are given again. */
  readonly policy?: PolicyInput;
  /** Access to pull requests, for `policy.pullRequest`. */
  readonly forge?: Forge;
  /** The branch to make a pull request from. */
  readonly branch?: Branch;
  /** Remedies to add to the run's ladder, or to remove from it; `policy.recovery` would replace the whole ladder. */
  readonly ladder?: LadderChoices;
  /**
   * Settings from files in the workspace: the text to show for each limit, and for each option that needs consent, by
   * option name. Options of the policy must be in `policy`, too. All other options count as set by the caller.
   */
  readonly fromFiles?: Readonly<Record<string, string>>;
  /**
   * Asks a person whether commands may run, or whether a change is accepted. Without `confirm` and without `yes` a new
   * plan is refused.
   */
  readonly confirm?: (question: string, items: readonly string[]) => Promise<boolean>;
  /** Only continue an earlier run; refuse to begin a new run. */
  readonly resume?: boolean;
  /** A person's advice, which resumes a run from a checkpoint. Every later executor of the task reads the advice. */
  readonly guidance?: string;
  /** A person's decision about the task that stopped the run; `retry` also resumes skipped tasks. */
  readonly decision?: PersonDecision;
  /** The task whose question `guidance` or `decision` answers, if several questions are open. */
  readonly task?: TaskId;
  /**
   * Asks a person about a task that could not be repaired, or at a checkpoint. Null stops the run with the question.
   */
  readonly decide?: (question: PersonQuestion, signal: AbortSignal) => Promise<PersonAnswer | null>;
  /** The process through which a person gives these options and answers; this program by default. */
  readonly speaker?: Speaker;
  /** Address of the spec in command lines of hints; by default from the current folder. */
  readonly address?: SpecAddress;
  /** Sends messages to the run while it is in progress. */
  readonly control?: Heard;
  /**
   * Receives inspection events in the form of `inspect` of XState's `createActor`. The actors are the machines of the
   * run. A receiver may observe the actors, but not send them events.
   */
  readonly inspect?: Inspect;
  /** Receiver of [the spans and metrics](docs/agent.md#telemetry) of the run. */
  readonly telemetry?: TelemetryOptions;
  /** Called with every event, in order. */
  readonly onEvent?: (event: TimedRunEvent) => void;
  /** Stops the run so that it can be resumed later: the executor is ended, and writes in progress are finished. */
  readonly signal?: AbortSignal;
}
