import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Restored } from "../../../ports/git.ts";
import { refused } from "../../files/refused.ts";
import { callGit } from "../call-git.ts";
import type { PathChange, Side } from "./changes-in.ts";
import { readBlobs, tooLarge } from "./read-blobs.ts";
import { below, draft, placeOf, split, type TreeStore, utf8 } from "./tree-store.ts";

/**
 * Restore files one by one to their state in another tree. All contents are read before the first change. Only a file
 * with the expected content is replaced or removed; links are not followed. The store's index must match the workspace.
 *
 * @throws {TreeUnknown} A content is missing: nothing was changed.
 * @throws {EnvironmentError} `file-refused`; a repeated call restores the remaining files.
 */
export async function restoreTree(store: TreeStore, changes: readonly PathChange[]): Promise<Restored> {
  const blobs = changes.flatMap(({ wanted }) => (wanted === null || isNested(wanted) ? [] : [wanted.blob]));
  const contents = await readBlobs(store, [...new Set(blobs)]);
  // Ask again: after a change of a `.gitignore` that is itself ignored, the index is still the same.
  let ignored = await ignoredIn(store);
  const done = { written: [] as string[], removed: [] as string[], left: [] as { path: string; why: string }[] };
  const restore = (change: PathChange): void =>
    refused("restore", below(store, change.path), () => {
      const { path, wanted } = change;
      const content = wanted === null ? undefined : contents.get(wanted.blob);
      const why = ignored.has(path)
        ? "it is ignored"
        : (hindrance(store, change) ?? (content === null ? tooLarge : null));
      if (why !== null) done.left.push({ path: below(store, path), why });
      else if (wanted === null) remove(store, placeOf(store, path));
      else write(store, placeOf(store, path), wanted, content ?? Buffer.alloc(0));
      if (why === null) done[wanted === null ? "removed" : "written"].push(below(store, path));
    });
  const { room, writes, rest } = inOrder(store, changes);
  for (const change of [...room, ...writes]) restore(change);
  // The restored ignore rules apply: files that they ignore are not work of an attempt.
  if (rest.length > 0 && changes.some(isRule)) ignored = await ignoredIn(store);
  for (const change of rest) restore(change);
  return done;
}

const isRule = ({ path }: PathChange): boolean => path.split("/").at(-1) === ".gitignore";

/**
 * First remove what blocks a new entry: a folder may replace a file, or two names may mean the same file because case
 * is ignored. Other removals wait for the ignore rules.
 */
function inOrder(
  { ignoresCase }: TreeStore,
  changes: readonly PathChange[],
): Record<"room" | "writes" | "rest", readonly PathChange[]> {
  const writes = changes.filter(({ wanted }) => wanted !== null);
  const places = new Set(writes.map(({ path }) => path));
  const folders = new Set(writes.flatMap(({ path }) => foldersOf(path)));
  const goes = changes.filter(({ wanted }) => wanted === null);
  const fileOf = (path: string): string => (ignoresCase ? utf8(path).normalize().toLowerCase() : path);
  const written = new Set(writes.map(({ path }) => fileOf(path)));
  const isFirst = (change: PathChange): boolean =>
    isRule(change) ||
    written.has(fileOf(change.path)) ||
    folders.has(change.path) ||
    foldersOf(change.path).some((folder) => places.has(folder));
  return { room: goes.filter(isFirst), writes, rest: goes.filter((change) => !isFirst(change)) };
}

/** Parent folders of a path, outermost first. */
const foldersOf = (path: string): string[] => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));

const isNested = ({ mode }: Side): boolean => mode === "160000";

/** Why a file must stay unchanged; null if it may be changed. */
function hindrance(store: TreeStore, { path, now, wanted }: PathChange): string | null {
  if ((now !== null && isNested(now)) || (wanted !== null && isNested(wanted))) return "it is another repository";
  for (const folder of foldersOf(path)) {
    const found = statOf(placeOf(store, folder));
    if (found === null) break;
    if (found.isSymbolicLink()) return "a link is in the way";
    if (!found.isDirectory()) return "a file is in the way";
  }
  const file = placeOf(store, path);
  const found = statOf(file);
  if (found === null) return null;
  if (found.isDirectory()) return isHollow(file) ? null : "a folder with unsaved files is in the way";
  if (now === null) return "an ignored file is in the way";
  return nameOf(file, found, now.blob.length) === now.blob ? null : "it was changed during the restore";
}

/** Whether a folder only contains folders, which git does not store. */
const isHollow = (folder: Buffer): boolean =>
  readdirSync(folder, { encoding: "buffer", withFileTypes: true }).every(
    (entry) => entry.isDirectory() && isHollow(Buffer.concat([folder, Buffer.from("/"), entry.name])),
  );

function statOf(path: Buffer): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  }
}

/** Git's hash of a file's content; empty if it has none. */
function nameOf(file: Buffer, found: Stats, length: number): string {
  const content = found.isSymbolicLink()
    ? readlinkSync(file, { encoding: "buffer" })
    : found.isFile()
      ? readFileSync(file)
      : null;
  if (content === null) return "";
  const hash = createHash(length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}

/** Remove a file, and the workspace folders that become empty. */
function remove(store: TreeStore, file: Buffer): void {
  const workspace = placeOf(store, Buffer.from(store.prefix).toString("latin1"));
  rmSync(file, { force: true });
  const parts = file.toString("latin1").split("/");
  for (let count = parts.length - 1; ; count -= 1) {
    const folder = Buffer.from(parts.slice(0, count).join("/"), "latin1");
    if (folder.length < workspace.length) return;
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function write({ hasModes }: TreeStore, file: Buffer, { mode }: Side, content: Buffer): void {
  const folder = Buffer.from(dirname(file.toString("latin1")), "latin1");
  mkdirSync(folder, { recursive: true });
  const temporary = Buffer.concat([folder, Buffer.from(`/${draft}`)]);
  rmSync(temporary, { force: true });
  const found = lstatSync(file, { throwIfNoEntry: false });
  try {
    if (mode === "120000") symlinkSync(content, temporary);
    else {
      writeFileSync(temporary, content, { flag: "wx" });
      const present = found?.isFile() === true ? found : lstatSync(temporary);
      const readable = present.mode & (hasModes ? 0o666 : 0o777);
      // Make the file executable for everyone who may read it.
      chmodSync(temporary, mode === "100755" ? readable | ((readable & 0o444) >> 2) : readable);
    }
    if (found?.isDirectory() === true) rmSync(file, { recursive: true });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Files of the index that the current rules ignore, except those tracked by the user's repository. */
async function ignoredIn({ call, ignored, isSeeded, top }: TreeStore): Promise<ReadonlySet<string>> {
  const listed = split(await call(["ls-files", "-z", "-i", "-c", ...ignored]));
  if (listed.length === 0 || !isSeeded) return new Set(listed);
  const end = await callGit(["ls-files", "-z"], { cwd: top, bytes: true });
  const tracked = new Set(split(end?.stdout ?? ""));
  return new Set(listed.filter((path) => !tracked.has(path)));
}
