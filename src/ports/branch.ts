import type { Hindered, Refused } from "./forge.ts";

/** State of the local repository. Hashes are not abbreviated. */
export interface LocalBranch {
  /** Null before the first commit. */
  readonly head: string | null;
  /** Null if HEAD is detached. */
  readonly branch: string | null;
  /**
   * Paths, relative to the workspace, that differ from HEAD, without the spec's own files and run data; at most 200.
   */
  readonly dirty: readonly string[];
}

/** State of the remote. */
export interface RemoteBranch {
  readonly kind: "remote";
  /** The push URL, without credentials. */
  readonly url: string;
  /** Null if the remote names none. */
  readonly defaultBranch: string | null;
  /** Last commit of the branch on the remote; null if the branch does not exist there. */
  readonly head: string | null;
  /** Last commit of the base on the remote; null if the base does not exist there. */
  readonly baseHead: string | null;
}

/** Difference between the base and HEAD. */
interface Ahead {
  /** Newest first, at most 50. */
  readonly commits: readonly { readonly hash: string; readonly subject: string }[];
  /** Number of all commits. */
  readonly count: number;
  /** Changed paths, relative to the top of the repository. */
  readonly paths: readonly string[];
}

/** A push of one commit to one branch. */
export interface Push {
  readonly remote: string;
  readonly branch: string;
  /** Full hash of the commit. */
  readonly commit: string;
  /**
   * The last known commit of the remote branch; null: the branch does not exist yet. If the remote has another
   * commit, the push is refused.
   */
  readonly expect: string | null;
}

/**
 * Result of a push. `pushed`: the commit is on the branch, even if it was there before. `moved`: the branch does not
 * end with the expected commit. `hook`: a local hook rejected the push, with its output.
 */
type Pushed =
  | { readonly kind: "pushed" }
  | { readonly kind: "moved"; readonly head: string | null }
  | { readonly kind: "hook"; readonly output: string }
  | Hindered
  | Refused;

/**
 * The branch of a pull request. Pushes are never forced. The remote's default branch and protected branch names are
 * never written to; such a push is `refused`.
 */
export interface Branch {
  local(): Promise<LocalBranch>;
  /** Query the remote. */
  remote(
    names: { readonly remote: string; readonly branch: string; readonly base: string | null },
    signal: AbortSignal,
  ): Promise<RemoteBranch | Hindered | Refused>;
  /** Compare HEAD with a base on the remote; fetches the base if it is missing locally. */
  ahead(
    names: { readonly remote: string; readonly base: string },
    signal: AbortSignal,
  ): Promise<({ readonly kind: "ahead" } & Ahead) | Hindered | Refused>;
  push(push: Push, signal: AbortSignal): Promise<Pushed>;
  /**
   * Fast-forward to a commit that someone else pushed, if the tree is clean; else `diverged`. Returns the names of
   * the commit authors, to show to people.
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
  /** Create a branch at HEAD and check it out; does nothing if it is checked out already. */
  begin(branch: string): Promise<{ readonly kind: "done" } | Refused>;
}

/** Whether a branch is never pushed to, whatever the remote's default branch is. */
export const isProtected = (branch: string): boolean =>
  ["main", "master", "trunk", "develop"].includes(branch) || branch.startsWith("release/");
