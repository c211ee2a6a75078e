import * as z from "zod";
import { RunEnding } from "./event.ts";

const count = z.int().min(0);

/**
 * How the latest run of a spec stands. `new`: there was none. `elsewhere`: a coordinator of another machine has recorded
 * no end. `broken`: it cannot be read. Otherwise how its last start has ended.
 */
export const RowState = z.enum([
  "broken",
  "asking",
  "paused",
  "working",
  "elsewhere",
  "killed",
  "new",
  ...RunEnding.options,
]);
export type RowState = z.infer<typeof RowState>;

/** A spec among those of a folder, and how its latest run stands. Texts are untrusted, with what is unseen escaped. */
export const RunRow = z.object({
  /** Counted from 0: its page is at `runs/<place>/`. */
  place: count,
  name: z.string(),
  state: RowState,
  /** What is wrong with it; only where it is broken. */
  problem: z.string().nullable(),
  /** Tasks that are under way, or that a person is asked about. */
  tasks: z.array(z.string()),
  /** Planned tasks, fixes not counted. */
  done: count,
  of: count,
  costUsd: z.number(),
  tokens: count,
  /** When the last step of the run was recorded, in milliseconds since 1970; null without one. */
  at: z.number().nullable(),
});
export type RunRow = z.infer<typeof RunRow>;

/** Rows that a page has not had yet. */
export const MoreRows = z.object({
  folder: z.string(),
  /** What to ask for next time. */
  seen: count,
  /** All specs. */
  of: count,
  /** Whether each of them was looked at. */
  isWhole: z.boolean(),
  rows: z.array(RunRow),
});
export type MoreRows = z.infer<typeof MoreRows>;
