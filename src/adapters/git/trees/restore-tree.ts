import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
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
import type { Restored } from "../../../ports/trees.ts";
import { refused } from "../../files/refused.ts";
import type { PathChange, Side } from "./changes-in.ts";
import { readBlobs, tooLarge } from "./read-blobs.ts";
import { below } from "./split.ts";
import type { TreeStore } from "./tree-store.ts";

/** The file that is written before it takes the place of another. */
const draft = ".fixpoint-restore.tmp";

/**
 * Make files as they were in another tree, one by one. All contents are read before the first file is touched. Only a
 * file whose content is the one that was looked at is replaced or removed; no link is followed.
 *
 * @throws {TreeUnknown} A content is not kept: nothing was changed.
 * @throws {EnvironmentError} `file-refused`: what was not reached can be restored by another call.
 */
export async function restoreTree(store: TreeStore, changes: readonly PathChange[]): Promise<Restored> {
  const blobs = changes.flatMap(({ wanted }) => (wanted === null || isNested(wanted) ? [] : [wanted.blob]));
  const contents = await readBlobs(store, [...new Set(blobs)]);
  const done = { written: [] as string[], removed: [] as string[], left: [] as { path: string; why: string }[] };
  // What goes makes room for what comes: a folder may take the place of a file.
  for (const change of changes.toSorted((one, other) => Number(one.wanted !== null) - Number(other.wanted !== null))) {
    const path = Buffer.from(change.path, "latin1");
    const content = change.wanted === null ? undefined : contents.get(change.wanted.blob);
    const found = refused("restore", below(store, change.path), () => hindrance(store.top, change));
    const why = found ?? (content === null ? tooLarge : null);
    if (why !== null) {
      done.left.push({ path: below(store, change.path), why });
      continue;
    }
    const file = Buffer.concat([Buffer.from(`${store.top}/`), path]);
    refused("restore", below(store, change.path), () => {
      if (change.wanted === null) remove(store.top, file);
      else write(file, change.wanted, content ?? Buffer.alloc(0));
    });
    done[change.wanted === null ? "removed" : "written"].push(below(store, change.path));
  }
  return done;
}

const isNested = ({ mode }: Side): boolean => mode === "160000";

/** Why a file is left as it is; null where it may be changed. */
function hindrance(top: string, { path, now, wanted }: PathChange): string | null {
  if ((now !== null && isNested(now)) || (wanted !== null && isNested(wanted))) return "it is another repository";
  const parts = path.split("/");
  for (let count = 1; count < parts.length; count += 1) {
    const found = statOf(top, parts.slice(0, count).join("/"));
    if (found === null) break;
    if (found.isSymbolicLink()) return "a link stands in its way";
    if (!found.isDirectory()) return "a file stands in its way";
  }
  const found = statOf(top, path);
  if (found === null) return null;
  if (found.isDirectory()) return "a folder with files that are not kept stands there";
  if (now === null) return "a file that is ignored stands there";
  return nameOf(bytesPath(top, path), found, now.blob.length) === now.blob ? null : "it was changed at that moment";
}

const bytesPath = (top: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${top}/`), Buffer.from(path, "latin1")]);

function statOf(top: string, path: string): Stats | null {
  try {
    return lstatSync(bytesPath(top, path));
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  }
}

/** The name that git gives the content of a file; empty for what has none. */
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

/** Remove a file, and the folders that are empty without it. */
function remove(top: string, file: Buffer): void {
  rmSync(file, { force: true });
  const parts = file.toString("latin1").split("/");
  for (let count = parts.length - 1; ; count -= 1) {
    const folder = Buffer.from(parts.slice(0, count).join("/"), "latin1");
    if (folder.length <= Buffer.byteLength(top)) return;
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function write(file: Buffer, { mode }: Side, content: Buffer): void {
  const folder = Buffer.from(dirname(file.toString("latin1")), "latin1");
  mkdirSync(folder, { recursive: true });
  const temporary = Buffer.concat([folder, Buffer.from(`/${draft}`)]);
  rmSync(temporary, { force: true });
  const found = lstatSync(file, { throwIfNoEntry: false });
  try {
    if (mode === "120000") symlinkSync(content, temporary);
    else {
      writeFileSync(temporary, content, { flag: "wx" });
      const readable = (found?.isFile() === true ? found : lstatSync(temporary)).mode & 0o666;
      // Whoever may read it may run it.
      chmodSync(temporary, mode === "100755" ? readable | ((readable & 0o444) >> 2) : readable);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
