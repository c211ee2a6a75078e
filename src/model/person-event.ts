import * as z from "zod";
import type { TaskId } from "./task.ts";

/** The process that has said something to a run, and its terminal; null where that is not known. */
export const Speaker = z.object({
  /**
   * A person at a terminal, a person over the page, a program without a terminal, or a process within the run itself, such as
   * its executor.
   */
  kind: z.enum(["terminal", "page", "program", "run"]),
  /** The terminal it was said at, e.g. `/dev/pts/3`; null when at none. */
  terminal: z.string().max(200).nullable(),
  /** Name and id of the process that has called the command. */
  process: z.string().max(200).nullable(),
  pid: z.int().nullable(),
  /** Id of the message that it was left in for the run; not given when the run received it itself. */
  word: z.string().max(64).optional(),
});
export type Speaker = z.infer<typeof Speaker>;

/** Whether it is a person who speaks. Without a speaker it is the program that drives the run. */
export const isPerson = (by: Speaker | undefined): boolean => by?.kind === "terminal" || by?.kind === "page";

/** The speaker as a part of a record; nothing for the program that drives the run itself. */
export const spokenBy = (by: Speaker | undefined): { readonly by?: Speaker } => (by === undefined ? {} : { by });

/** A message that a call of a run, an executor or a Verify command, had for that very run. */
export const UnheardWord = z.object({
  /** The command, e.g. `pause`, and which words of a person it had. */
  word: z.string().max(200),
  /** The `FIXPOINT_KEY` of the call. */
  key: z.string().max(200),
  by: Speaker,
});
export type UnheardWord = z.infer<typeof UnheardWord>;

/** Something only a person can decide. */
export const Question = z.object({
  kind: z.literal("gate"),
  reason: z.string(),
  hint: z.string(),
  /** It is about the run, such as its plan or its executor, and not about a task: nothing else can be done before. */
  ofRun: z.literal(true).optional(),
  /** Nobody is there: the task that it is about waits, and the run goes on with others. */
  parked: z.literal(true).optional(),
});
export type Question = z.infer<typeof Question>;

/**
 * What a person is asked about: a task that could not be repaired, how to go on from a checkpoint, what an executor has
 * put to them, trouble of the environment that meets one task after the other, or changes of what proves a task.
 */
export const QuestionTopic = z.enum(["repair", "checkpoint", "blocked", "environment", "guard"]);
export type QuestionTopic = z.infer<typeof QuestionTopic>;

/**
 * What a person decides about a task that could not be repaired: once more, leave it out, or end the run. `skip` leaves
 * out what the question is about, which may be a part or a fix of a planned task; `skip-task` the planned task; `accept`
 * takes changes of what proves a task as they are, where the question is about those.
 */
export const PersonDecision = z.enum(["retry", "skip", "skip-task", "stop", "accept"]);
export type PersonDecision = z.infer<typeof PersonDecision>;

/** Characters of advice, at most. */
export const longestGuidance = 4000;

/** What a person, or a program for one, may say to a run at any time. */
export const PersonEvent = z.discriminatedUnion("type", [
  /** An answer to a checkpoint, or advice for the next delegation; empty to go on without any. */
  z.object({ type: z.literal("guidance.given"), text: z.string().max(longestGuidance) }),
  /** The answer of the verification-failure gate. */
  z.object({ type: z.literal("decision.made"), decision: PersonDecision }),
  /** No delegation begins until `resume`; what is under way is finished. */
  z.object({ type: z.literal("pause") }),
  z.object({ type: z.literal("resume") }),
  z.object({ type: z.literal("cancel") }),
]);
export type PersonEvent = z.infer<typeof PersonEvent>;

/** A word that another process leaves for a run. */
export const LeftWord = z.object({
  /** Distinguishes it from all others. */
  id: z.string().max(64),
  /** Number of the run it is for. */
  run: z.int(),
  by: Speaker,
  /** What is said; `stop`: who is about to end the coordinator with a signal. */
  event: z.discriminatedUnion("type", [...PersonEvent.options, z.object({ type: z.literal("stop") })]),
  /** Key of the question that it answers and nothing else; not given for whatever waits. */
  to: z.string().max(400).optional(),
});
export type LeftWord = z.infer<typeof LeftWord>;

/** Whether a word is only for the coordinator that is at work while it is said. */
export const isForNow = ({ event }: LeftWord): boolean => ["pause", "resume", "stop"].includes(event.type);

/** What happened to a word. */
export type Receipt =
  /** The coordinator has recorded it, while these tasks were under way. */
  | { readonly kind: "recorded"; readonly atWork: readonly TaskId[] }
  /** What it answers was no longer open. */
  | { readonly kind: "late" }
  /** The coordinator ended before it noticed; the word is taken back. */
  | { readonly kind: "ended" }
  /** The coordinator was killed before it noticed. */
  | { readonly kind: "killed" }
  /** The coordinator is at work and has not noticed it yet. */
  | { readonly kind: "waiting" };
