import { InputError } from "./errors.ts";
import type { TaskId } from "./task.ts";
import { hashText } from "./text.ts";

/** Characters up to which a text stays whole: a file system takes names of 255 bytes, and a name has other parts. */
const longest = 100;
const kept = 80;

/**
 * A text as a part of a file's name. Characters that mean something in a path are percent-encoded; of more than 100
 * characters the first 80 are kept, and a hash of the text. Same texts give same parts.
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
 * Check that a name is that of a file in the folder of a spec, such as `design.md`.
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

/** Name of the progress log of a spec, or of that of a member of a batch. */
export const progressName = (member?: TaskId): string =>
  member === undefined ? ".progress.md" : `${start}${fileNamePart(member)}${end}`;

/** The member by whose log's name a file is called, where its id stands in there as it is; null for any other name. */
export function memberIn(name: string): TaskId | null {
  const member = name.slice(start.length, -end.length);
  return member !== "" && name === progressName(member) ? member : null;
}

const start = ".progress-task-";
const end = ".md";
