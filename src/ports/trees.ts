/**
 * The content of the workspace: tracked and untracked files, without the spec's folder, `.fixpoint` and what is ignored.
 * A nested repository counts by its HEAD. Times do not count; whether a file may be run does.
 */
export interface Trees {
  /**
   * Whether the content is named before and after each attempt, so that all are kept, and not only where a check is run.
   * That costs each of them some calls of git (only where it is run when not given).
   */
  readonly keeps?: boolean;
  /**
   * Name the content now, by 40 hexadecimal digits: the same content has the same name. Null where it cannot be told:
   * without git, with more than 100 000 files, with a file or folder that cannot be read.
   */
  now(signal?: AbortSignal): Promise<string | null>;
  /**
   * Compare two trees that `now` has named: each path that differs once, sorted. Null where one of them is not known
   * (any more).
   */
  changes(from: string, to: string): Promise<readonly TreeChange[] | null>;
  /**
   * Read files of a tree, by their paths from the workspace: for a link its target, null where there is no such file, or
   * none that `changes` would tell the text of.
   */
  read(tree: string, paths: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /**
   * Write and remove files, one by one, so that they are as in a tree. Only a file whose content is the one that was
   * looked at is touched, and no link is followed. The spec's own files and what is ignored stay.
   *
   * @param from What `now` has named last. @param paths Files, from the workspace.
   * @returns Null where a tree is not known (any more): nothing was changed.
   * @throws {EnvironmentError} `file-refused`: what was not reached can be restored by another call.
   */
  restore(from: string, to: string, paths: readonly string[]): Promise<Restored | null>;
  /** Merge what was made of a tree in two ways. Null where one is not known (any more), or git cannot merge them. */
  merge(base: string, ours: string, theirs: string): Promise<MergedTrees | null>;
}

/** What two trees come to that were both made of a third. */
export interface MergedTrees {
  readonly tree: string;
  /** Paths in which they differ in ways that exclude each other, sorted: what stands there in the tree is not to be used. */
  readonly conflicts: readonly string[];
}

/** What was put back. Paths from the workspace. */
export interface Restored {
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Files that stay as they are, each with the reason. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** A file that differs between two trees. */
export interface TreeChange {
  /** From the workspace. */
  readonly path: string;
  /** The text before; null when there was no such file. */
  readonly before: string | null;
  /** The text after, which is the same when only the kind of the file or its mode differs. */
  readonly after: string | null;
  /**
   * A text is not told, and empty: it is larger than 256 KiB, no UTF-8, of a nested repository, or that of a file behind
   * the first 500, of which new ones come last.
   */
  readonly unread?: true;
}
