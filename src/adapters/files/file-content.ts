import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";

export type FileContent =
  | { readonly kind: "missing" }
  | { readonly kind: "folder" }
  | { readonly kind: "file"; readonly executable: boolean; readonly bytes: Buffer }
  /** A link is not followed: `bytes` is its target path. */
  | { readonly kind: "link"; readonly bytes: Buffer }
  /** The content is too large, unreadable, or not that of a file. `changedAt` is in milliseconds since 1970. */
  | { readonly kind: "unread"; readonly size: number; readonly changedAt: number };

const maxFiles = 5000;
const maxFileBytes = 16 * 1024 * 1024;
const maxBytes = 256 * 1024 * 1024;

/** Make a reader with limits on files and bytes, for one scan. Content above the limits stays unread. Never throws. */
export function fileReader(): (path: string) => FileContent {
  let filesLeft = maxFiles;
  let bytesLeft = maxBytes;
  return (path) => {
    const found = lookAt(path);
    if (found === "missing") return { kind: "missing" };
    if (found === "hidden") return { kind: "unread", size: 0, changedAt: 0 };
    if (found.isDirectory()) return { kind: "folder" };
    filesLeft -= 1;
    const isKept = filesLeft >= 0 && found.size <= Math.min(maxFileBytes, bytesLeft);
    const content = isKept ? readContent(path, found) : null;
    if (content === null) return { kind: "unread", size: found.size, changedAt: found.mtimeMs };
    bytesLeft -= content.bytes.length;
    return content;
  };
}

/** Equal hashes mean equal contents. */
export function markOf(content: FileContent): string {
  if (content.kind === "missing" || content.kind === "folder") return content.kind;
  if (content.kind === "unread") return `unread:${content.size}:${content.changedAt}`;
  const hash = createHash("sha256").update(content.bytes).digest("hex");
  return `${content.kind === "file" && content.executable ? "program" : content.kind}:${hash}`;
}

export const markLine = (path: string, content: FileContent): string => `${JSON.stringify(path)} ${markOf(content)}`;

function lookAt(path: string): Stats | "missing" | "hidden" {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? "missing";
  } catch {
    return "hidden";
  }
}

function readContent(path: string, found: Stats): Extract<FileContent, { bytes: Buffer }> | null {
  try {
    if (found.isSymbolicLink()) return { kind: "link", bytes: readlinkSync(path, "buffer") };
    return found.isFile() ? readRegular(path) : null;
  } catch {
    return null;
  }
}

/** Read without following a link or blocking on a pipe: the file may have been replaced since the check. */
function readRegular(path: string): Extract<FileContent, { kind: "file" }> | null {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > maxFileBytes) return null;
    return { kind: "file", executable: (found.mode & 0o100) !== 0, bytes: readFileSync(file) };
  } finally {
    closeSync(file);
  }
}

const maxBelow = 1000;
const passedOver = new Set(["node_modules", ".git"]);

/**
 * List the first 1000 regular files below a folder, sorted by name. Links are not followed; unreadable folders are
 * skipped.
 *
 * @param isLeftOut Whether to ignore a file or folder, by absolute path.
 */
export function filesBelow(folder: string, isLeftOut: (path: string) => boolean): string[] {
  const files: string[] = [];
  for (const path of entriesBelow(folder, isLeftOut)) {
    if (path !== null) files.push(path);
    if (files.length === maxBelow) break;
  }
  return files;
}

/**
 * List all entries below a folder, in the order of `filesBelow`. Yields the path of a regular file, and null for any
 * other entry.
 */
export function* entriesBelow(folder: string, isLeftOut: (path: string) => boolean): Generator<string | null> {
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const inside: string[] = [];
    for (const entry of list(at)) {
      const path = join(at, entry.name);
      if (passedOver.has(entry.name) || isLeftOut(path)) continue;
      if (entry.isDirectory()) inside.unshift(path);
      yield entry.isFile() ? path : null;
    }
    for (const path of inside) folders.push(path);
  }
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
