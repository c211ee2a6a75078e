import type { PersonDecision, QuestionTopic } from "../model/person-event.ts";
import type { TaskId } from "../model/task.ts";

/** A question that only a person can answer. */
export interface PersonQuestion {
  /** The planned task. */
  readonly task: TaskId;
  /** Target of `skip`: the planned task, or the part or fix that the question is about. */
  readonly current: TaskId;
  /**
   * `repair`: retry, skip or end? `checkpoint`: how to continue? `blocked`: a question from the executor.
   * `environment`: is the problem solved that makes task after task fail?
   */
  readonly about: QuestionTopic;
  /** Expectation, result and attempts so far, for people. */
  readonly text: string;
}

/** A person's answer. */
export type PersonAnswer =
  | { readonly kind: "decided"; readonly decision: PersonDecision }
  | { readonly kind: "guided"; readonly text: string };

/** Commands to approve. Approval holds for one purpose only. */
export interface CommandRequest {
  readonly purpose: "verify" | "reality";
  readonly commands: readonly string[];
}

/** The owner's decision on commands; `hint` says how to approve them later. */
export type CommandConsent = { readonly given: true } | { readonly given: false; readonly hint: string };
