import type { SpecAddress } from "../../model/command-line.ts";
import type { TimedRunEvent } from "../../model/event.ts";
import type { PersonDecision } from "../../model/person-event.ts";
import type { PolicyInput } from "../../model/policy.ts";
import type { LadderChoices, Rung } from "../../model/rung.ts";
import type { Speaker } from "../../model/speaker.ts";
import type { Executor } from "../../ports/executor.ts";
import type { PersonAnswer, PersonQuestion } from "../../ports/person.ts";
import type { Heard } from "../../runtime/run-control.ts";

/** A known tool. */
interface PresetOption {
  /** Its name, such as `claude`. */
  readonly preset: string;
  /** A command line in place of the preset's. */
  readonly command?: string;
  /** Words that are added to it. */
  readonly args?: string;
  /** Have it claim in the form of a schema, where the tool can; else its message says what it claims. */
  readonly structuredClaim?: boolean;
}

/** A function; a command line, split as a shell splits words but never given to one; or a known tool. */
export type ExecutorOption = Executor | string | PresetOption;
export type ExecutorChoice = ExecutorOption | readonly ExecutorOption[];

/** What `runSpec` is told. */
export interface RunOptions {
  /** Folder with a `tasks.md`, or the name of one under `<workspace>/specs`; the active spec when not given. */
  readonly spec?: string;
  /** Folder in which executors and Verify commands work (the current folder by default). */
  readonly workspace?: string;
  /**
   * Who plays each role. Of several, the next stands in for one that cannot work. `[VERIFY]` tasks go to `executor`
   * without a verifier; without a reviewer nothing is reviewed.
   */
  readonly executors: {
    readonly executor: ExecutorChoice;
    /**
     * Who does the attempts that a rung of the ladder leads to, such as `{ fix: …, pivot: … }`. A rung that has nobody
     * takes those of the nearest rung before it that has, else `executor`.
     */
    readonly rungs?: Readonly<Partial<Record<Rung, ExecutorChoice>>>;
    readonly verifier?: ExecutorChoice;
    readonly reviewer?: ExecutorChoice;
    /** Chooses how a failed task is repaired; the executor when not given. */
    readonly operator?: ExecutorChoice;
  };
  /** Limits and choices. Those a continued run recorded stay unless given again. */
  readonly policy?: PolicyInput;
  /** Remedies that are added to those the run has, or taken away; `policy.recovery` would replace them all. */
  readonly ladder?: LadderChoices;
  /** Agree, without asking, to what the first start of a run does: its commands, and options that take consent. */
  readonly yes?: boolean;
  /** Agree to a later change, by the hash that its question shows; `any` agrees to whatever is asked. */
  readonly accept?: string;
  /** Begin a new run of the plan. It goes on counting where run data was lost. */
  readonly newRun?: boolean;
  /**
   * Options that were set by a file of the workspace and take consent, by name, as they are shown; those of the policy
   * stand in `policy`, too. All other options are the caller's own word.
   */
  readonly fromFiles?: Readonly<Record<string, string>>;
  /** Asks a person whether these commands may run, or a change holds. Without it and without `yes` a new plan is refused. */
  readonly confirm?: (question: string, items: readonly string[]) => Promise<boolean>;
  /** Take the spec although the coordinator that holds it, on another machine, has not released it. */
  readonly takeOver?: boolean;
  /** Only go on with an earlier run; refuse to begin one. */
  readonly resume?: boolean;
  /** What a person advises: goes on from a checkpoint, and is told every executor of that task from then on. */
  readonly guidance?: string;
  /** What a person has decided about the task that stopped the run; `retry` also takes up what was left out. */
  readonly decision?: PersonDecision;
  /** Asks a person about a task that could not be repaired, or at a checkpoint; null stops the run with the question. */
  readonly decide?: (question: PersonQuestion, signal: AbortSignal) => Promise<PersonAnswer | null>;
  /** The process that says what stands here, and answers what is asked; the program itself when not given. */
  readonly speaker?: Speaker;
  /** How a person names the spec on the command line, in what they are told to do; from the current folder by default. */
  readonly address?: SpecAddress;
  /** How many runs are kept when one begins, that one included; all when not given. */
  readonly keepRuns?: number;
  /** Pause when that many planned tasks have passed in this start, until somebody resumes it. */
  readonly pauseAfter?: number;
  /** Says things to the run while it is under way. */
  readonly control?: Heard;
  /** Called with every event, in order. */
  readonly onEvent?: (event: TimedRunEvent) => void;
  /** Stops the run resumably: the executor is ended and what is being written is finished. */
  readonly signal?: AbortSignal;
}
