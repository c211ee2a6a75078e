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
import type { PathChange, Side } from "./diff-trees.ts";
import { ignoredIn, ignoredNow, isRule } from "./ignored-files.ts";
import { readBlobs, tooLarge } from "./read-blobs.ts";
import { below, draft, foldersOf, placeOf, type TreeStore, utf8 } from "./tree-store.ts";

/**
 * Restore files one by one to their state in another tree. Reads all contents before the first change. Replaces or
 * removes only a file with the expected content, and does not follow links. The store's index must match the workspace.
 *
 * @param to Name of the other tree.
 * @param changes The differences to restore, all or some.
 * @throws {TreeUnknown} if a content is missing; then nothing was changed.
 * @throws {EnvironmentError} `file-refused`; a repeated call restores the remaining files.
 */
export async function restoreTree(store: TreeStore, to: string, changes: readonly PathChange[]): Promise<Restored> {
  const blobs = changes.flatMap(({ wanted }) => (wanted === null || isNested(wanted) ? [] : [wanted.blob]));
  const contents = await readBlobs(store, [...new Set(blobs)]);
  const { room, rules, writes, rest } = inOrder(store, changes);
  // Do not rely on the index: it does not show a change of a `.gitignore` that is itself ignored.
  let ignored = await ignoredNow(store);
  // Skip files that the rules of the other tree ignore: such files may have existed, although the tree does not contain
  // them.
  const then = rules.length + rest.length > 0 ? await ignoredIn(store, to) : none;
  const done = { written: [] as string[], removed: [] as string[], left: [] as { path: string; why: string }[] };
  const restore = (change: PathChange, ignoredThen = none): void =>
    refused("restore", below(store, change.path), () => {
      const { path, wanted } = change;
      const content = wanted === null ? undefined : contents.get(wanted.blob);
      const rule = ignored.has(path)
        ? "it is ignored"
        : ignoredThen.has(path)
          ? "it was ignored in the state to restore"
          : null;
      const why = rule ?? hindrance(store, change) ?? (content === null ? tooLarge : null);
      if (why !== null) done.left.push({ path: below(store, path), why });
      else if (wanted === null) remove(store, placeOf(store, path));
      else write(store, placeOf(store, path), wanted, content ?? Buffer.alloc(0));
      if (why === null) done[wanted === null ? "removed" : "written"].push(below(store, path));
    });
  for (const change of room) restore(change);
  for (const change of rules) restore(change, then);
  for (const change of writes) restore(change);
  // Ask git again: restored and existing rules may together ignore more files.
  if (rest.length > 0 && changes.some(({ path }) => isRule(path))) ignored = await ignoredNow(store);
  for (const change of rest) restore(change, then);
  return done;
}

const none: ReadonlySet<string> = new Set();

/**
 * First remove files that block a new entry: a folder may replace a file, or two names may differ only in case on a
 * file system that ignores case. Then restore the ignore rules. Remove other files last.
 */
function inOrder(
  { ignoresCase }: TreeStore,
  changes: readonly PathChange[],
): Record<"room" | "rules" | "writes" | "rest", readonly PathChange[]> {
  const writes = changes.filter(({ wanted }) => wanted !== null);
  const places = new Set(writes.map(({ path }) => path));
  const folders = new Set(writes.flatMap(({ path }) => foldersOf(path)));
  const fileOf = (path: string): string => (ignoresCase ? utf8(path).normalize().toLowerCase() : path);
  const written = new Set(writes.map(({ path }) => fileOf(path)));
  const blocks = ({ path }: PathChange): boolean =>
    written.has(fileOf(path)) || folders.has(path) || foldersOf(path).some((folder) => places.has(folder));
  const goes = changes.filter(({ wanted }) => wanted === null);
  const others = goes.filter((change) => !blocks(change));
  return {
    room: goes.filter(blocks),
    rules: others.filter(({ path }) => isRule(path)),
    writes,
    rest: others.filter(({ path }) => !isRule(path)),
  };
}

const isNested = ({ mode }: Side): boolean => mode === "160000";

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
  if (found.isDirectory()) return isHollow(file) ? null : "a folder that still contains files is in the way";
  if (now === null) return "an ignored file is in the way";
  return nameOf(file, found, now.blob.length) === now.blob ? null : "it was changed during the restore";
}

/** Return whether a folder contains only folders, which git does not store, and temporary files of a killed restore. */
const isHollow = (folder: Buffer): boolean =>
  readdirSync(folder, { encoding: "buffer", withFileTypes: true }).every((entry) =>
    entry.isDirectory()
      ? isHollow(Buffer.concat([folder, Buffer.from("/"), entry.name]))
      : entry.name.toString("latin1") === draft,
  );

function statOf(path: Buffer): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  }
}

/** Return git's hash of a file's content; empty for an entry without content, such as a folder. */
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
