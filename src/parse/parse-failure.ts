import type { Failure, FailureField } from "../model/failure.ts";
import type { TaskId } from "../model/task.ts";
import { eachLine, type MessageLine } from "./read-lines.ts";

/** Heading, list and emphasis marks, and the crosses agents like. A code mark is not among them: it quotes. */
const leading = /^(?:[\s#*_+-]|❌|✗|✘|✖|⚠|🔴|\uFE0F)*/u;
const subject = /^Task[ \t:*_]+([^\s:]{1,80})(.*)$/s;
const idMarks = /^[*_[`]+|(?<![*_\]`,])[*_\]`,]+$/g;
/** Between the id and the name; FAILED itself may stand in place of the name. */
const separator = /^[\s*_]*(?:[:(–—-]|FAILED)/;
const remark = /^(?:[^\p{L}\p{N}]*$|\s*[(:]|\s+[–—-])/u;

/**
 * The task a line announces as failed: `Task 1.3: Add failure parser FAILED`, with any form of id, with or without
 * a name, and however it is emphasised. FAILED ends the line, but for marks and a remark behind a separator, so a
 * name may hold the word.
 *
 * @returns The id as it stands there; null when the line is no such heading.
 */
export function parseFailureHeading(line: string): TaskId | null {
  if (!line.includes("FAILED")) return null;
  const [, id = "", rest = ""] = subject.exec(line.replace(leading, "")) ?? [];
  const at = rest.lastIndexOf("FAILED");
  const announced = at > 0 && separator.test(rest) && !/[\p{L}\p{N}]/u.test(rest.charAt(at - 1));
  return announced && remark.test(rest.slice(at + "FAILED".length)) ? id.replace(idMarks, "") : null;
}

const fallbacks: Record<FailureField, string> = {
  error: "Task execution failed",
  attemptedFix: "No fix attempted",
  status: "Unknown status",
};
/** The error of a failure that nobody has described. */
export const notDescribed = (task: TaskId): string => `Task ${task} did not complete`;

const fieldNames: Record<string, FailureField> = {
  error: "error",
  "attempted fix": "attemptedFix",
  status: "status",
};
const fieldLine = /^(?:[-*+•]|\d{1,3}[.)])?[ \t]*[*_]{0,3}(error|attempted fix|status)[*_]{0,3}[ \t]*:[*_]{0,3}(.*)$/is;

/** Characters of a field behind which no further line is added to it. */
const longestField = 16 * 1024;
/** Lines of output that stand for a status nobody stated. */
const lastLines = 3;
/** Code points kept of each. */
const lastLineLength = 120;

/**
 * Read the failure an executor wrote in its reply, a block of this form of which any line below the first may be
 * missing, emphasised, in another place, or continued on indented lines and fences:
 *
 * ```text
 * Task 1.3: Add failure parser FAILED
 * - Error: File not found: src/parser.ts
 * - Attempted fix: Checked alternate paths
 * - Status: Blocked, needs manual intervention
 * ```
 *
 * Of several blocks about the task the last counts, else the last one about the task that it repairs or is part of.
 * Without one the failure is `Task 1.3 did not complete`, with the last lines of the output as its status.
 *
 * @param output
 *   The whole reply, unmodified and untrusted.
 * @param taskId
 *   The task that was delegated. Blocks about others are ignored.
 * @returns
 *   A failure whose texts are one line each and never empty. `unstated` names the fields that hold fallbacks.
 * @see docs/formats.md
 */
export function parseFailure(output: string, taskId: TaskId): Failure {
  const mayFail = output.includes("FAILED");
  const last: string[] = [];
  let stated: FieldReader | null = null;
  let ofWhole: FieldReader | null = null;
  let reading: FieldReader | null = null;
  eachLine(output, (line) => {
    const announced = mayFail && line.kind === "spoken" ? parseFailureHeading(line.text) : null;
    if (announced !== null) {
      const isOwn = announced === taskId;
      reading = isOwn || isBelow(taskId, announced) ? createFieldReader() : null;
      if (isOwn) stated = reading;
      else ofWhole = reading ?? ofWhole;
    } else {
      reading?.read(line);
    }
    if (stated === null && ofWhole === null && /\S/.test(line.text)) keepLast(last, line.text);
  });
  const fields = ((stated ?? ofWhole) as FieldReader | null)?.fields();
  if (fields !== undefined) return failureStated(output, taskId, fields);
  const status = last.length === 0 ? fallbacks.status : `Last output: ${last.map(shorten).join(" / ")}`;
  const texts = { error: notDescribed(taskId), attemptedFix: fallbacks.attemptedFix, status };
  return { ...failed(output, taskId), ...texts, unstated: ["attemptedFix", "status"] };
}

/** Whether a task is a fix or a part of another one. */
const isBelow = (task: TaskId, whole: TaskId): boolean => task.startsWith(`${whole}.`) || task.startsWith(`${whole}~`);

/**
 * A failure of which fields are stated, with what the source says in place of the others.
 *
 * @param stated
 *   One line each; an empty one states nothing.
 */
export function failureStated(output: string, taskId: TaskId, stated: ReadonlyMap<string, string>): Failure {
  const fields = new Map([...stated].filter(([, text]) => text !== ""));
  const unstated = (["error", "attemptedFix", "status"] as const).filter((field) => !fields.has(field));
  return { ...failed(output, taskId), ...fallbacks, ...Object.fromEntries(fields), unstated };
}

const failed = (rawOutput: string, taskId: TaskId) => ({ taskId, failed: true, kind: "task", rawOutput }) as const;

function keepLast(last: string[], text: string): void {
  last.push(text);
  if (last.length > lastLines) last.shift();
}

/** Reads the lines below a heading. */
interface FieldReader {
  readonly read: (line: MessageLine) => void;
  /** The first statement of each field, with the lines that continue it. */
  readonly fields: () => Map<FailureField, string>;
}

function createFieldReader(): FieldReader {
  const texts = new Map<FailureField, string[]>();
  let open: { parts: string[]; indent: number; length: number } | null = null;
  return {
    read: ({ kind, text }) => {
      const trimmed = text.trim();
      if (trimmed === "") return;
      const indent = text.length - text.trimStart().length;
      const [, name = "", value = ""] = (kind === "spoken" && trimmed.includes(":") && fieldLine.exec(trimmed)) || [];
      const field = fieldNames[name.toLowerCase()];
      if (field !== undefined) {
        open = { parts: [value.trim()], indent, length: value.length };
        if (!texts.has(field)) texts.set(field, open.parts);
      } else if (open !== null && (kind === "fenced" || indent > open.indent)) {
        if (open.length < longestField) open.parts.push(trimmed);
        open.length += trimmed.length;
      } else {
        open = null;
      }
    },
    fields: () => new Map([...texts].map(([field, parts]) => [field, parts.filter((part) => part !== "").join(" ")])),
  };
}

const shorten = (line: string): string =>
  [...line.trim().slice(0, 2 * lastLineLength)].slice(0, lastLineLength).join("");
