import type { SpecAddress } from "../model/command-line.ts";
import type { RunEvent } from "../model/event.ts";
import type { Plan } from "../model/plan.ts";
import type { TaskId } from "../model/task.ts";
import type { Documents } from "../ports/documents.ts";
import type { RunReading } from "../ports/journal.ts";
import type { PersonAnswer, PersonQuestion } from "../ports/ports.ts";
import type { StartPoint } from "../run/resolve-start.ts";
import type { UserInput } from "../run/user-input.ts";
import type { Inspect } from "./drive-charts.ts";
import type { Heard } from "./run-control.ts";

/** Options and input of a start. */
export interface StartOptions extends UserInput {
  /**
   * Asks a person about a task that could not be repaired, or at a checkpoint. If the answer is null, the run stops
   * with the question.
   */
  readonly decide?: (question: PersonQuestion, signal: AbortSignal) => Promise<PersonAnswer | null>;
  /** Sends messages to the run while it runs. */
  readonly control?: Heard;
  /** Inspector for native actors. */
  readonly inspect?: Inspect;
}

/** A question to the owner of a spec before a start continues. */
export interface OwnerQuestion {
  readonly text: string;
  /** Appended to the text if someone can answer. */
  readonly ask: string;
  readonly items: readonly string[];
  /** Facts that identify the question: an answer counts only for a question with the same facts. */
  readonly facts: readonly unknown[];
}

export type OwnerAnswer =
  | { readonly accepted: true }
  /** `hash`: value with which a later start accepts the question. `isAsked`: whether someone was there to answer. */
  | { readonly accepted: false; readonly hash: string; readonly isAsked: boolean };

export interface Start {
  readonly options: StartOptions;
  readonly address: SpecAddress;
  readonly documents: Documents;
  readonly reading: RunReading;
  readonly origin: StartPoint;
  /**
   * Whether the limit that stopped the previous start still applies, so that this start continues only if a person
   * fixed something.
   */
  readonly limited: boolean;
  readonly emit: (event: RunEvent) => void;
  readonly announce: (plan: Plan, skipped?: Iterable<TaskId>) => void;
}
