import { fileReader, markLine } from "./file-content.ts";
import { entriesBelow } from "./files-below.ts";

/** How much is looked at to tell the state of a workspace. */
export interface LookLimits {
  /** Files, folders and whatever else there is. */
  readonly entries: number;
  readonly milliseconds: number;
  /** Milliseconds since any moment. */
  readonly now: () => number;
}

/** An attempt has two looks: before it and behind it. */
export const lookLimits: LookLimits = { entries: 20_000, milliseconds: 50, now: () => performance.now() };

/**
 * Mark the state of every file below a workspace.
 *
 * @param isLeftOut Whether a file or folder does not count, by its absolute path.
 * @returns A line for each file; null when there is more than the limits allow.
 */
export function workspaceMarks(
  workspace: string,
  isLeftOut: (path: string) => boolean,
  { entries, milliseconds, now }: LookLimits,
): string[] | null {
  const read = fileReader();
  const end = now() + milliseconds;
  const marks: string[] = [];
  let left = entries;
  for (const path of entriesBelow(workspace, isLeftOut)) {
    if (left === 0 || now() > end) return null;
    left -= 1;
    if (path !== null) marks.push(markLine(path, read(path)));
  }
  return marks;
}
