import * as z from "zod";
import type { MadeFor } from "./failure.ts";
import type { OutputDigest } from "./failure-set.ts";
import { GitEvidence } from "./git-evidence.ts";
import type { Plan } from "./plan.ts";
import type { Policy } from "./policy.ts";
import { Ending, type Reply } from "./reply.ts";
import type { Task, TaskId } from "./task.ts";

/**
 * Proof from the Verify runs before and after the work. `proven`: Verify was red and is green; `checked`: Verify is
 * green, and the task consists only of checking; `unproven`: Verify is green, but proves nothing about the work,
 * because of `reason`; `unverified`: no command ran.
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

/** Write the kind of a proof, and the reason if it is `unproven`. */
export const renderProof = (proof: Proof): string =>
  proof.kind === "unproven" ? `unproven: ${proof.reason}` : proof.kind;

/** Number of planned tasks that are proven or checked, and lists of unproven and unverified tasks. */
export const Proofs = z.object({
  proven: z.int().min(0),
  checked: z.int().min(0),
  unproven: z.array(z.object({ task: z.string(), reason: z.string() })),
  unverified: z.array(z.string()),
});
export type Proofs = z.infer<typeof Proofs>;

export function countProofs(proofs: Iterable<readonly [task: TaskId, proof: Proof]>): Proofs {
  const counted: Proofs = { proven: 0, checked: 0, unproven: [], unverified: [] };
  for (const [task, proof] of proofs) {
    if (proof.kind === "unproven") counted.unproven.push({ task, reason: proof.reason });
    else if (proof.kind === "unverified") counted.unverified.push(task);
    else counted[proof.kind] += 1;
  }
  return counted;
}

/** Checks of a claim, in the order in which they run. */
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
 * Signal in an executor's final message: done, failed, or blocked by a question to a person. `misplaced`: done, but
 * written with the word of another role.
 */
export const Signal = z.enum(["complete", "failed", "blocked", "misplaced"]);
export type Signal = z.infer<typeof Signal>;

/**
 * Result of one check of a claim. `rejected`: the claim is invalid; `failed`: the task is not done; `unverified`:
 * nothing contradicts or proves the claim.
 */
export type Finding =
  | { readonly kind: "accepted"; readonly note?: string }
  | { readonly kind: "unverified"; readonly note: string }
  | { readonly kind: "rejected" | "failed" | "undecided"; readonly reason: string };

export type LayerResult = Finding & { readonly layer: Layer };

/** Result of all checks of a claim. */
export interface Verdict {
  readonly kind: "accepted" | "rejected" | "failed" | "undecided";
  readonly layers: readonly LayerResult[];
}

/** How a check command ended. */
export interface CommandEnd {
  /** Null if a signal or a limit ended the command. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** Time limit in milliseconds, if it ended the command. */
  readonly limitMs?: number | undefined;
  /** Output limit in bytes, if it ended the command. */
  readonly limitBytes?: number | undefined;
}

export interface CheckRan extends CommandEnd {
  readonly kind: "ran";
  /** Not given if unknown. */
  readonly command?: string;
  /** Digest of the failures; null if the command passed. */
  readonly digest: OutputDigest | null;
}

/** Result of a task's own Verify command. */
export type VerifyEvidence =
  | CheckRan
  /** Verify is not a command, for this `reason`. */
  | { readonly kind: "unrunnable"; readonly reason: string }
  /** Verify was not run, since the policy trusts executors. */
  | { readonly kind: "trusted" };

/** Result of the reality check, which repeats the command that showed the failure before the work. */
export type RealityEvidence =
  /** The progress log has no `## Reality Check (BEFORE)` with a command. */
  { readonly kind: "missing" } | (CheckRan & { readonly command: string });

export interface ReviewEvidence {
  readonly verdict: "pass" | "fail" | "none";
  /** Findings about the code: a fix task can repair these. */
  readonly code: string;
  /** Findings about the spec: only a person can repair these. */
  readonly spec: string;
  /** Counted from 1. */
  readonly round: number;
}

/** All inputs of a verdict on one attempt. */
export interface CompletionEvidence {
  readonly task: Pick<Task, "id" | "markers">;
  readonly reply: Reply;
  /** Null if the final message has no signal. */
  readonly signal: Signal | null;
  /** Question to a person in the final message; null if it has none. */
  readonly blocker: string | null;
  /** Sentence in which the final message admits a failure; null if it has none. */
  readonly contradiction: string | null;
  /** Plan before the attempt. Every tick in this plan was accepted by the run, or made before the run. */
  readonly before: Plan;
  /** Plan after the attempt. */
  readonly after: Plan;
  readonly requireExecutorTick: boolean;
  /** Tasks that the run had written into the plan and had to restore; not given if there are none. */
  readonly restored?: readonly TaskId[];
  /**
   * Other tasks of the batch. The boxes of these tasks are ignored here, and judged with the attempts at these tasks.
   */
  readonly beside: readonly TaskId[];
  /** Null outside a repository. */
  readonly git: GitEvidence | null;
  readonly requireCommit: boolean;
  /**
   * Reason why the pull request is incomplete. `dirty`: paths that are not committed; `nothing`: whether there is no
   * commit. Null or not given without a pull request.
   */
  readonly unshipped?: { readonly dirty: readonly string[]; readonly nothing: boolean } | null;
  /** Null if Verify was not run. */
  readonly verify: VerifyEvidence | null;
  /** Proof from Verify before and after the work; null if Verify fails, unproven if not given. */
  readonly proof?: Proof | null;
  /** Changes to the task's proof, with `reason` as a text for the agent; null or not given if there are none. */
  readonly harm?: { readonly reason: string; readonly rejects: boolean } | null;
  /** Reality check of a goal. Null for other tasks, and until the other checks accept the claim. */
  readonly reality: RealityEvidence | null;
  readonly review: ReviewEvidence | null;
  /** Failure that the task was created for; null if it is not a fix task. */
  readonly madeFor: MadeFor | null;
  /** Number of consecutive rejections before this claim; 0 if not given. */
  readonly rejections?: number;
  /** Whether the attempt changed a file; null if unknown. If not given, the value is computed from `git`. */
  readonly changedFiles?: boolean | null;
  /** The rules that judge the claim; `evidence` if not given. */
  readonly rules?: Policy["rules"];
}

/** A verdict and its evidence, as recorded. Long lists are cut. */
export const Judgement = z.object({
  kind: z.enum(["accepted", "rejected", "failed", "undecided"]),
  /** Results of the checks that ran, in order. */
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
    /** Tasks whose boxes the attempt set or cleared. */
    ticked: z.object({ set: z.array(z.string()), cleared: z.array(z.string()) }),
    git: GitEvidence.nullable(),
    /** Changed files that the task's `Files` field does not name. */
    undeclared: z.array(z.string()),
    verify: z.string().nullable(),
    reality: z.string().nullable(),
    /** Reason why the pull request was incomplete; not given without a pull request. */
    unshipped: z.object({ dirty: z.array(z.string()), nothing: z.boolean() }).optional(),
  }),
});
export type Judgement = z.infer<typeof Judgement>;
