import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { interpreted } from "../../../model/parse-json.ts";
import { hashText } from "../../../model/text.ts";
import { callGit } from "../call-git.ts";
import { readHead } from "../read-head.ts";
import { isRule } from "./ignored-files.ts";
import { keepObjects } from "./keep-objects.ts";
import { foldersOf, placeOf, split, type TreeStore, TreeUnknown, utf8 } from "./tree-store.ts";

/** A private index of a workspace, kept between calls of `look`, so that only changes are read. */
export interface TreeIndex {
  /** Update the index, and return the name of its tree. @throws {TreeUnknown} */
  readonly look: (signal?: AbortSignal) => Promise<string>;
  /** Save the index for the next start if it is complete. Must be the last call. */
  readonly close: () => void;
}

/**
 * Open an index of a workspace. The index starts with the user's tracked files: so it includes tracked files that are
 * ignored, and copies unchanged contents from packs instead of compressing them again. If the previous start saved its
 * index, unchanged files are not read again.
 *
 * @throws {TreeUnknown}
 */
export async function openTreeIndex(store: TreeStore, signal?: AbortSignal): Promise<TreeIndex> {
  const basis = await basisOf(store, signal);
  const previous = takePrevious(store, basis);
  const tracked = new Set(store.isSeeded ? await seed(store, previous !== null, signal) : []);
  /** Missing tracked files. Git does not list such a file when it appears again and is ignored. */
  const gone = new Set(previous?.missing);
  let name: string | null = null;
  let isOwn = !store.isSeeded || previous !== null;
  let isComplete = true;
  return {
    look: async (signal) => {
      const listed = await listChanged(store, signal);
      const isBehind = behindLinks(store);
      const isThere = (path: string): boolean => !isBehind(path) && isEntry(store, path);
      const back = [...gone].filter(isThere);
      // Sort, so that a file comes before entries below its path, which may have replaced it.
      const changed = [...new Set([...listed, ...back])].sort();
      if (changed.length === 0 && name !== null) return name;
      name = null;
      if (changed.length > 0 || previous === null) await take(store, changed, isBehind, signal);
      if (changed.some(isRule)) {
        const ignored = split(await store.call(["ls-files", "-z", "-i", "-c", ...store.ignored], { signal }));
        await drop(
          store,
          ignored.filter((path) => !tracked.has(path)),
          signal,
        );
      }
      if (countOf(store.index) > store.mostFiles) throw tooMany(store);
      for (const path of back) gone.delete(path);
      // If a link has replaced the folder of a file, and leads to an equal file, git does not list the file.
      const isListed = new Set(listed);
      for (const path of tracked)
        if ([path, ...foldersOf(path)].some((one) => isListed.has(one)) && !isThere(path)) gone.add(path);
      if (!isOwn) isComplete = await keepObjects(store, signal);
      isOwn = true;
      // If an object was not copied, git reads it in the user's repository while it exists there.
      const tree = await store.call(["write-tree", "--missing-ok"], { signal });
      name = tree.trimEnd().slice(0, 40);
      return name;
    },
    close: () => {
      const isLeft = store.nextIndex !== null && name !== null && isComplete;
      if (isLeft) handOn(store, store.nextIndex, { basis, missing: [...gone] });
      else rmSync(store.index, { force: true });
    },
  };
}

const IndexNotes = z.object({
  /** Hash of the rules and lists that decide which files are included. */
  basis: z.string(),
  missing: z.array(z.string()),
});
type IndexNotes = z.infer<typeof IndexNotes>;

/** Save an index for the next start. If a start is interrupted and saves no index, the next start reads all files. */
function handOn({ index }: TreeStore, path: string, notes: IndexNotes): void {
  if (!existsSync(index)) return;
  writeFileSync(`${path}.json`, JSON.stringify(notes));
  renameSync(index, path);
}

/**
 * Take the index of the previous start; null if that index is not usable. The rename ensures that only one process
 * takes the index.
 */
function takePrevious({ index, nextIndex }: TreeStore, basis: string): IndexNotes | null {
  rmSync(index, { force: true });
  try {
    if (nextIndex === null) return null;
    renameSync(nextIndex, index);
    const notes = IndexNotes.parse(JSON.parse(readFileSync(`${nextIndex}.json`, "utf8")), interpreted);
    if (notes.basis === basis) return notes;
  } catch {
    // Without a readable index, read all files.
  }
  rmSync(index, { force: true });
  return null;
}

/**
 * Hash the rules outside `.gitignore` files, and the list of tracked files that are ignored: git reports no change of
 * these rules and files.
 */
async function basisOf({ ignored, isSeeded, rules, top }: TreeStore, signal: AbortSignal | undefined): Promise<string> {
  const how = { cwd: top, bytes: true, ...(signal !== undefined && { signal }) };
  const tracked = isSeeded ? await callGit(["ls-files", "-z", "-i", "-c", "--exclude-standard"], how) : null;
  const texts = rules.map((path) => (statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : ""));
  return hashText([...ignored, ...texts, tracked?.stdout ?? ""].join("\0"));
}

const pathsOf = ({ prefix }: TreeStore): string[] => (prefix === "" ? [] : [prefix.slice(0, -1)]);

const tooMany = ({ mostFiles }: TreeStore): TreeUnknown =>
  new TreeUnknown(`more than ${mostFiles} files below the workspace`, true);

/**
 * Add the user's tracked files to the index. @param isHeld Whether the index already has these files. @returns Tracked
 * files.
 */
async function seed(store: TreeStore, isHeld: boolean, signal: AbortSignal | undefined): Promise<string[]> {
  const { call, top } = store;
  const cached = await callGit(["ls-files", "-s", "-z", "--", ...pathsOf(store)], {
    ...{ cwd: top, bytes: true },
    ...(signal !== undefined && { signal }),
  });
  // Take one side of a file with a conflict: the index only needs to list the file.
  const entries = split(cached?.exitCode === 0 ? cached.stdout : "").map((entry) =>
    entry.replace(/^(\d+ \w+) [1-3]\t/, "$1 0\t"),
  );
  const tracked = entries.map((entry) => entry.slice(entry.indexOf("\t") + 1));
  if (entries.length === 0 || isHeld) return tracked;
  await call(["update-index", "-z", "--index-info"], { stdin: join0(entries), signal });
  await drop(store, split(await call(["ls-files", "-z", "-i", "-c", ...store.own], { signal })), signal);
  if (countOf(store.index) > store.mostFiles) throw tooMany(store);
  // Read each file once to check whether it equals the tracked version.
  await call(["update-index", "-q", "--really-refresh"], { signal, codes: [0, 1] });
  return tracked;
}

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
    // Keep only nested repositories with a commit, whose hash identifies their content.
    return readHead(join(top, utf8(path))).kind === "commit" ? [path.slice(0, -1)] : [];
  });
}

/** Return whether git can list a path: a file, a link or a nested repository, but no other folder. */
function isEntry(store: TreeStore, path: string): boolean {
  const found = statOf(store, path);
  return found !== null && (!found.isDirectory() || statOf(store, `${path}/.git`) !== null);
}

async function take(
  store: TreeStore,
  paths: readonly string[],
  isBehind: (path: string) => boolean,
  signal: AbortSignal | undefined,
) {
  const { call, index } = store;
  // Drop paths whose folder was replaced by a link, which git refuses to follow.
  await drop(store, paths.filter(isBehind), signal);
  // Only this process writes the index, so an aborted call has left the lock.
  rmSync(`${index}.lock`, { force: true });
  const how = ["--add", "--remove", "--replace", "-z", "--stdin"];
  await call(["update-index", ...how], { stdin: join0(paths.filter((path) => !isBehind(path))), signal });
}

/** Return a function that tests whether a folder in a path is a link. */
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

/** Read the number of entries in the header of an index. The file may be missing if the index never had entries. */
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

function statOf(store: TreeStore, path: string): Stats | null {
  try {
    return lstatSync(placeOf(store, path));
  } catch {
    return null;
  }
}

const join0 = (entries: readonly string[]): string => entries.map((entry) => `${entry}\0`).join("");
