import { z } from "zod";

/** The checks on a claimed completion, in the order in which they are judged. */
export const Layer = z.enum(["signal", "contradiction", "checkmarks", "commit", "verify", "reality", "review"]);
export type Layer = z.infer<typeof Layer>;

/** What one layer says. `rejected`: the claim was not in order; `failed`: the task was not done. */
export type LayerResult =
  | { readonly layer: Layer; readonly kind: "accepted"; readonly note?: string }
  | { readonly layer: Layer; readonly kind: "rejected" | "failed" | "undecided"; readonly reason: string };

/** What is concluded from all layers that were judged. */
export interface Verdict {
  readonly kind: "accepted" | "rejected" | "failed" | "undecided";
  readonly layers: readonly LayerResult[];
}
