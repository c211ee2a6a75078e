import { InputError } from "./errors.ts";
import type { TaskId } from "./task.ts";
import { hashText } from "./text.ts";

/** Maximum length of a part in characters: file systems allow 255 bytes per name, and a name has several parts. */
const longest = 100;
/** Number of characters that a cut part keeps before its hash. */
const kept = 80;

/**
 * Encode a text as a part of a file name. Special path characters are percent-encoded; a long text is cut to 80
 * characters and a hash. Equal texts give equal parts.
 */
export function fileNamePart(text: string): string {
  const part = text.replace(/[^A-Za-z0-9._#-]/gu, encoded);
  return part.length <= longest ? part : `${part.slice(0, kept)}~${hashText(text)}`;
}

const encoded = (character: string): string =>
  Array.from(
    new TextEncoder().encode(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");

/**
 * Check that a name is a file name for the spec folder, such as `design.md`.
 *
 * @throws {InputError} `bad-artifact-name`
 */
export function checkArtifactName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return;
  throw new InputError(`Cannot read artifact \`${name}\`, expected the name of a file`, {
    code: "bad-artifact-name",
    hint: "Name a file of the spec's own folder, as in `design.md`.",
  });
}

export const progressName = (member?: TaskId): string =>
  member === undefined ? ".progress.md" : `${start}${fileNamePart(member)}${end}`;

/**
 * Find the batch member whose progress log has this file name. Null for other files, and for ids that need encoding.
 */
export function memberIn(name: string): TaskId | null {
  const member = name.slice(start.length, -end.length);
  return member !== "" && name === progressName(member) ? member : null;
}

/** Names of files that a run writes in a spec folder; `*` stands for any text. */
export const keptNames = ["tasks.md", ".progress*.md", ".ralph-state.json", "stuck-report.md", "SUMMARY.md"];

/**
 * Whether a file belongs to the spec and not to the work of an attempt. This is true for all files in the spec folder.
 * If the workspace is the spec folder or inside it, this is true only for files that a run writes in the spec folder.
 *
 * @param path Path relative to the workspace.
 */
export function isOfSpec(
  path: string,
  { workspace, spec }: { readonly workspace: string; readonly spec: string },
): boolean {
  const full = `${workspace}/${path}`;
  if (!full.startsWith(`${spec}/`)) return false;
  if (workspace !== spec && !workspace.startsWith(`${spec}/`)) return true;
  const name = full.slice(spec.length + 1);
  return keptNames.some((kept) => {
    const [head = "", tail] = kept.split("*");
    return tail === undefined ? name === kept : !name.includes("/") && name.startsWith(head) && name.endsWith(tail);
  });
}

const start = ".progress-task-";
const end = ".md";
