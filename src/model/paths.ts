/**
 * Whether two paths as Files names them, files, folders or patterns with `*`, may name the same file. Of a pattern
 * what stands before its first `*` counts.
 */
export const pathsOverlap = (one: string, other: string): boolean =>
  covers(one, stemOf(other).stem) || covers(other, stemOf(one).stem);

/** Whether a path lies in what Files names: it is that file, or one in that folder, or begins like that pattern. */
export function covers(place: string, path: string): boolean {
  const { stem, isPattern } = stemOf(place);
  if (stem === "" || path === stem) return true;
  return path.startsWith(isPattern || stem.endsWith("/") ? stem : `${stem}/`);
}

/** What all that a path names begins with; empty for the workspace itself. */
function stemOf(place: string): { readonly stem: string; readonly isPattern: boolean } {
  const star = place.indexOf("*");
  const stem = normal(star === -1 ? place : place.slice(0, star));
  return { stem, isPattern: star !== -1 };
}

/** Without `.`, `..` and repeated slashes, where they lead out of nothing; a slash at the end stays. */
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
 * Changed files that a task's Files do not name.
 *
 * @param changed Paths from the workspace.
 * @param declared Paths as Files names them: files, folders, or patterns with `*`; with none nothing is undeclared.
 * @param own Folder of the spec, from the workspace: what lies in it is not asked for; null when it lies elsewhere.
 */
export function undeclaredFiles(
  changed: readonly string[],
  declared: readonly string[],
  own: string | null,
): readonly string[] {
  if (declared.length === 0) return [];
  const places = own === null ? declared : [...declared, own];
  return changed.filter((path) => !places.some((place) => covers(place, path)));
}
