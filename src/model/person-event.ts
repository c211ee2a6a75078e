import * as z from "zod";
import type { TaskId } from "./task.ts";

/** Process that sent a message to a run; its fields are null if unknown. */
export const Speaker = z.object({
  /**
   * `terminal` and `page`: a person; `program`: a program without a terminal; `run`: a process of the run itself, such
   * as its executor.
   */
  kind: z.enum(["terminal", "page", "program", "run"]),
  /** Terminal of the process, such as `/dev/pts/3`; null if it has none. */
  terminal: z.string().max(200).nullable(),
  /** Name and id of the process that called fixpoint. */
  process: z.string().max(200).nullable(),
  pid: z.int().nullable(),
  /** Id of the inbox message; not given if the run received the message directly. */
  word: z.string().max(64).optional(),
});
export type Speaker = z.infer<typeof Speaker>;

/** Whether a person sent a message. A message without a sender comes from the program that drives the run. */
export const isPerson = (by: Speaker | undefined): boolean => by?.kind === "terminal" || by?.kind === "page";

/** The `by` field of a record; empty for the program that drives the run. */
export const spokenBy = (by: Speaker | undefined): { readonly by?: Speaker } => (by === undefined ? {} : { by });

/** A message that was rejected because the run's own executor or Verify command sent it. */
export const UnheardWord = z.object({
  word: z.string().max(200),
  /** The sender's `FIXPOINT_KEY`. */
  key: z.string().max(200),
  by: Speaker,
});
export type UnheardWord = z.infer<typeof UnheardWord>;

/** A question that only a person can decide. */
export const Question = z.object({
  kind: z.literal("gate"),
  reason: z.string(),
  hint: z.string(),
  /** Whether the question is about the whole run, such as its plan or executor; if so, it stops all tasks. */
  ofRun: z.literal(true).optional(),
  /** Set if no person is there to answer. The task waits, and the run continues with other tasks. */
  parked: z.literal(true).optional(),
});
export type Question = z.infer<typeof Question>;

/**
 * Topic of a question. `repair`: a task could not be repaired; `checkpoint`: how to continue; `blocked`: the executor
 * asks; `environment`: several tasks have the same environment problem; `guard`: the task's proof was changed.
 */
export const QuestionTopic = z.enum(["repair", "checkpoint", "blocked", "environment", "guard"]);
export type QuestionTopic = z.infer<typeof QuestionTopic>;

/**
 * Decision of a person. `retry`; `skip`: skip the task of the question, which may be a fix task or a part; `skip-task`:
 * skip the planned task; `stop`: end the run; `accept`: accept changes to the task's proof.
 */
export const PersonDecision = z.enum(["retry", "skip", "skip-task", "stop", "accept"]);
export type PersonDecision = z.infer<typeof PersonDecision>;

export const longestGuidance = 4000;

/** Message that a run accepts at any time, from a person or from a program for a person. */
export const PersonEvent = z.discriminatedUnion("type", [
  /** An answer to a checkpoint, or guidance for the next delegation. If empty, the run continues without guidance. */
  z.object({ type: z.literal("guidance.given"), text: z.string().max(longestGuidance) }),
  z.object({ type: z.literal("decision.made"), decision: PersonDecision }),
  /** No new delegation begins until `resume`; running work continues to its end. */
  z.object({ type: z.literal("pause") }),
  z.object({ type: z.literal("resume") }),
  z.object({ type: z.literal("cancel") }),
]);
export type PersonEvent = z.infer<typeof PersonEvent>;

/** A message of another process, as stored in the inbox. */
export const LeftWord = z.object({
  id: z.string().max(64),
  run: z.int(),
  by: Speaker,
  /** `stop` announces that the sender ends the coordinator with a signal. */
  event: z.discriminatedUnion("type", [...PersonEvent.options, z.object({ type: z.literal("stop") })]),
  /** Key of the question to answer; if not given, any open question. */
  to: z.string().max(400).optional(),
});
export type LeftWord = z.infer<typeof LeftWord>;

/** Whether a message is only for the coordinator that is running now. */
export const isForNow = ({ event }: LeftWord): boolean => ["pause", "resume", "stop"].includes(event.type);

export type Receipt =
  /** The coordinator recorded the message while it worked on the tasks in `atWork`. */
  | { readonly kind: "recorded"; readonly atWork: readonly TaskId[] }
  /** The question was no longer open. */
  | { readonly kind: "late" }
  /** The coordinator ended without reading the message, and the sender removed it. */
  | { readonly kind: "ended" }
  /** The coordinator was killed before it read the message. */
  | { readonly kind: "killed" }
  /** The coordinator is running and has not yet read the message. */
  | { readonly kind: "waiting" };
