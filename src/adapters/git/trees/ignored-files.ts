import { copyFileSync, lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { refused } from "../../files/refused.ts";
import { callGit } from "../call-git.ts";
import { readBlobs } from "./read-blobs.ts";
import { foldersOf, placeOf, split, type TreeStore } from "./tree-store.ts";

export const isRule = (path: string): boolean => path.split("/").at(-1) === ".gitignore";

/** List the files of the index that the current rules ignore, except files that the user's repository tracks. */
export const ignoredNow = (store: TreeStore): Promise<ReadonlySet<string>> => ignoredBelow(store, store.top);

/**
 * List the files of the index that the rules of a tree ignore, except files that the user's repository tracks. Outside
 * of the workspace, the current rules apply.
 *
 * @throws {TreeUnknown} if rules are no longer stored.
 */
export async function ignoredIn(store: TreeStore, tree: string): Promise<ReadonlySet<string>> {
  const top = `${store.index}-rules`;
  try {
    await writeRules(store, tree, top);
    return await ignoredBelow(store, top);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/** Write the ignore rules of a tree to a folder. Like git, skip rules that are links. */
async function writeRules(store: TreeStore, tree: string, top: string): Promise<void> {
  const entries = split(await store.call(["ls-tree", "-r", "-z", "--full-tree", tree], { all: true }));
  const rules = entries.flatMap((entry) => {
    const [, blob = "", path = ""] = /^100\d+ blob (\w+)\t(.*)$/s.exec(entry) ?? [];
    return isRule(path) ? [{ blob, path }] : [];
  });
  const contents = await readBlobs(store, [...new Set(rules.map(({ blob }) => blob))]);
  refused("write", top, () => {
    mkdirSync(top, { recursive: true });
    for (const { blob, path } of rules) {
      const file = placeOf({ top }, path);
      mkdirSync(Buffer.from(dirname(file.toString("latin1")), "latin1"), { recursive: true });
      writeFileSync(file, contents.get(blob) ?? "");
    }
    const above = foldersOf(store.prefix.slice(0, -1)).map((folder) => `${folder}/`);
    for (const folder of store.prefix === "" ? [] : ["", ...above]) {
      const [from, to] = [`${store.top}/${folder}.gitignore`, `${top}/${folder}.gitignore`];
      if (lstatSync(from, { throwIfNoEntry: false })?.isFile() !== true) continue;
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(from, to);
    }
  });
}

async function ignoredBelow(
  { call, ignored, isSeeded, top }: TreeStore,
  workTree: string,
): Promise<ReadonlySet<string>> {
  const listed = split(await call(["ls-files", "-z", "-i", "-c", ...ignored], { workTree }));
  if (listed.length === 0 || !isSeeded) return new Set(listed);
  const end = await callGit(["ls-files", "-z"], { cwd: top, bytes: true });
  const tracked = new Set(split(end?.stdout ?? ""));
  return new Set(listed.filter((path) => !tracked.has(path)));
}
