import * as z from "zod";
import type { MadeFor } from "./failure.ts";
import type { OutputDigest } from "./failure-set.ts";
import { GitEvidence } from "./git-evidence.ts";
import type { Plan } from "./plan.ts";
import type { Policy } from "./policy.ts";
import { Ending, type Reply } from "./reply.ts";
import type { Task, TaskId } from "./task.ts";

/**
 * Proof from the Verify runs before and after the work. `proven`: Verify was red and is green; `checked`: the task's
 * purpose is to check, and Verify is green; `unproven`: Verify is green, and `reason` says why that proves nothing
 * about the work; `unverified`: no command ran.
 *
 * @see docs/verification.md
 */
export const Proof = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("proven") }),
  z.object({ kind: z.literal("checked") }),
  z.object({ kind: z.literal("unproven"), reason: z.string() }),
  z.object({ kind: z.literal("unverified") }),
]);
export type Proof = z.infer<typeof Proof>;

/** Name the proof of a task, with the reason if the task is unproven. */
export const renderProof = (proof: Proof): string =>
  proof.kind === "unproven" ? `unproven: ${proof.reason}` : proof.kind;

/** Number of planned tasks that are proven or checked, and lists of the unproven and unverified tasks. */
export const Proofs = z.object({
  proven: z.int().min(0),
  checked: z.int().min(0),
  unproven: z.array(z.object({ task: z.string(), reason: z.string() })),
  unverified: z.array(z.string()),
});
export type Proofs = z.infer<typeof Proofs>;

/** Count the proofs of tasks. */
export function countProofs(proofs: Iterable<readonly [task: TaskId, proof: Proof]>): Proofs {
  const counted: Proofs = { proven: 0, checked: 0, unproven: [], unverified: [] };
  for (const [task, proof] of proofs) {
    if (proof.kind === "unproven") counted.unproven.push({ task, reason: proof.reason });
    else if (proof.kind === "unverified") counted.unverified.push(task);
    else counted[proof.kind] += 1;
  }
  return counted;
}

/** The checks of a claimed completion, in order. */
export const Layer = z.enum([
  "signal",
  "contradiction",
  "checkmarks",
  "commit",
  "verify",
  "guard",
  "reality",
  "review",
]);
export type Layer = z.infer<typeof Layer>;

/**
 * Signal of an executor's final message: done, failed, or blocked by a question to a person. `misplaced`: done, but
 * reported with the word of another role.
 */
export const Signal = z.enum(["complete", "failed", "blocked", "misplaced"]);
export type Signal = z.infer<typeof Signal>;

/**
 * Result of one check of a claim. `rejected`: the claim is invalid; `failed`: the task is not done; `unverified`:
 * nothing contradicts the claim, and nothing proves it.
 */
export type Finding =
  | { readonly kind: "accepted"; readonly note?: string }
  | { readonly kind: "unverified"; readonly note: string }
  | { readonly kind: "rejected" | "failed" | "undecided"; readonly reason: string };

/** The finding of one layer. */
export type LayerResult = Finding & { readonly layer: Layer };

/** The conclusion from all judged layers. */
export interface Verdict {
  readonly kind: "accepted" | "rejected" | "failed" | "undecided";
  readonly layers: readonly LayerResult[];
}

/** End of a check command. */
export interface CommandEnd {
  /** Null if a signal or limit ended the command. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The time limit that ended the command. */
  readonly limitMs?: number | undefined;
  /** The output limit that ended the command. */
  readonly limitBytes?: number | undefined;
}

export interface CheckRan extends CommandEnd {
  readonly kind: "ran";
  /** The command; not given if unknown. */
  readonly command?: string;
  /** Digest of the command's failures; null if it passed. */
  readonly digest: OutputDigest | null;
}

/** Result of a task's own Verify command. */
export type VerifyEvidence =
  | CheckRan
  /** The Verify is not a command; `reason` says what it is. */
  | { readonly kind: "unrunnable"; readonly reason: string }
  /** The policy trusts executors. */
  | { readonly kind: "trusted" };

/** Result of the command that showed the failure before the work. */
export type RealityEvidence =
  /** The progress log has no `## Reality Check (BEFORE)` with a command. */
  { readonly kind: "missing" } | (CheckRan & { readonly command: string });

/** A reviewer's answer. */
export interface ReviewEvidence {
  readonly verdict: "pass" | "fail" | "none";
  /** Findings about the code, which a fix task can solve. */
  readonly code: string;
  /** Findings about the spec, which only a person can solve. */
  readonly spec: string;
  /** Counted from 1. */
  readonly round: number;
}

/** All inputs of the verdict on one attempt. */
export interface CompletionEvidence {
  readonly task: Pick<Task, "id" | "markers">;
  readonly reply: Reply;
  /** Signal of the final message; null if there is none. */
  readonly signal: Signal | null;
  /** Question to a person in the final message; null if there is none. */
  readonly blocker: string | null;
  /** The sentence in which the final message admits a failure; null if there is none. */
  readonly contradiction: string | null;
  /** The plan as the coordinator left it: its ticks were accepted, or made before the run. */
  readonly before: Plan;
  /** The plan as the executor left it. */
  readonly after: Plan;
  readonly requireExecutorTick: boolean;
  /** Tasks that the run wrote and had to restore (none if not given). */
  readonly restored?: readonly TaskId[];
  /** Tasks of the same batch; their boxes are ignored here and judged with their own attempts. */
  readonly beside: readonly TaskId[];
  /** Null outside a repository. */
  readonly git: GitEvidence | null;
  readonly requireCommit: boolean;
  /**
   * Reasons why the work is not in the pull request: uncommitted paths, or no commit. Null or not given without a pull
   * request.
   */
  readonly unshipped?: { readonly dirty: readonly string[]; readonly nothing: boolean } | null;
  /** Result of the Verify; null if it was not run. */
  readonly verify: VerifyEvidence | null;
  /** Proof by the Verify, compared with the run before the work; null if the Verify fails, unproven if not given. */
  readonly proof?: Proof | null;
  /** Changes to the task's proof, worded for the agent; null or not given if there are none. */
  readonly harm?: { readonly reason: string; readonly rejects: boolean } | null;
  /** The reality check of a goal verification; null for other tasks, and until the other layers accept. */
  readonly reality: RealityEvidence | null;
  /** Result of the review; null if there was none. */
  readonly review: ReviewEvidence | null;
  /** For a fix task: the failure it was made for. */
  readonly madeFor: MadeFor | null;
  /** Number of rejected claims in a row before this one; 0 if not given. */
  readonly rejections?: number;
  /** Whether the attempt changed a file; null if unknown, derived from `git` if not given. */
  readonly changedFiles?: boolean | null;
  /** The rules that judge the claim; `evidence` if not given. */
  readonly rules?: Policy["rules"];
}

/** A verdict with its evidence, as recorded. Long lists are cut. */
export const Judgement = z.object({
  kind: z.enum(["accepted", "rejected", "failed", "undecided"]),
  /** The finding of each judged layer, in order. */
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
    /** Tasks whose boxes were set or cleared during the attempt. */
    ticked: z.object({ set: z.array(z.string()), cleared: z.array(z.string()) }),
    git: GitEvidence.nullable(),
    /** Changed files that are not in the task's `Files` field. */
    undeclared: z.array(z.string()),
    verify: z.string().nullable(),
    reality: z.string().nullable(),
    /** Reasons why the work was not in the pull request; not given without a pull request. */
    unshipped: z.object({ dirty: z.array(z.string()), nothing: z.boolean() }).optional(),
  }),
});
export type Judgement = z.infer<typeof Judgement>;
