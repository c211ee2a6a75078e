import { covers } from "./paths-overlap.ts";

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
