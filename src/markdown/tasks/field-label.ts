import type { TaskFields } from "../../model/task.ts";

const label = /^(?:(?:\*\*|__)([A-Za-z][A-Za-z _-]{0,24}?):?(?:\*\*|__):?|_(Requirements|Design):)/;
const keys: Readonly<Record<string, keyof TaskFields>> = {
  do: "do",
  files: "files",
  "done when": "doneWhen",
  verify: "verify",
  commit: "commit",
};
const others = new Set([
  "requirements",
  "design",
  "dependencies",
  "test criteria",
  "results",
  "result",
  "note",
  "notes",
  "ac",
  "implementation",
  "acceptance",
  "acceptance criteria",
  "expected",
  "evidence",
]);

/** The label at the start of a text. */
export interface FieldLabel {
  /** Null for a label that belongs to a task but is no field of it, as `_Requirements:`. */
  readonly key: keyof TaskFields | null;
  readonly length: number;
}

/** Nine of ten labels, as they stand: what the pattern says of them. */
const usualLabels: ReadonlyMap<string, FieldLabel> = new Map(
  ["Do", "Files", "Done when", "Verify", "Commit"].map((name) => {
    const written = `**${name}**:`;
    return [written, { key: keys[name.toLowerCase()] as keyof TaskFields, length: written.length }];
  }),
);

/** Read the label that a text starts with, in any case; null when it starts with none that tasks have. */
export function readLabel(text: string): FieldLabel | null {
  const usual = usualLabels.get(text.slice(0, text.indexOf(":") + 1));
  if (usual !== undefined) return usual;
  const found = label.exec(text.slice(0, 40));
  if (found === null) return null;
  const name = ((found[1] ?? found[2]) as string).toLowerCase().trim();
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (key !== undefined) return { key, length: found[0].length };
  return others.has(name) ? { key: null, length: found[0].length } : null;
}
