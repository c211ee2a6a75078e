import { toMarkdown } from "mdast-util-to-markdown";
import type { NewTask, Quote } from "../../model/plan-change.ts";
import type { TaskFields, TaskId } from "../../model/task.ts";
import { fieldLabels } from "../tasks/read-fields.ts";
import { readVerify } from "../tasks/read-verify.ts";
import { codeSpan, encodeText } from "../text/encode-text.ts";
import { splitLines, trimBlank } from "../text/line-ending.ts";
import { fenceLines, machineWordOffsets, plainLine, plainLines, withoutMachineWords } from "../text/plain-line.ts";
import type { SiblingStyle } from "./read-sibling.ts";

export interface FieldLines {
  readonly lines: readonly string[];
  /** Value that parsing the lines gives. */
  readonly value: string;
}

/** A task as lines, and the values that parsing the lines gives. */
export interface RenderedTask {
  readonly id: TaskId;
  readonly markers: readonly string[];
  readonly title: string;
  readonly fields: TaskFields;
  readonly lines: readonly string[];
}

/** Encoded texts of a task. The fields are in the order in which they are written. */
export interface TaskText extends Pick<RenderedTask, "id" | "markers" | "title"> {
  readonly fields: { readonly [Key in keyof TaskFields]: FieldLines };
}

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

/** Render a field in the style of a task. @param text Text after its label, and the lines below. */
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

const longestTitle = 200;
const longestLine = 500;
const mostLines = 100;

const renderers = {
  ...{ do: renderText, files: renderText, doneWhen: renderText, commit: renderCommit },
  verify: (value: string, { bullet }: SiblingStyle) => renderVerify(value, bullet),
};
const fieldsInOrder = Object.entries(fieldLabels) as [keyof TaskFields, string][];

/**
 * Render a proposed task in the style of its neighbour. Fields without text are omitted.
 *
 * @param task Its texts are untrusted: each becomes plain text or code. Lines in the form of numbered or bulleted steps
 * become steps.
 */
export function renderNewTask({ id, markers, title, fields, quotes = [] }: NewTask, style: SiblingStyle): RenderedTask {
  const written: { -readonly [Key in keyof TaskFields]: FieldLines } = {};
  for (const [key, label] of fieldsInOrder) {
    const value = trimBlank(fields[key] ?? "");
    const text = value === "" ? [] : renderers[key](value, style);
    const lines = key === "do" && text.length > 0 ? [...text, ...quotes.flatMap(renderQuote)] : text;
    if (lines.some((line) => line !== "")) written[key] = renderField(style, label, lines);
  }
  return renderTask({ id, markers, title: renderTitle(title), fields: written }, style);
}

function renderTitle(title: string): string {
  // A dash, dot, mark of bold text or bracket at the start of the title would be read as a part of the id.
  const text = encodeText(plainLine(title, longestTitle).replace(/^(?:(?:[\u00B7\u2013\u2014-]|\*\*) )+/, ""), "x ");
  return text.startsWith("[") ? `\\${text}` : text;
}

const step = /^[ \t]*(?:(\d{1,9}[.)])|[-*+])(?:[ \t]+(.*)|$)/;

/** Split a text into an introduction and steps; other lines continue the step above them. */
function renderText(value: string, { bullet }: SiblingStyle): string[] {
  let first = "";
  const steps: { text: string; readonly isNumbered: boolean }[] = [];
  for (const line of splitLines(value).slice(0, mostLines)) {
    const found = step.exec(line);
    const last = steps.at(-1);
    if (found !== null) steps.push({ text: found[2] ?? "", isNumbered: found[1] !== undefined });
    else if (last !== undefined) last.text += ` ${line}`;
    else first += ` ${line}`;
  }
  let number = 0;
  const rest = steps.flatMap(({ text, isNumbered }) => {
    const line = encodeText(plainLine(text, longestLine), "");
    if (line === "") return [];
    if (isNumbered) number += 1;
    return `${isNumbered ? `${number}.` : bullet} ${line}`;
  });
  return [encodeText(plainLine(first, longestLine), "x "), ...rest];
}

/** Render a sentence and a fence, each in a separate block; none if there is nothing to quote. */
function renderQuote({ label, text }: Quote): string[] {
  const lines = plainLines(text);
  return lines.length === 0 ? [] : ["", encodeText(plainLine(label, longestLine), ""), "", ...fenceLines(lines)];
}

const codeOnly = /^(`+)([^`]+)\1$/;

function renderCommit(value: string): string[] {
  const line = plainLine(splitLines(value).join(" "), longestLine);
  const message = codeOnly.exec(line)?.[2] ?? line;
  return [message.includes("`") ? encodeText(line, "x ") : codeSpan(withoutMachineWords(trimBlank(message)))];
}

const marker = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;

/**
 * Render a Verify as lines that run exactly the same command, or, if that is not possible, as text that runs nothing.
 *
 * @param value Source of the field, not empty.
 * @param bullet Bullet for lines of text.
 */
export function renderVerify(value: string, bullet: string): string[] {
  const verify = readVerify(value);
  if (verify.kind === "command" && verify.word === null) return renderCode(verify.command);
  const lines = splitLines(value);
  const isPlain = lines.length === 1 && plainLine(value, value.length) === value;
  if (isPlain && (verify.kind === "command" || machineWordOffsets(value).length === 0)) return [value];
  // A single line of text might be read as another command.
  if (lines.length > 1 || verify.kind === "command") return ["", ...lines.slice(0, mostLines).map(item)];
  return [encodeText(plainLine(value, longestLine), "x ")];

  function item(line: string): string {
    return `${bullet} ${encodeText(plainLine(line.replace(marker, ""), longestLine), "")}`;
  }
}

const renderCode = (command: string): string[] =>
  splitLines(command).length > 1 ? ["", ...renderFence(command)] : [codeSpan(command)];

const renderFence = (value: string): string[] =>
  splitLines(trimBlank(toMarkdown({ type: "code", lang: "bash", value })));

const style = {
  ...{ prefix: "", marker: "-", gap: " ", indent: 2, bullet: "-" },
  writeId: (id: TaskId): TaskId => id,
};

const longest = 200;

export interface NewPhase {
  readonly title: string;
  readonly tasks: readonly NewTask[];
}

/** Render a new plan. Texts are untrusted, and become plain text. */
export const writePlan = (title: string, phases: readonly NewPhase[]): string =>
  [
    `# ${plain(title)}`,
    ...phases.flatMap((phase) => [
      `## ${plain(phase.title)}`,
      ...phase.tasks.map((task) => renderNewTask(task, style).lines.join("\n")),
    ]),
  ]
    .join("\n\n")
    .concat("\n");

const plain = (text: string): string => encodeText(plainLine(text, longest), "x ");
