import type { Hindered, Refused } from "./forge.ts";

/** State of the local repository. Hashes are not abbreviated. */
export interface LocalBranch {
  /** Null before the first commit. */
  readonly head: string | null;
  /** Null if `HEAD` is detached. */
  readonly branch: string | null;
  /**
   * Files that differ from `HEAD`, as paths relative to the workspace, at most 200; without files of the spec and run
   * data.
   */
  readonly dirty: readonly string[];
}

export interface RemoteBranch {
  readonly kind: "remote";
  /** URL for pushes, without credentials. */
  readonly url: string;
  /** Null if the remote does not report it. */
  readonly defaultBranch: string | null;
  /** Last commit of the branch on the remote; null if the remote has no such branch. */
  readonly head: string | null;
  /** Last commit of the base on the remote; null if the remote has no such branch. */
  readonly baseHead: string | null;
}

/** Difference of HEAD from the base. */
interface Ahead {
  /** Newest first, at most 50. */
  readonly commits: readonly { readonly hash: string; readonly subject: string }[];
  /** Number of all commits, including commits beyond the limit of `commits`. */
  readonly count: number;
  /** Changed files, as paths relative to the root of the repository. */
  readonly paths: readonly string[];
}

export interface Push {
  readonly remote: string;
  readonly branch: string;
  /** Full hash of the commit. */
  readonly commit: string;
  /**
   * Last known commit of the remote branch; null if the branch does not exist. If the remote has another commit, the
   * push is refused.
   */
  readonly expect: string | null;
}

/**
 * Result of a push. `pushed`: the remote branch has the commit, even if the commit was already there; `moved`: the
 * remote branch did not have the expected commit; `hook`: a local hook rejected the push and printed `output`.
 */
type Pushed =
  | { readonly kind: "pushed" }
  | { readonly kind: "moved"; readonly head: string | null }
  | { readonly kind: "hook"; readonly output: string }
  | Hindered
  | Refused;

/**
 * The branch of a pull request. Pushes are never forced. A push to the remote's default branch or to a protected name
 * is `refused`.
 */
export interface Branch {
  local(): Promise<LocalBranch>;
  remote(
    names: { readonly remote: string; readonly branch: string; readonly base: string | null },
    signal: AbortSignal,
  ): Promise<RemoteBranch | Hindered | Refused>;
  /** Compare HEAD with a base on the remote. A base that is missing locally is fetched. */
  ahead(
    names: { readonly remote: string; readonly base: string },
    signal: AbortSignal,
  ): Promise<({ readonly kind: "ahead" } & Ahead) | Hindered | Refused>;
  push(push: Push, signal: AbortSignal): Promise<Pushed>;
  /**
   * Fast-forward to a commit that someone else pushed; `diverged` if that is impossible or files are changed. `authors`
   * are names to show to people.
   */
  adopt(
    names: { readonly remote: string; readonly branch: string; readonly head: string },
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: "adopted"; readonly authors: readonly string[] }
    | { readonly kind: "diverged" }
    | Hindered
    | Refused
  >;
  /** Create a branch at `HEAD` and check it out. Does nothing if the branch is already checked out. */
  begin(branch: string): Promise<{ readonly kind: "done" } | Refused>;
}

/**
 * Whether a branch is protected by its name: nothing is pushed to such a branch, even if it is not the default branch.
 */
export const isProtected = (branch: string): boolean =>
  ["main", "master", "trunk", "develop"].includes(branch) || branch.startsWith("release/");
