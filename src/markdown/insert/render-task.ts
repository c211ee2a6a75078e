import type { TaskFields, TaskId } from "../../model/task.ts";
import { trimBlank } from "../text/line-ending.ts";
import type { SiblingStyle } from "./read-sibling.ts";

/** A field as its lines stand, or will stand, in the document. */
export interface FieldLines {
  readonly lines: readonly string[];
  /** What is read from them. */
  readonly value: string;
}

/** What a task is to say, all of it encoded. */
export interface TaskText {
  readonly id: TaskId;
  readonly markers: readonly string[];
  readonly title: string;
  /** In the order in which they are written. */
  readonly fields: { readonly [Key in keyof TaskFields]: FieldLines };
}

/** A task in lines, and what they have to read as. */
export interface RenderedTask {
  readonly id: TaskId;
  readonly markers: readonly string[];
  readonly title: string;
  readonly fields: TaskFields;
  readonly lines: readonly string[];
}

/** Write an open task in the style of another. */
export function renderTask({ id, markers, title, fields }: TaskText, style: SiblingStyle): RenderedTask {
  const words = [style.writeId(id), ...markers.map((marker) => `[${marker}]`), title];
  const head = `${style.prefix}${style.marker}${style.gap}[ ] ${words.join(" ")}`.trimEnd();
  return {
    id,
    markers,
    title,
    fields: Object.fromEntries(Object.entries(fields).map(([key, { value }]) => [key, value])),
    lines: [head, ...Object.values(fields).flatMap(({ lines }) => lines)],
  };
}

/** Write a field in the style of a task. @param text What stands behind its label, and the lines below that. */
export function renderField(
  { prefix, indent, bullet }: SiblingStyle,
  label: string,
  [first = "", ...rest]: readonly string[],
): FieldLines {
  const margin = `${prefix}${" ".repeat(indent)}`;
  const inner = rest.map((line) => (line === "" ? line : `${margin}  ${line}`));
  return {
    lines: [`${margin}${bullet} **${label}**: ${first}`.trimEnd(), ...inner],
    value: trimBlank([first, ...inner].join("\n")),
  };
}
