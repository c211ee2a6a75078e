import type { TimedRunEvent } from "../../model/event.ts";
import type { PolicyInput } from "../../model/policy.ts";
import type { Role } from "../../model/task.ts";
import type { Executor } from "../../ports.ts";

/** What `runSpec` is told. */
export interface RunOptions {
  /** Folder with a `tasks.md`, or the name of one under `<workspace>/specs`; the active spec when not given. */
  readonly spec?: string;
  /** Folder in which executors and Verify commands work (the current folder by default). */
  readonly workspace?: string;
  /**
   * A function, or a command line that is split as a shell splits words but never given to one. A role without
   * one is played by `executor`.
   */
  readonly executors: { readonly executor: Executor | string } & Partial<Record<Role, Executor | string>>;
  /** Limits and choices. Those a continued run recorded stay unless given again. */
  readonly policy?: PolicyInput;
  /** Accept the plan's Verify commands, and texts that were changed during the run, without asking. */
  readonly yes?: boolean;
  /** Asks a person whether these Verify commands may run. Without it and without `yes` a new plan is refused. */
  readonly confirm?: (question: string, items: readonly string[]) => Promise<boolean>;
  /** Take the spec although the coordinator that holds it, on another machine, has not released it. */
  readonly takeOver?: boolean;
  /** Only go on with an earlier run; refuse to begin one. */
  readonly resume?: boolean;
  /** Called with every event, in order. */
  readonly onEvent?: (event: TimedRunEvent) => void;
  /** Stops the run resumably: the executor is ended and what is being written is finished. */
  readonly signal?: AbortSignal;
}
