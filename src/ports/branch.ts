import type { Hindered, Refused } from "./forge.ts";

/** Where the repository stands. Hashes are full. */
export interface LocalBranch {
  /** Null before the first commit. */
  readonly head: string | null;
  /** Null where HEAD names no branch. */
  readonly branch: string | null;
  /** Paths from the workspace that differ from HEAD, the spec's own files and run data left out; the first 200. */
  readonly dirty: readonly string[];
}

/** Where the remote stands. */
export interface RemoteBranch {
  readonly kind: "remote";
  /** As it is pushed to, without a login in it. */
  readonly url: string;
  /** Null where the remote names none. */
  readonly defaultBranch: string | null;
  /** The last commit of the branch there; null where it has no such branch. */
  readonly head: string | null;
  /** The last commit of the base there; null where it has no such branch. */
  readonly baseHead: string | null;
}

/** What lies between the base and HEAD. */
interface Ahead {
  /** Newest first, the first 50. */
  readonly commits: readonly { readonly hash: string; readonly subject: string }[];
  /** How many there are. */
  readonly count: number;
  /** Paths from the top of the repository that differ. */
  readonly paths: readonly string[];
}

/** A push of one commit to one branch. */
export interface Push {
  readonly remote: string;
  readonly branch: string;
  /** Full hash of the commit. */
  readonly commit: string;
  /** The last commit of the branch there, as far as is known; null: it is not there yet. Another one is left alone. */
  readonly expect: string | null;
}

/**
 * What a push has come to. `pushed` also where the commit is there already. `moved`: the branch has another last commit
 * by now. `hook`: a hook of this repository has said no, with what it printed.
 */
type Pushed =
  | { readonly kind: "pushed" }
  | { readonly kind: "moved"; readonly head: string | null }
  | { readonly kind: "hook"; readonly output: string }
  | Hindered
  | Refused;

/**
 * The branch that a pull request is made of. Nothing is ever forced, and no branch is written to that is the default
 * one of the remote or has one of the protected names: `refused`.
 */
export interface Branch {
  local(): Promise<LocalBranch>;
  /** Asks the remote. */
  remote(
    names: { readonly remote: string; readonly branch: string; readonly base: string | null },
    signal: AbortSignal,
  ): Promise<RemoteBranch | Hindered | Refused>;
  /** What lies between a base of the remote and HEAD; fetches the base where it is not known here. */
  ahead(
    names: { readonly remote: string; readonly base: string },
    signal: AbortSignal,
  ): Promise<({ readonly kind: "ahead" } & Ahead) | Hindered | Refused>;
  push(push: Push, signal: AbortSignal): Promise<Pushed>;
  /**
   * Take over a commit that somebody else has pushed, where HEAD only has to go forward for that and the tree is clean;
   * `diverged` where not. Its authors as git names them are answered, for people.
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
  /** Make a branch at HEAD and check it out; nothing where it is checked out already. */
  begin(branch: string): Promise<{ readonly kind: "done" } | Refused>;
}

/** Branches that are never pushed to, whatever the remote calls its default one. */
export const isProtected = (branch: string): boolean =>
  ["main", "master", "trunk", "develop"].includes(branch) || branch.startsWith("release/");
