import type { PersonDecision, QuestionTopic } from "../model/person-event.ts";
import type { TaskId } from "../model/task.ts";

/** What only a person can answer. */
export interface PersonQuestion {
  /** The planned task. */
  readonly task: TaskId;
  /** What `skip` leaves out: the planned task, or the part or fix of it that the question is about. */
  readonly current: TaskId;
  /**
   * `repair`: is it tried again, left out, or is this the end? `checkpoint`: how is it to go on? `blocked`: what its
   * executor asks. `environment`: is what fails one task after the other put right?
   */
  readonly about: QuestionTopic;
  /** What was expected, what happened and what was tried, for people. */
  readonly text: string;
}

/** What a person answers. */
export type PersonAnswer =
  | { readonly kind: "decided"; readonly decision: PersonDecision }
  | { readonly kind: "guided"; readonly text: string };

/** Commands that are to be run. What was agreed to for one purpose was not agreed to for another. */
export interface CommandRequest {
  readonly purpose: "verify" | "reality";
  readonly commands: readonly string[];
}

/** What the owner says to commands; the hint tells a person how to agree later. */
export type CommandConsent = { readonly given: true } | { readonly given: false; readonly hint: string };
