import type { BaseLook, CheckLog, Look } from "../model/pull-request.ts";

/**
 * What the forge could not do for now: it is asked again from then on, in milliseconds since 1970. `offline`: it could
 * not be reached; `busy`: it answers with an error of its own, or with half an answer.
 */
export interface Hindered {
  readonly kind: "hindered";
  readonly reason: "rate-limit" | "offline" | "busy";
  readonly until: number;
  /** What it said. */
  readonly detail: string;
}

/** What the forge will not do before a person has seen to it. */
export interface Refused {
  readonly kind: "refused";
  readonly reason: string;
  readonly hint: string;
}

/** The pull request of a branch. */
export interface FoundPullRequest {
  readonly kind: "found";
  readonly number: number;
  readonly url: string;
  readonly head: string;
  readonly base: string;
  readonly state: "open" | "closed" | "merged";
}

/** What a pull request is opened with. */
export interface NewPullRequest {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

/** A run of a check that is asked about. */
interface CheckRun {
  /** As a look has it. */
  readonly job: string;
  /** Full hash of the commit. */
  readonly head: string;
}

type MayWrite = { readonly kind: "known"; readonly write: boolean };
export type Done = { readonly kind: "done" };

/**
 * Where pull requests live. Bound to one repository and one login. Nothing is thrown but for a request that was aborted
 * and for defects. Whatever changes something looks first whether that is done already, so that it may be repeated.
 */
export interface Forge {
  /**
   * The pull request of a branch: the open one with this base, else the open one of another base, else the last one;
   * `several` where two open ones of other bases are there.
   */
  find(
    branch: string,
    base: string | null,
    signal: AbortSignal,
  ): Promise<
    | FoundPullRequest
    | { readonly kind: "none" }
    | { readonly kind: "several"; readonly numbers: readonly number[] }
    | Hindered
    | Refused
  >;
  /** Open one, or answer the open one of the same branch and base. */
  open(
    request: NewPullRequest,
    signal: AbortSignal,
  ): Promise<(FoundPullRequest & { readonly created: boolean }) | Hindered | Refused>;
  /** Everything of one at one moment, by one request (more where it has several pages). Half an answer is none: `busy`. */
  look(
    number: number,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "look"; readonly look: Look } | Hindered | Refused>;
  /** The checks of a base. */
  lookAtBase(
    base: string,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "base"; readonly look: BaseLook } | Hindered | Refused>;
  /** What a check has printed, redacted; without a log `log` is null. */
  log(job: string, signal: AbortSignal): Promise<({ readonly kind: "log" } & CheckLog) | Hindered | Refused>;
  /** Run a failed check again; `spent` where that was done for this head before. */
  rerun(check: CheckRun, signal: AbortSignal): Promise<Done | { readonly kind: "spent" } | Hindered | Refused>;
  /** Write into a thread, or answer a review as a whole; nothing where a comment with this marker stands there already. */
  answer(
    comment: { readonly number: number; readonly thread: string; readonly text: string; readonly marker: string },
    signal: AbortSignal,
  ): Promise<Done | Hindered | Refused>;
  resolve(thread: string, signal: AbortSignal): Promise<Done | Hindered | Refused>;
  /** Whether a login may write into the repository, as the forge says at that moment. */
  may(login: string, signal: AbortSignal): Promise<MayWrite | Hindered | Refused>;
  /** Take the base into the branch, if its head is still this one. */
  updateBranch(number: number, head: string, signal: AbortSignal): Promise<Done | Hindered | Refused>;
  markReady(number: number, signal: AbortSignal): Promise<Done | Hindered | Refused>;
  /** Have it merged once it may, if its head is still this one. */
  enableAutoMerge(
    request: { readonly number: number; readonly head: string; readonly how: "squash" | "merge" | "rebase" },
    signal: AbortSignal,
  ): Promise<Done | Hindered | Refused>;
}
