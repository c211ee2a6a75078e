import { existsSync, readFileSync } from "node:fs";
import type { Restored } from "../../../ports/git.ts";
import { diffTrees } from "./diff-trees.ts";
import { restoreTree } from "./restore-tree.ts";
import { openTreeIndex } from "./tree-index.ts";
import { below, openTreeStore, split, workspaceNote } from "./tree-store.ts";

interface TreeStat {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Stored trees of a run's workspace. All functions throw `TreeUnknown` if git cannot answer. */
export interface Snapshots {
  readonly workspace: string;
  has(tree: string): Promise<boolean>;
  now(): Promise<string>;
  stat(from: string, to: string): Promise<TreeStat>;
  /** Make a unified diff, with one character per byte. Omits the lines of files above 8 MiB. */
  diff(from: string, to: string): Promise<string>;
  save(tree: string): Promise<number>;
  saved(number: number): Promise<string | null>;
  /**
   * Write and remove files so that the workspace matches a tree.
   *
   * @param from Name of the current content.
   * @param files Files and folders, relative to the workspace; all if empty.
   */
  restore(from: string, to: string, files: readonly string[]): Promise<Restored>;
  differing(from: string, to: string, files: readonly string[]): Promise<readonly string[]>;
}

/** Above this size, a diff only says that a file differs: its lines might exceed the limit of git's output. */
const largest = ["-c", "core.bigFileThreshold=8m"];

/**
 * Open the store of a run, ended or not; null if the run has none.
 *
 * @param folder Absolute folder of the store.
 * @throws {TreeUnknown}
 */
export async function openSnapshots(folder: string, specFolder: string): Promise<Snapshots | null> {
  const note = workspaceNote(folder);
  if (!existsSync(note)) return null;
  const workspace = readFileSync(note, "utf8");
  const store = await openTreeStore({ workspace, specFolder, folder });
  const { call } = store;
  const changes = (from: string, to: string, files: readonly string[]) => diffTrees(store, from, to, files);
  const compare = (how: string[], from: string, to: string): Promise<string> =>
    call([...largest, "diff-tree", "-r", ...how, from, to, "--", ...(store.prefix === "" ? [] : [store.prefix])], {
      all: true,
    });
  return {
    workspace,
    has: async (tree) => (await call(["cat-file", "-t", tree], { codes: [0, 128] })).trim() === "tree",
    // Leave the saved index to the next start.
    now: async () => (await openTreeIndex({ ...store, nextIndex: null })).look(),
    stat: async (from, to) => {
      const lines = split(await compare(["--numstat", "--no-renames", "-z"], from, to));
      const counts = lines.map((line) => line.split("\t", 2).map((count) => Number(count) || 0));
      const sum = (column: number): number => counts.reduce((total, row) => total + (row[column] ?? 0), 0);
      return { files: lines.length, added: sum(0), removed: sum(1) };
    },
    diff: (from, to) => compare(["-p", "-M", "--no-color", "--no-ext-diff", "--no-textconv"], from, to),
    save: async (tree) => {
      const numbers = (await call(["for-each-ref", "--format=%(refname:lstrip=2)", "refs/saved"])).split("\n");
      const number = Math.max(0, ...numbers.map(Number)) + 1;
      await call(["update-ref", `refs/saved/${number}`, tree]);
      return number;
    },
    saved: async (number) => {
      const found = await call(["rev-parse", "-q", "--verify", `refs/saved/${number}`], { codes: [0, 1] });
      return found === "" ? null : found.trim();
    },
    differing: async (from, to, files) => (await changes(from, to, files)).map(({ path }) => below(store, path)),
    restore: async (from, to, files) => restoreTree(store, to, await changes(from, to, files)),
  };
}
