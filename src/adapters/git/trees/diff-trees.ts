import type { TreeStore } from "./tree-store.ts";
import { split } from "./tree-store.ts";

export interface Side {
  readonly mode: string;
  readonly blob: string;
}

/**
 * A changed file. `path` is from the top of the working tree, with one character per byte. A side is null if that side
 * lacks the file.
 */
export interface PathChange {
  readonly path: string;
  readonly now: Side | null;
  readonly wanted: Side | null;
}

/**
 * Compare two trees below the workspace.
 *
 * @param files Files and folders, relative to the workspace; all if empty.
 */
export async function diffTrees(
  store: TreeStore,
  from: string,
  to: string,
  files: readonly string[],
): Promise<readonly PathChange[]> {
  const places = files.map((file) => `${store.prefix}${file}`);
  const below = store.prefix === "" ? [] : [store.prefix];
  const asked = places.length > 0 ? places : below;
  const words = split(
    await store.call(["diff-tree", "-r", "-z", "--no-renames", from, to, "--", ...asked], { all: true }),
  );
  return words.flatMap((word, at) => {
    const path = words[at + 1];
    if (at % 2 === 1 || path === undefined) return [];
    const [before = "", after = "", blobBefore = "", blobAfter = ""] = word.slice(1).split(" ");
    return [{ path, now: side(before, blobBefore), wanted: side(after, blobAfter) }];
  });
}

const side = (mode: string, blob: string): Side | null => (mode === "000000" ? null : { mode, blob });
