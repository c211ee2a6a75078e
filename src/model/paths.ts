/**
 * Whether two entries of `Files` fields (files, folders, or patterns with `*`) may name the same file. Only the text
 * before the first `*` is compared.
 */
export const pathsOverlap = (one: string, other: string): boolean =>
  covers(one, stemOf(other).stem) || covers(other, stemOf(one).stem);

/**
 * Whether an entry of a `Files` field names a path. The entry may be the path itself, a folder above it, or a pattern
 * if the path begins with the text before `*`.
 */
export function covers(place: string, path: string): boolean {
  const { stem, isPattern } = stemOf(place);
  if (stem === "" || path === stem) return true;
  return path.startsWith(isPattern || stem.endsWith("/") ? stem : `${stem}/`);
}

/** Text before the first `*` of an entry; empty for the whole workspace. */
function stemOf(place: string): { readonly stem: string; readonly isPattern: boolean } {
  const star = place.indexOf("*");
  const stem = normal(star === -1 ? place : place.slice(0, star));
  return { stem, isPattern: star !== -1 };
}

/** Resolve `.`, `..` and repeated slashes. A `..` above the workspace is dropped, and a trailing slash stays. */
function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  const joined = parts.join("/");
  return joined !== "" && path.endsWith("/") ? `${joined}/` : joined;
}

/** Join a folder and a path relative to it; a trailing slash is dropped. */
export const join = (folder: string, path: string): string => normal(`${folder}/${path}`).replace(/\/$/, "");

/**
 * Changed files that no entry of a task's `Files` field names.
 *
 * @param changed Paths relative to the workspace. @param declared Files, folders, or patterns with `*`. If empty, all
 * changes are allowed.
 */
export const undeclaredFiles = (changed: readonly string[], declared: readonly string[]): readonly string[] =>
  declared.length === 0 ? [] : changed.filter((path) => !declared.some((place) => covers(place, path)));
