import * as z from "zod";
import type { MadeFor } from "./failure.ts";
import type { OutputDigest } from "./failure-set.ts";
import { GitEvidence } from "./git-evidence.ts";
import type { Plan } from "./plan.ts";
import type { Policy } from "./policy.ts";
import { Ending, type Reply } from "./reply.ts";
import type { Task, TaskId } from "./task.ts";

/**
 * What the runs of a task's Verify before and after the work say together. `proven`: it was red and is green; `checked`:
 * its purpose is to check, and it is green; `unproven`: it is green, and `reason` says why that shows nothing of the
 * work; `unverified`: no command was run.
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

/** How many planned tasks are proven and checked, and which are neither. */
export const Proofs = z.object({
  proven: z.int().min(0),
  checked: z.int().min(0),
  unproven: z.array(z.object({ task: z.string(), reason: z.string() })),
  unverified: z.array(z.string()),
});
export type Proofs = z.infer<typeof Proofs>;

/** Count what has shown that tasks are done. */
export function countProofs(proofs: Iterable<readonly [task: TaskId, proof: Proof]>): Proofs {
  const counted: Proofs = { proven: 0, checked: 0, unproven: [], unverified: [] };
  for (const [task, proof] of proofs) {
    if (proof.kind === "unproven") counted.unproven.push({ task, reason: proof.reason });
    else if (proof.kind === "unverified") counted.unverified.push(task);
    else counted[proof.kind] += 1;
  }
  return counted;
}

/** The checks on a claimed completion, in the order in which they are judged. */
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

/** How a command has ended that checks something. */
export interface CommandEnd {
  /** Null when a signal or a limit ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** The time limit that ended it. */
  readonly limitMs?: number | undefined;
  /** The limit on its output that ended it. */
  readonly limitBytes?: number | undefined;
}

export interface CheckRan extends CommandEnd {
  readonly kind: "ran";
  /** The command; not given where it is not known. */
  readonly command?: string;
  /** What its output says of what failed; null when it passed. */
  readonly digest: OutputDigest | null;
}

/** What became of a task's own Verify command. */
export type VerifyEvidence =
  | CheckRan
  /** Nothing that can be run stands there; `reason` says what does. */
  | { readonly kind: "unrunnable"; readonly reason: string }
  /** The policy trusts executors. */
  | { readonly kind: "trusted" };

/** What became of the command that showed the failure before the work began. */
export type RealityEvidence =
  /** The progress log holds no `## Reality Check (BEFORE)` with a command. */
  { readonly kind: "missing" } | (CheckRan & { readonly command: string });

/** A reviewer's answer. */
export interface ReviewEvidence {
  readonly verdict: "pass" | "fail" | "none";
  /** About the code: a fix task can see to them. */
  readonly code: string;
  /** About the spec: only a person can see to them. */
  readonly spec: string;
  /** Counted from 1. */
  readonly round: number;
}

/** Everything a verdict on one attempt is made from. */
export interface CompletionEvidence {
  readonly task: Pick<Task, "id" | "markers">;
  readonly reply: Reply;
  /** What the final message says; null when it holds no signal. */
  readonly signal: Signal | null;
  /** What it asks a person before it can go on; null when it asks nothing. */
  readonly blocker: string | null;
  /** The sentence with which the final message admits a failure, null without one. */
  readonly contradiction: string | null;
  /** The plan as the coordinator left it: what is ticked there was accepted or ticked before the run. */
  readonly before: Plan;
  /** The plan as the executor left it. */
  readonly after: Plan;
  readonly requireExecutorTick: boolean;
  /** Tasks that the run had written into the plan, and that it had to put back. None when not given. */
  readonly restored?: readonly TaskId[];
  /** Tasks that were worked on at the same time: what becomes of theirs is judged with them. */
  readonly beside: readonly TaskId[];
  /** Null outside a repository. */
  readonly git: GitEvidence | null;
  readonly requireCommit: boolean;
  /**
   * What keeps its work out of the pull request: paths that are not committed, and whether it was to commit something
   * and has not. Null or not given where no pull request is made.
   */
  readonly unshipped?: { readonly dirty: readonly string[]; readonly nothing: boolean } | null;
  /** Null where none was run. */
  readonly verify: VerifyEvidence | null;
  /** What the Verify says of the work, with the run before it; null where it does not pass, unproven when not given. */
  readonly proof?: Proof | null;
  /** What was changed of what proves the task, in words for the agent; null or not given where nothing was. */
  readonly harm?: { readonly reason: string; readonly rejects: boolean } | null;
  /** The reality check of a goal verification; null for any other task, and until the other layers have accepted. */
  readonly reality: RealityEvidence | null;
  /** What a reviewer says; null when none was asked. */
  readonly review: ReviewEvidence | null;
  /** For a fix task: what it was made for. */
  readonly madeFor: MadeFor | null;
  /** Claims on the task that were rejected in a row before this one; none when not given. */
  readonly rejections?: number;
  /** Whether the attempt has changed a file; null when it is not known, read from `git` when not given. */
  readonly changedFiles?: boolean | null;
  /** By whose rules it is judged; `evidence` when not given. */
  readonly rules?: Policy["rules"];
}

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
