import type { Denial } from "../src/model/limits.ts";
import type { Question } from "../src/model/question.ts";

/** How the work on a pull request ended. */
export type PullRequestOutcome =
  /** A task was added to the plan: it is done first. */
  | { readonly kind: "more"; readonly task: string }
  /** It is confirmed: nothing is left to be done but to merge it. */
  | { readonly kind: "ready"; readonly number: number; readonly url: string; readonly head: string }
  /** Somebody has merged it. */
  | { readonly kind: "merged"; readonly number: number; readonly url: string }
  | { readonly kind: "exhausted"; readonly denial: Denial }
  | Question
  | { readonly kind: "cancelled" };
