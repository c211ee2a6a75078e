import * as z from "zod";
import { GitEvidence } from "./git-evidence.ts";
import { Ending } from "./reply.ts";
import { Layer, Signal } from "./verdict.ts";

/** A verdict with all that it was made from, as it is recorded. Long lists are cut. */
export const Judgement = z.object({
  kind: z.enum(["accepted", "rejected", "failed", "undecided"]),
  /** What each layer that was judged says, in order. */
  layers: z.array(
    z.object({
      layer: Layer,
      kind: z.enum(["accepted", "unverified", "rejected", "failed", "undecided"]),
      reason: z.string().optional(),
      note: z.string().optional(),
    }),
  ),
  evidence: z.object({
    signal: Signal.nullable(),
    contradiction: z.string().nullable(),
    exitCode: z.int(),
    ended: Ending,
    /** Whose boxes were set or cleared meanwhile. */
    ticked: z.object({ set: z.array(z.string()), cleared: z.array(z.string()) }),
    git: GitEvidence.nullable(),
    /** Changed files that the task's Files do not name. */
    undeclared: z.array(z.string()),
    verify: z.string().nullable(),
    reality: z.string().nullable(),
    /** What kept its work out of the pull request; not given where none is made. */
    unshipped: z.object({ dirty: z.array(z.string()), nothing: z.boolean() }).optional(),
  }),
});
export type Judgement = z.infer<typeof Judgement>;
