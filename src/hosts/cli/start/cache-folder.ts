import { existsSync, lstatSync, mkdirSync, realpathSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, sep } from "node:path";

/** What only a working tree or a workspace has. */
const marks = [".git", "specs", "fixpoint.config.json"];

/**
 * This user's folder for compiled code, `$XDG_CACHE_HOME/fixpoint` or `~/.cache/fixpoint`: made where it is missing, and
 * used only if nobody else may write to it and neither the current folder nor a repository contains it. What is in it is
 * executed.
 *
 * @returns Null when there is none that is safe to use.
 * @throws What the file system says, such as for a home that cannot be written.
 */
export function cacheFolder(): string | null {
  const given = process.env["XDG_CACHE_HOME"] ?? "";
  const base = isAbsolute(given) ? given : join(homedir(), ".cache");
  const folder = join(base, "fixpoint");
  if (!existsSync(folder)) {
    // Nothing is made in a home of somebody else, as after sudo.
    if (!isOwn(lstatSync(realpathSync(nearestFolder(base))))) return null;
    make(base, 0o777);
    if (isInWorkspace(realpathSync(base))) return null;
    make(folder, 0o700);
  }
  const found = lstatSync(folder);
  const isSafe = found.isDirectory() && isOwn(found) && isClosed(found);
  return isSafe && !isInWorkspace(realpathSync(folder)) ? folder : null;
}

/** Whether it belongs to the user who runs this. Not known, and taken for true, where there are no users by number. */
export function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** Whether nobody but its owner may write to it. */
export function isClosed({ mode }: Stats): boolean {
  return process.getuid === undefined || (mode & 0o022) === 0;
}

/** One by one: made at once, `recursive`, a folder below `/proc` is tried for ever. */
function make(folder: string, mode: number): void {
  if (existsSync(folder)) return;
  make(dirname(folder), 0o777);
  mkdirSync(folder, { mode });
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function isInWorkspace(folder: string): boolean {
  const inward = relative(realpathSync(process.cwd()), folder);
  const isBelow = inward.split(sep)[0] !== ".." && !isAbsolute(inward);
  return isBelow || isBelowMark(folder);
}

function isBelowMark(folder: string): boolean {
  if (marks.some((mark) => existsSync(join(folder, mark)))) return true;
  return dirname(folder) !== folder && isBelowMark(dirname(folder));
}
