import type { Failure, FailureField } from "../model/failure.ts";
import type { TaskId } from "../model/task.ts";
import { saysNothing } from "../model/text.ts";
import { eachLine, type MessageLine } from "./read-lines.ts";

/** Heading, list and emphasis marks, and crosses; no backquotes, since backquotes mark a quote. */
const leading = /^(?:[\s#*_+-]|❌|✗|✘|✖|⚠|🔴|\uFE0F)*/u;
const subject = /^Task[ \t:*_]+([^\s:]{1,80})(.*)$/s;
const idMarks = /^[*_[`]+|(?<![*_\]`,])[*_\]`,]+$/g;
/** Text after the id: a separator before the title, or `FAILED`. */
const separator = /^[\s*_]*(?:[:(–—-]|FAILED)/;
const remark = /^(?:[^\p{L}\p{N}]*$|\s*[(:]|\s+[–—-])/u;

/**
 * Parse a heading such as `Task 1.3: Add failure parser FAILED`, with or without a title, with any emphasis. Only
 * marks, or a separator and a remark, may follow `FAILED`, since the word `FAILED` may also be part of a title.
 *
 * @returns The id as written; null for other lines.
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
export const notDescribed = (task: TaskId): string => `Task ${task} did not complete`;

const fieldNames: Record<string, FailureField> = {
  error: "error",
  "attempted fix": "attemptedFix",
  status: "status",
};
const fieldLine = /^(?:[-*+•]|\d{1,3}[.)])?[ \t]*[*_]{0,3}(error|attempted fix|status)[*_]{0,3}[ \t]*:[*_]{0,3}(.*)$/is;

/** Maximum length of a field in characters; further lines are ignored. */
const longestField = 16 * 1024;
/** Number of last output lines that become the status if the executor gives no status. */
const lastLines = 3;
/** Maximum length of an output line in the status, in code points. */
const lastLineLength = 120;

/**
 * Parse the failure that an executor reports in a block of this form. Lines after the first may be missing, emphasised,
 * in another order, or continued on indented lines and in fences.
 *
 * ```text
 * Task 1.3: Add failure parser FAILED
 * - Error: File not found: src/parser.ts
 * - Attempted fix: Checked alternate paths
 * - Status: Blocked, needs manual intervention
 * ```
 *
 * The last block about the task counts. If there is no block about the task, the last block about its parent counts:
 * the task that it repairs or is a part of. Without any block, the error is `Task 1.3 did not complete`, and the status
 * is the last lines of the output.
 *
 * @param output The whole reply, unmodified and untrusted. @param taskId The delegated task. @returns A failure with
 * non-empty texts of one line. `unstated` names the fields that the output lacks. @see docs/formats.md
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
    if (stated === null && ofWhole === null && line.text.trim() !== "" && last.push(line.text) > lastLines)
      last.shift();
  });
  const fields = ((stated ?? ofWhole) as FieldReader | null)?.fields();
  if (fields !== undefined) return failureStated(output, taskId, fields);
  const status = last.length === 0 ? fallbacks.status : `Last output: ${last.map(shorten).join(" / ")}`;
  const texts = { ...fallbacks, error: notDescribed(taskId), status };
  return { ...failed(output, taskId), ...texts, unstated: ["attemptedFix", "status"] };
}

const isBelow = (task: TaskId, whole: TaskId): boolean => task.startsWith(`${whole}.`) || task.startsWith(`${whole}~`);

/**
 * Build a failure from its stated fields. Missing fields get the texts of the source system.
 *
 * @param stated One line for each field; a line that is empty or only says `none` counts as missing.
 */
export function failureStated(output: string, taskId: TaskId, stated: ReadonlyMap<string, string>): Failure {
  const fields = Object.fromEntries([...stated].filter(([, text]) => !saysNothing(text)));
  const unstated = (["error", "attemptedFix", "status"] as const).filter((field) => !(field in fields));
  return { ...failed(output, taskId), ...fallbacks, ...fields, unstated };
}

const failed = (rawOutput: string, taskId: TaskId) => ({ taskId, failed: true, kind: "task", rawOutput }) as const;

interface FieldReader {
  readonly read: (line: MessageLine) => void;
  /** Text of each field, with its continuation lines; the first line with a field's label counts. */
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
