import { closeSync, existsSync, lstatSync, openSync, readSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { callGit } from "../call-git.ts";
import { readHead } from "../read-head.ts";
import { keepObjects } from "./keep-objects.ts";
import { placeOf, split, utf8 } from "./split.ts";
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
  const tracked = new Set(store.isSeeded ? await seed(store, signal) : []);
  const ignored = async (signal?: AbortSignal): Promise<string[]> =>
    split(await store.call(["ls-files", "-z", "-i", "-c", ...store.ignored], { signal }));
  const kept = new Set(tracked.size === 0 ? [] : await ignored(signal));
  /** Tracked files that were not there: git would not list them when they are there again, and ignored. */
  const gone = new Set<string>();
  let name: string | null = null;
  let isOwn = !store.isSeeded;
  return {
    look: async (signal) => {
      const listed = await listChanged(store, signal);
      const isBehind = behindLinks(store);
      const isThere = (path: string): boolean => !isBehind(path) && statOf(store, path) !== null;
      if (listed.some(isRule)) for (const path of gone) kept.add(path);
      const back = [...kept].filter((path) => gone.has(path) && isThere(path));
      // A file before what is below it: one may have taken the place of the other.
      const changed = [...listed, ...back].sort();
      if (changed.length === 0 && name !== null) return name;
      await take(store, changed, isBehind, signal);
      if (changed.some(isRule)) {
        const found = await ignored(signal);
        for (const path of found) if (tracked.has(path)) kept.add(path);
        await drop(
          store,
          found.filter((path) => !tracked.has(path)),
          signal,
        );
      }
      if (countOf(store.index) > store.mostFiles) throw tooMany(store);
      for (const path of back) gone.delete(path);
      for (const path of [...kept, ...listed]) if (tracked.has(path) && !isThere(path)) gone.add(path);
      if (!isOwn) await keepObjects(store, signal);
      isOwn = true;
      // What cannot be copied is found in the user's repository, as long as that has it.
      const tree = await store.call(["write-tree", "--missing-ok"], { signal });
      name = tree.trimEnd().slice(0, 40);
      return name;
    },
  };
}

const isRule = (path: string): boolean => path.split("/").at(-1) === ".gitignore";

/** Where the workspace is, for git; everywhere when it is the whole working tree. */
const pathsOf = ({ prefix }: TreeStore): string[] => (prefix === "" ? [] : [prefix.slice(0, -1)]);

const tooMany = ({ mostFiles }: TreeStore): TreeUnknown =>
  new TreeUnknown(`more than ${mostFiles} files below the workspace`, true);

/** @returns Tracked files. */
async function seed(store: TreeStore, signal: AbortSignal | undefined): Promise<string[]> {
  const { call, top } = store;
  const cached = await callGit(["ls-files", "-s", "-z", "--", ...pathsOf(store)], {
    ...{ cwd: top, bytes: true },
    ...(signal !== undefined && { signal }),
  });
  // Of a file with a conflict one side: it is tracked.
  const entries = split(cached?.exitCode === 0 ? cached.stdout : "").map((entry) =>
    entry.replace(/^(\d+ \w+) [1-3]\t/, "$1 0\t"),
  );
  if (entries.length === 0) return [];
  await call(["update-index", "-z", "--index-info"], { stdin: join0(entries), signal });
  await drop(store, split(await call(["ls-files", "-z", "-i", "-c", ...store.own], { signal })), signal);
  if (countOf(store.index) > store.mostFiles) throw tooMany(store);
  // Learns by reading each file once that it is the one that is tracked.
  await call(["update-index", "-q", "--really-refresh"], { signal, codes: [0, 1] });
  return entries.map((entry) => entry.slice(entry.indexOf("\t") + 1));
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

async function take(
  store: TreeStore,
  paths: readonly string[],
  isBehind: (path: string) => boolean,
  signal: AbortSignal | undefined,
) {
  const { call, index } = store;
  // A link has taken the place of their folder: git refuses to look behind it.
  await drop(store, paths.filter(isBehind), signal);
  // Nobody else writes this index: a lock was left by a call of ours that was ended.
  rmSync(`${index}.lock`, { force: true });
  const how = ["--add", "--remove", "--replace", "-z", "--stdin"];
  await call(["update-index", ...how], { stdin: join0(paths.filter((path) => !isBehind(path))), signal });
}

/** Says of a path whether it lies behind a link. */
function behindLinks(store: TreeStore): (path: string) => boolean {
  const known = new Map([["", false]]);
  const isBehind = (path: string): boolean => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    const found = known.get(folder) ?? (isBehind(folder) || statOf(store, folder)?.isSymbolicLink() === true);
    known.set(folder, found);
    return found;
  };
  return isBehind;
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

const bytesOf = (store: TreeStore, paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + (statOf(store, path)?.size ?? 0), 0);

/** Null for what is gone, or when a file has taken the place of its folder. */
function statOf(store: TreeStore, path: string): Stats | null {
  try {
    return lstatSync(placeOf(store, path));
  } catch {
    return null;
  }
}

const join0 = (entries: readonly string[]): string => entries.map((entry) => `${entry}\0`).join("");
