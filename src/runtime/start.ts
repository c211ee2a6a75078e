import type { SpecAddress } from "../model/command-line.ts";
import type { RunEvent } from "../model/event.ts";
import type { Plan } from "../model/plan.ts";
import type { TaskId } from "../model/task.ts";
import type { Documents } from "../ports/documents.ts";
import type { RunReading } from "../ports/journal.ts";
import type { PersonAnswer, PersonQuestion } from "../ports/person.ts";
import type { Origin } from "../run/origin.ts";
import type { Words } from "../run/words.ts";
import type { Inspect } from "./inspect.ts";
import type { Heard } from "./run-control.ts";

/** What a start is told. */
export interface StartOptions extends Words {
  /** Asks a person about a task that could not be repaired, or at a checkpoint; null stops the run with the question. */
  readonly decide?: (question: PersonQuestion, signal: AbortSignal) => Promise<PersonAnswer | null>;
  /** Says things to the run while it is under way. */
  readonly control?: Heard;
  /** Told what an inspector of native actors is told. */
  readonly inspect?: Inspect;
}

/** What the owner of a spec is asked before a start goes on. */
export interface OwnerQuestion {
  readonly text: string;
  /** Put behind the text where somebody can answer. */
  readonly ask: string;
  /** What it is about, a line each. */
  readonly items: readonly string[];
  /** What it is known by: an answer to it is one to no other. */
  readonly facts: readonly unknown[];
}

export type OwnerAnswer =
  | { readonly accepted: true }
  /** `hash`: by which it can be accepted at another start; `isAsked`: somebody was there to say no. */
  | { readonly accepted: false; readonly hash: string; readonly isAsked: boolean };

/** A start of a coordinator whose input was checked. */
export interface Start {
  readonly options: StartOptions;
  readonly address: SpecAddress;
  readonly documents: Documents;
  /** The journal of the run as the start has read it. */
  readonly reading: RunReading;
  readonly origin: Origin;
  /** Whether the limit that stopped the start before still stands: it goes on only with what a person has mended. */
  readonly limited: boolean;
  readonly emit: (event: RunEvent) => void;
  /** Tell that the run begins, on this plan. */
  readonly announce: (plan: Plan, skipped?: Iterable<TaskId>) => void;
}
