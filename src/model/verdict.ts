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
 * What is found when one thing about a claim is looked at. `rejected`: the claim was not in order; `failed`: the task
 * was not done; `unverified`: nothing stands against it, and nothing has shown it either.
 */
export type Finding =
  | { readonly kind: "accepted"; readonly note?: string }
  | { readonly kind: "unverified"; readonly note: string }
  | { readonly kind: "rejected" | "failed" | "undecided"; readonly reason: string };

/** What one layer says. */
export type LayerResult = Finding & { readonly layer: Layer };

/** What is concluded from all layers that were judged. */
export interface Verdict {
  readonly kind: "accepted" | "rejected" | "failed" | "undecided";
  readonly layers: readonly LayerResult[];
}
