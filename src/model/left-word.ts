import * as z from "zod";
import { PersonEvent } from "./person-event.ts";
import { Speaker } from "./speaker.ts";
import type { TaskId } from "./task-id.ts";

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
