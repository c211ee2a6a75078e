import type { SpentByTask } from "../src/model/ledger.ts";
import type { Denial } from "../src/model/limits.ts";
import type { Question } from "../src/model/question.ts";
import type { TaskId } from "../src/model/task-id.ts";
import type { TaskOutcome } from "../src/model/task-outcome.ts";
import type { BatchOutcome } from "./batch.ts";
import type { Emitted } from "./machine-type.ts";
import type { PullRequestEmitted } from "./pull-request-setup.ts";
import type { TaskEmitted } from "./task-events.ts";

export type SpecEmitted = TaskEmitted | PullRequestEmitted | Emitted<"group.started" | "group.ended">;

/** How the work on a plan ended. */
export type SpecOutcome =
  | { readonly kind: "complete" }
  /** All but what was left out. */
  | { readonly kind: "skipped" }
  | {
      readonly kind: "limit";
      readonly task: TaskId;
      readonly denial: Denial;
      readonly lastError: string | null;
      readonly spent: SpentByTask;
    }
  | Question
  | { readonly kind: "checkpoint"; readonly reason: string; readonly hint: string }
  | { readonly kind: "cancelled" };

/** How a task ended, or the tasks of a batch. */
export type Outcome = TaskOutcome | Question | BatchOutcome;

/** What stops the run in an outcome: of a batch, that of the first member in the order of the plan; else undefined. */
export const stopping = (outcome: Outcome): TaskOutcome | Question | undefined =>
  ("outcomes" in outcome ? outcome.outcomes : [outcome]).find(({ kind }) => !goingOn.has(kind));

const goingOn: ReadonlySet<string> = new Set(["passed", "replanned", "pruned"]);

export type Stuck = Extract<TaskOutcome, { kind: "checkpoint" }>;
