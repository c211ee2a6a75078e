import type { BaseLook, CheckLog, Look } from "../model/pull-request.ts";

/**
 * A temporary failure of the forge, with the time to retry in milliseconds since 1970. `offline`: unreachable;
 * `busy`: a server error or an incomplete answer.
 */
export interface Hindered {
  readonly kind: "hindered";
  readonly reason: "rate-limit" | "offline" | "busy";
  readonly until: number;
  /** Message of the forge. */
  readonly detail: string;
}

/** A refusal that needs a person. */
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

/** Input to open a pull request. */
export interface NewPullRequest {
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

/** One run of a check. */
interface CheckRun {
  /** Job id, as `look` returns it. */
  readonly job: string;
  /** Full hash of the commit. */
  readonly head: string;
}

type MayWrite = { readonly kind: "known"; readonly write: boolean };
export type Done = { readonly kind: "done" };

/**
 * Host of pull requests, bound to one repository and one login. Throws only for an aborted request or a defect. Calls
 * that change something first check whether the change is made already, so these calls can be repeated.
 */
export interface Forge {
  /**
   * Find the pull request of a branch: the open one with this base, else an open one with another base, else the last
   * closed one; `several` if more than one is open with another base.
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
  /** Open a pull request, or return the open one with the same branch and base. */
  open(
    request: NewPullRequest,
    signal: AbortSignal,
  ): Promise<(FoundPullRequest & { readonly created: boolean }) | Hindered | Refused>;
  /** Read the whole state of a pull request in one request (more if paged). An incomplete answer is `busy`. */
  look(
    number: number,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "look"; readonly look: Look } | Hindered | Refused>;
  /** Read the checks of a base branch. */
  lookAtBase(
    base: string,
    signal: AbortSignal,
  ): Promise<{ readonly kind: "base"; readonly look: BaseLook } | Hindered | Refused>;
  /** Redacted output of a check; `log` is null if there is none. */
  log(job: string, signal: AbortSignal): Promise<({ readonly kind: "log" } & CheckLog) | Hindered | Refused>;
  /** Rerun a failed check; `spent` if it was rerun for this head before. */
  rerun(check: CheckRun, signal: AbortSignal): Promise<Done | { readonly kind: "spent" } | Hindered | Refused>;
  /** Reply in a thread, or to a whole review; does nothing if a comment with this marker exists. */
  answer(
    comment: { readonly number: number; readonly thread: string; readonly text: string; readonly marker: string },
    signal: AbortSignal,
  ): Promise<Done | Hindered | Refused>;
  resolve(thread: string, signal: AbortSignal): Promise<Done | Hindered | Refused>;
  /** Whether a login has write access to the repository now. */
  may(login: string, signal: AbortSignal): Promise<MayWrite | Hindered | Refused>;
  /** Merge the base into the branch, if the head is unchanged. */
  updateBranch(number: number, head: string, signal: AbortSignal): Promise<Done | Hindered | Refused>;
  markReady(number: number, signal: AbortSignal): Promise<Done | Hindered | Refused>;
  /** Enable auto-merge, if the head is unchanged. */
  enableAutoMerge(
    request: { readonly number: number; readonly head: string; readonly how: "squash" | "merge" | "rebase" },
    signal: AbortSignal,
  ): Promise<Done | Hindered | Refused>;
}
