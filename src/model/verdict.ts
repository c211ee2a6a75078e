import * as z from "zod";

/** The checks on a claimed completion, in the order in which they are judged. */
export const Layer = z.enum(["signal", "contradiction", "checkmarks", "commit", "verify", "reality", "review"]);
export type Layer = z.infer<typeof Layer>;

/**
 * What the final message of an executor says: the task is done, it failed, or a person has to decide something first.
 * `misplaced`: it is done, in the word of another role.
 */
export const Signal = z.enum(["complete", "failed", "blocked", "misplaced"]);
export type Signal = z.infer<typeof Signal>;

/**
 * What one layer says. `rejected`: the claim was not in order; `failed`: the task was not done; `unverified`: nothing
 * stands against it, and nothing has shown it either.
 */
export type LayerResult =
  | { readonly layer: Layer; readonly kind: "accepted"; readonly note?: string }
  | { readonly layer: Layer; readonly kind: "unverified"; readonly note: string }
  | { readonly layer: Layer; readonly kind: "rejected" | "failed" | "undecided"; readonly reason: string };

/** What is concluded from all layers that were judged. */
export interface Verdict {
  readonly kind: "accepted" | "rejected" | "failed" | "undecided";
  readonly layers: readonly LayerResult[];
}
