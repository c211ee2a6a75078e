import * as z from "zod";
import type { TaskId } from "./task.ts";

/** The process that sent a message to a run, and its terminal; null if unknown. */
export const Speaker = z.object({
  /**
   * A person at a terminal or on the page, a program without a terminal, or a process of the run itself, such as its
   * executor.
   */
  kind: z.enum(["terminal", "page", "program", "run"]),
  /** Terminal of the process, such as `/dev/pts/3`; null if it has none. */
  terminal: z.string().max(200).nullable(),
  /** Name and id of the process that called the command. */
  process: z.string().max(200).nullable(),
  pid: z.int().nullable(),
  /** Id of the inbox message; not given if the run received it directly. */
  word: z.string().max(64).optional(),
});
export type Speaker = z.infer<typeof Speaker>;

/** Whether the sender is a person. A message without a sender comes from the program that drives the run. */
export const isPerson = (by: Speaker | undefined): boolean => by?.kind === "terminal" || by?.kind === "page";

/** The sender as part of a record; empty for the program that drives the run. */
export const spokenBy = (by: Speaker | undefined): { readonly by?: Speaker } => (by === undefined ? {} : { by });

/** A rejected message: the run's own executor or Verify command tried to send it to the run. */
export const UnheardWord = z.object({
  /** The command, such as `pause`, with the text it carried. */
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
  /**
   * Whether the question concerns the run, such as its plan or executor, rather than a task: it blocks all other work.
   */
  ofRun: z.literal(true).optional(),
  /** Whether no one is there to answer, so that the task waits and the run continues with other tasks. */
  parked: z.literal(true).optional(),
});
export type Question = z.infer<typeof Question>;

/**
 * Topic of a question: a task that could not be repaired, how to continue after a checkpoint, an executor's question,
 * an environment problem of several tasks, or changes to a task's proof.
 */
export const QuestionTopic = z.enum(["repair", "checkpoint", "blocked", "environment", "guard"]);
export type QuestionTopic = z.infer<typeof QuestionTopic>;

/**
 * A person's decision about a task that could not be repaired: retry, skip, or end the run. `skip` skips the subject of
 * the question, which may be a part or fix of a planned task; `skip-task` skips the planned task; `accept` accepts
 * changes to a task's proof, if the question is about those.
 */
export const PersonDecision = z.enum(["retry", "skip", "skip-task", "stop", "accept"]);
export type PersonDecision = z.infer<typeof PersonDecision>;

/** Maximum length of guidance, in characters. */
export const longestGuidance = 4000;

/** A message that a person, or a program on behalf of a person, may send to a run at any time. */
export const PersonEvent = z.discriminatedUnion("type", [
  /** An answer to a checkpoint, or guidance for the next delegation; empty: continue without any. */
  z.object({ type: z.literal("guidance.given"), text: z.string().max(longestGuidance) }),
  /** The answer to a question about a failed task. */
  z.object({ type: z.literal("decision.made"), decision: PersonDecision }),
  /** No delegation begins until `resume`; running work is finished. */
  z.object({ type: z.literal("pause") }),
  z.object({ type: z.literal("resume") }),
  z.object({ type: z.literal("cancel") }),
]);
export type PersonEvent = z.infer<typeof PersonEvent>;

/** A message that another process leaves for a run. */
export const LeftWord = z.object({
  /** Unique id. */
  id: z.string().max(64),
  /** Number of the run that the message is for. */
  run: z.int(),
  by: Speaker,
  /** The message; `stop`: its sender is about to end the coordinator with a signal. */
  event: z.discriminatedUnion("type", [...PersonEvent.options, z.object({ type: z.literal("stop") })]),
  /** Key of the question that the message answers; any open question if not given. */
  to: z.string().max(400).optional(),
});
export type LeftWord = z.infer<typeof LeftWord>;

/** Whether a message is only for the currently running coordinator. */
export const isForNow = ({ event }: LeftWord): boolean => ["pause", "resume", "stop"].includes(event.type);

/** Result of sending a message. */
export type Receipt =
  /** The coordinator recorded the message, while these tasks were running. */
  | { readonly kind: "recorded"; readonly atWork: readonly TaskId[] }
  /** The question that the message answers was no longer open. */
  | { readonly kind: "late" }
  /** The coordinator ended before reading it; the message is withdrawn. */
  | { readonly kind: "ended" }
  /** The coordinator was killed before reading it. */
  | { readonly kind: "killed" }
  /** The coordinator is running and has not read it yet. */
  | { readonly kind: "waiting" };
