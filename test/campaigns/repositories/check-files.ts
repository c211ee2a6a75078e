import { ignoredBy, type recordOf } from "./record-files.mjs";

export type Recorded = ReturnType<typeof recordOf>;

function seenByGit({ files }: Recorded, path: string): string | null {
  const [kind = "", mode = "", hash = ""] = files[path]?.split(" ") ?? [];
  if (kind === "file") return `${(Number.parseInt(mode, 8) & 0o100) === 0 ? "file" : "program"} ${hash}`;
  return files[path] ?? null;
}

function keptIn(recorded: Recorded): (path: string) => string | null {
  const kept = new Set(recorded.kept);
  return (path) => (kept.has(path) ? seenByGit(recorded, path) : null);
}

const isEmptyFolder = (path: string): boolean => path.endsWith("/");

export function changedBetween(one: Recorded, other: Recorded): ReadonlySet<string> {
  const [before, after] = [keptIn(one), keptIn(other)];
  return new Set([...one.kept, ...other.kept].filter((path) => before(path) !== after(path)));
}

function isBelowLostRules({ files, kept }: Recorded, path: string): boolean {
  const folders = ["", ...[...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1))];
  return folders.some((folder) => files[`${folder}.gitignore`] !== undefined && !kept.includes(`${folder}.gitignore`));
}

/**
 * Like `now`, except that a path in `changed` has this git entry, or is missing for null. A path in `mayStay` may also
 * stay as in `now`.
 */
export interface Expected {
  readonly now: Recorded;
  readonly changed: ReadonlyMap<string, string | null>;
  readonly mayStay?: ReadonlySet<string>;
}

export function putBack(now: Recorded, wanted: Recorded, mayTouch: (path: string) => boolean = () => true): Expected {
  const [present, past] = [keptIn(now), keptIn(wanted)];
  const paths = [...changedBetween(now, wanted)].filter(mayTouch).sort();
  const changed = new Map<string, string | null>();
  const there = new Set(Object.keys(now.files).filter((path) => !isEmptyFolder(path)));
  for (const path of paths) {
    // A file that was ignored in `wanted` belongs to the user, and stays.
    if (past(path) !== null) continue;
    if (wanted.files[path] !== undefined && !isBelowLostRules(wanted, path)) continue;
    there.delete(path);
    changed.set(path, null);
  }
  for (const path of paths) {
    if (past(path) === null) continue;
    const parents = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
    const isFolder = [...there].some((other) => other.startsWith(`${path}/`));
    if (isFolder || parents.some((parent) => there.has(parent))) continue;
    if (there.has(path) && present(path) === null) continue;
    there.add(path);
    changed.set(path, past(path));
  }
  // A restore cannot distinguish a file that the rules of `wanted` ignore from a file of the user.
  const gone = [...changed].flatMap(([path, entry]) => (entry === null ? [path] : []));
  return { now, changed, mayStay: gone.length === 0 ? new Set() : ignoredBy(wanted.rules, gone) };
}

export function differences(found: Recorded, { now, changed, mayStay }: Expected, when: string): string[] {
  const kept = new Set(found.kept);
  const paths = new Set([...Object.keys(found.files), ...Object.keys(now.files), ...changed.keys()]);
  return [...paths].flatMap((path) => {
    if (isEmptyFolder(path))
      return emptyFolderLost(path, found, now, changed) ? [tell(when, path, "is gone", "empty")] : [];
    const is = found.files[path];
    if (!changed.has(path)) return is === now.files[path] ? [] : [tell(when, path, is, now.files[path])];
    const expected = changed.get(path) ?? null;
    if (seenByGit(found, path) === expected) return [];
    if (expected === null && is === now.files[path] && (mayStay?.has(path) || !kept.has(path))) return [];
    return [tell(when, path, is, expected)];
  });
}

export function tornFiles(found: Recorded, { now, changed }: Expected, when: string): string[] {
  const paths = new Set([...Object.keys(found.files), ...Object.keys(now.files), ...changed.keys()]);
  return [...paths].flatMap((path) => {
    if (isEmptyFolder(path)) return [];
    const is = seenByGit(found, path);
    if (is === seenByGit(now, path) || (changed.has(path) && is === changed.get(path))) return [];
    return [tell(when, path, is, `${now.files[path]} or ${changed.get(path)}`)];
  });
}

function emptyFolderLost(path: string, found: Recorded, now: Recorded, changed: Expected["changed"]): boolean {
  if (now.files[path] === undefined || found.files[path] !== undefined) return false;
  return ![...changed.keys()].some((other) => other.startsWith(path) || path.startsWith(`${other}/`));
}

const tell = (when: string, path: string, is: unknown, expected: unknown): string =>
  `${when}: ${JSON.stringify(path)} is ${is ?? "not there"}, expected ${expected ?? "none"}`;
