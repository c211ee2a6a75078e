import type { MergedTrees } from "../../../ports/trees.ts";
import { changesIn } from "./changes-in.ts";
import { below, split } from "./split.ts";
import type { TreeStore } from "./tree-store.ts";

/** A dummy author: these commits only let git find the common base. */
const author = ["-c", "user.name=fixpoint", "-c", "user.email=fixpoint"];

/**
 * Merge two trees with a common base, like git branches.
 *
 * @throws {TreeUnknown}
 */
export async function mergeTrees(store: TreeStore, base: string, ours: string, theirs: string): Promise<MergedTrees> {
  const { call } = store;
  const commit = async (tree: string, ...parents: readonly string[]): Promise<string> => {
    const words = ["commit-tree", tree, "-m", "fixpoint", ...parents.flatMap((parent) => ["-p", parent])];
    return (await call([...author, ...words], { all: true })).trim();
  };
  const common = await commit(base);
  const sides = [await commit(ours, common), await commit(theirs, common)];
  const how = ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z"];
  const [tree = "", ...paths] = split(await call([...how, ...sides], { all: true, codes: [0, 1] }));
  // In a conflict, git adds files that are named after a side.
  const beside = (await changesIn(store, ours, tree, [])).flatMap(({ path }) =>
    paths.length > 0 && sides.some((side) => path.includes(`~${side}`)) ? [path] : [],
  );
  return { tree, conflicts: [...new Set([...paths, ...beside].map((path) => below(store, path)))].sort() };
}
