import type { BaseLook, CheckLog, Look } from "../model/pull-request.ts";

/**
 * A temporary failure. `until` says when to retry, in milliseconds since 1970; `offline`: unreachable; `busy`: a server
 * error or an incomplete answer.
 */
export interface Hindered {
  readonly kind: "hindered";
  readonly reason: "rate-limit" | "offline" | "busy";
  readonly until: number;
  readonly detail: string;
}

/** A failure that only a person can solve. */
export interface Refused {
  readonly kind: "refused";
  readonly reason: string;
  readonly hint: string;
}

export interface FoundPullRequest {
  readonly kind: "found";
  readonly number: number;
  readonly url: string;
  readonly head: string;
  readonly base: string;
  readonly state: "open" | "closed" | "merged";
}

export interface NewPullRequest {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

interface CheckRun {
  /** Id of the job, from `look`. */
  readonly job: string;
  /** Full hash of the commit. */
  readonly head: string;
}

type MayWrite = { readonly kind: "known"; readonly write: boolean };
export type Done = { readonly kind: "done" };

/**
 * Host of pull requests, for one repository and one login. Methods throw only for an aborted request or a defect. Calls
 * may be repeated: no change is made twice.
 */
export interface Forge {
  /**
   * Find the pull request of a branch: an open pull request with this base, else any open pull request, else the last
   * closed pull request. `several`: more than one pull request is open, but none has this base.
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
  /** Open a pull request, or return the open pull request with this branch and base. */
  open(
    request: NewPullRequest,
    signal: AbortSignal,
  ): Promise<(FoundPullRequest & { readonly created: boolean }) | Hindered | Refused>;
  /** Read the whole state of a pull request, in one request unless lists are long. An incomplete answer is `busy`. */
  look(
    number: number,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "look"; readonly look: Look } | Hindered | Refused>;
  lookAtBase(
    base: string,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "base"; readonly look: BaseLook } | Hindered | Refused>;
  /** Redacted output of a check; `log` is null if the check has no output. */
  log(job: string, signal: AbortSignal): Promise<({ readonly kind: "log" } & CheckLog) | Hindered | Refused>;
  /** Rerun a failed check; `spent` if it was already rerun for this head. */
  rerun(check: CheckRun, signal: AbortSignal): Promise<Done | { readonly kind: "spent" } | Hindered | Refused>;
  /** Reply in a thread or to a whole review. Does nothing if a comment with this marker exists. */
  answer(
    comment: { readonly number: number; readonly thread: string; readonly text: string; readonly marker: string },
    signal: AbortSignal,
  ): Promise<Done | Hindered | Refused>;
  resolve(thread: string, signal: AbortSignal): Promise<Done | Hindered | Refused>;
  /** Whether a login may write to the repository now. */
  may(login: string, signal: AbortSignal): Promise<MayWrite | Hindered | Refused>;
  /** Merge the base into the branch, if the head is still `head`. */
  updateBranch(number: number, head: string, signal: AbortSignal): Promise<Done | Hindered | Refused>;
  markReady(number: number, signal: AbortSignal): Promise<Done | Hindered | Refused>;
  /** Enable auto-merge, if the head is still `head`. */
  enableAutoMerge(
    request: { readonly number: number; readonly head: string; readonly how: "squash" | "merge" | "rebase" },
    signal: AbortSignal,
  ): Promise<Done | Hindered | Refused>;
}
