import { closeSync, existsSync, lstatSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { callGit } from "../call-git.ts";
import { readHead } from "../read-head.ts";
import { keepObjects } from "./keep-objects.ts";
import { split, utf8 } from "./split.ts";
import { type TreeStore, TreeUnknown } from "./tree-store.ts";

/** An index of our own over a workspace, which is kept between looks so that only what has changed is read. */
export interface TreeIndex {
  /** Take over what has changed, and name the content. @throws {TreeUnknown} */
  readonly look: (signal?: AbortSignal) => Promise<string>;
}

/**
 * Begin an index of a workspace: with what the user's repository tracks, so that tracked files that are ignored count,
 * and what has not changed is copied from its packs rather than compressed again.
 *
 * @throws {TreeUnknown}
 */
export async function openTreeIndex(store: TreeStore, signal?: AbortSignal): Promise<TreeIndex> {
  rmSync(store.index, { force: true });
  const kept = store.isSeeded ? await seed(store, signal) : [];
  const isKept = new Set(kept);
  /** Tracked files that are ignored and were not there: git would not list them when they are there again. */
  const gone = new Set<string>();
  let name: string | null = null;
  let isOwn = !store.isSeeded;
  return {
    look: async (signal) => {
      const listed = await listChanged(store, signal);
      const back = [...gone].filter((path) => isThere(store, path));
      // A file before what is below it: one may have taken the place of the other.
      const changed = [...listed, ...back].sort();
      if (changed.length === 0 && name !== null) return name;
      await take(store, changed, signal);
      if (changed.some((path) => path.split("/").at(-1) === ".gitignore")) {
        const ignored = split(await store.call(["ls-files", "-z", "-i", "-c", ...store.ignored], { signal }));
        await drop(
          store,
          ignored.filter((path) => !isKept.has(path)),
          signal,
        );
      }
      if (countOf(store.index) > store.mostFiles) throw tooMany(store);
      for (const path of back) gone.delete(path);
      for (const path of listed) if (isKept.has(path) && !isThere(store, path)) gone.add(path);
      if (!isOwn) await keepObjects(store, signal);
      isOwn = true;
      // What cannot be copied is found in the user's repository, as long as that has it.
      const tree = await store.call(["write-tree", "--missing-ok"], { signal });
      name = tree.trimEnd().slice(0, 40);
      return name;
    },
  };
}

/** Where the workspace is, for git; everywhere when it is the whole working tree. */
const pathsOf = ({ prefix }: TreeStore): string[] => (prefix === "" ? [] : [prefix.slice(0, -1)]);

const tooMany = ({ mostFiles }: TreeStore): TreeUnknown =>
  new TreeUnknown(`more than ${mostFiles} files below the workspace`, true);

/** @returns Tracked files that are ignored. */
async function seed(store: TreeStore, signal: AbortSignal | undefined): Promise<string[]> {
  const { call, top } = store;
  const cached = await callGit(["ls-files", "-s", "-z", "--", ...pathsOf(store)], {
    ...{ cwd: top, bytes: true },
    ...(signal !== undefined && { signal }),
  });
  const entries = split(cached?.exitCode === 0 ? cached.stdout : "").filter((entry) => /^\d+ \w+ 0\t/.test(entry));
  if (entries.length === 0) return [];
  await call(["update-index", "-z", "--index-info"], { stdin: join0(entries), signal });
  await drop(store, split(await call(["ls-files", "-z", "-i", "-c", ...store.own], { signal })), signal);
  if (countOf(store.index) > store.mostFiles) throw tooMany(store);
  // Learns by reading each file once that it is the one that is tracked.
  await call(["update-index", "-q", "--really-refresh"], { signal, codes: [0, 1] });
  return split(await call(["ls-files", "-z", "-i", "-c", ...store.ignored], { signal }));
}

/** Paths that the index does not have as they are now. */
async function listChanged(store: TreeStore, signal: AbortSignal | undefined): Promise<string[]> {
  const { call, top } = store;
  const listed = split(
    await call(["ls-files", "-z", "-o", "-m", ...store.ignored, "--", ...pathsOf(store)], { signal }),
  );
  if (listed.length > store.mostFiles) throw tooMany(store);
  if (bytesOf(store, listed) > store.mostBytes) {
    throw new TreeUnknown(`more than ${store.mostBytes} bytes in new and changed files`);
  }
  return listed.flatMap((path) => {
    if (!path.endsWith("/")) return [path];
    // Without a commit there is nothing to name a nested repository by.
    return readHead(join(top, utf8(path))).kind === "commit" ? [path.slice(0, -1)] : [];
  });
}

async function take({ call, index }: TreeStore, paths: readonly string[], signal: AbortSignal | undefined) {
  // Nobody else writes this index: a lock was left by a call of ours that was ended.
  rmSync(`${index}.lock`, { force: true });
  const how = ["--add", "--remove", "--replace", "-z", "--stdin"];
  await call(["update-index", ...how], { stdin: join0(paths), signal });
}

async function drop({ call, index }: TreeStore, paths: readonly string[], signal: AbortSignal | undefined) {
  if (paths.length === 0) return;
  rmSync(`${index}.lock`, { force: true });
  await call(["update-index", "--force-remove", "-z", "--stdin"], { stdin: join0(paths), signal });
}

/** How many entries an index has, from its header; one without entries may never have been written. */
function countOf(index: string): number {
  if (!existsSync(index)) return 0;
  const header = Buffer.alloc(12);
  const file = openSync(index, "r");
  try {
    readSync(file, header, 0, 12, 0);
  } finally {
    closeSync(file);
  }
  return header.readUInt32BE(8);
}

function bytesOf({ top }: TreeStore, paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + sizeOf(join(top, utf8(path))), 0);
}

function sizeOf(path: string): number {
  try {
    return lstatSync(path).size;
  } catch {
    // It is gone, or a file has taken the place of its folder.
    return 0;
  }
}

const isThere = ({ top }: TreeStore, path: string): boolean =>
  lstatSync(join(top, utf8(path)), { throwIfNoEntry: false }) !== undefined;

const join0 = (entries: readonly string[]): string => entries.map((entry) => `${entry}\0`).join("");
