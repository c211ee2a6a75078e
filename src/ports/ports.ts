import type { SpecAddress } from "../model/command-line.ts";
import type { CheckStarted, Notice, TaskProgress, TaskRaced } from "../model/event.ts";
import type { ProjectCheck } from "../model/project-check.ts";
import type { Attempts } from "./attempts.ts";
import type { Branch } from "./branch.ts";
import type { Clock } from "./clock.ts";
import type { Documents } from "./documents.ts";
import type { Executors } from "./executor.ts";
import type { Forge } from "./forge.ts";
import type { Git } from "./git.ts";
import type { CommandConsent, CommandRequest, PersonAnswer, PersonQuestion } from "./person.ts";
import type { Shell } from "./shell.ts";
import type { Trees } from "./trees.ts";
import type { Worktrees } from "./worktrees.ts";

/** Everything the effects need from the outside. */
export interface Ports {
  readonly executors: Executors;
  readonly documents: Documents;
  readonly shell: Shell;
  readonly git?: Git;
  /** The content of the workspace; without it nothing is known of that. */
  readonly trees?: Trees;
  /** Where members of a batch work; in the workspace, beside each other, when not given. */
  readonly worktrees?: Worktrees;
  /** Where those work who race; without it nobody does. */
  readonly lanes?: Worktrees;
  /** Where pull requests live, and the branch that one is made of: needed where the policy asks for one. */
  readonly forge?: Forge;
  readonly branch?: Branch;
  readonly clock: Clock;
  /** Whether the owner agrees to commands that come up during the run. Without it only those of the plan may run. */
  readonly consent?: (request: CommandRequest) => Promise<CommandConsent>;
  /** Asks a person; null when none is there, and the run stops with the question. Without it nobody ever is. */
  readonly person?: (question: PersonQuestion, signal: AbortSignal) => Promise<PersonAnswer | null>;
  /**
   * A name for the state of the files, commits included: of the repository, else of those that a task declares. Null
   * when it is not known. The spec's own files do not count.
   *
   * @param declared Paths from the workspace.
   */
  readonly fileState?: (declared: readonly string[]) => Promise<string | null>;
  /**
   * Called with what is seen of the work on an attempt, at most four times a second, when the final check begins, and
   * with notices of what was restored in the plan. None of that is recorded.
   */
  readonly onProgress?: (event: TaskProgress | CheckStarted | TaskRaced | Notice) => void;
  /** Kept in memory when not given. */
  readonly attempts?: Attempts;
  /** Verifies the tasks without a Verify of their own. Null or not given for none. */
  readonly check?: ProjectCheck | null;
  /** Absolute folders that executors are told; empty when not given. */
  readonly workspace?: string;
  readonly spec?: string;
  /** How a person names the spec on the command line; by the name of its folder when not given. */
  readonly address?: SpecAddress;
}
