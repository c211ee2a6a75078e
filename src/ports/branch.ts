import type { Hindered, Refused } from "./forge.ts";

/** State of the local repository. Hashes are not abbreviated. */
export interface LocalBranch {
  /** Null before the first commit. */
  readonly head: string | null;
  /** Null if HEAD is detached. */
  readonly branch: string | null;
  /** Paths from the workspace that differ from HEAD, at most 200. Files of the spec and run data are left out. */
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
  /** Number of all commits, also of those that `commits` lacks. */
  readonly count: number;
  /** Changed paths from the root of the repository. */
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
 * Result of a push. `pushed`: the remote branch has the commit, even if it was there before; `moved`: the remote branch
 * did not have the expected commit; `hook`: a local hook rejected the push and printed `output`.
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
  /** Create a branch at HEAD and check it out. Does nothing if it is already checked out. */
  begin(branch: string): Promise<{ readonly kind: "done" } | Refused>;
}

/** Branches with these names are never pushed to, even if the remote has another default branch. */
export const isProtected = (branch: string): boolean =>
  ["main", "master", "trunk", "develop"].includes(branch) || branch.startsWith("release/");
