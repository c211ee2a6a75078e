/**
 * Whether two paths of `Files` fields (files, folders, or patterns with `*`) may name the same file. Of a pattern, only
 * the part before its first `*` is compared.
 */
export const pathsOverlap = (one: string, other: string): boolean =>
  covers(one, stemOf(other).stem) || covers(other, stemOf(one).stem);

/**
 * Whether a path of a `Files` field covers another path: both name the same file, or the path of the field is a folder
 * above it, or a pattern whose part before `*` matches.
 */
export function covers(place: string, path: string): boolean {
  const { stem, isPattern } = stemOf(place);
  if (stem === "" || path === stem) return true;
  return path.startsWith(isPattern || stem.endsWith("/") ? stem : `${stem}/`);
}

/** Common start of all paths that a path of a `Files` field names; empty for the workspace itself. */
function stemOf(place: string): { readonly stem: string; readonly isPattern: boolean } {
  const star = place.indexOf("*");
  const stem = normal(star === -1 ? place : place.slice(0, star));
  return { stem, isPattern: star !== -1 };
}

/** Resolve `.`, `..` and repeated slashes; a `..` that leads outside is dropped, a trailing slash stays. */
function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  const joined = parts.join("/");
  return joined !== "" && path.endsWith("/") ? `${joined}/` : joined;
}

/**
 * Changed files that are not in a task's `Files` field.
 *
 * @param changed Paths from the workspace.
 * @param declared Paths of a `Files` field: files, folders, or patterns with `*`; if empty, nothing is undeclared.
 */
export const undeclaredFiles = (changed: readonly string[], declared: readonly string[]): readonly string[] =>
  declared.length === 0 ? [] : changed.filter((path) => !declared.some((place) => covers(place, path)));
