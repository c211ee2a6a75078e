import type { Failure, FailureField } from "../model/failure.ts";
import type { TaskId } from "../model/task-id.ts";
import { parseFailureHeading } from "./parse-failure-heading.ts";
import { type MessageLine, readLines } from "./read-lines.ts";

const fallbacks: Record<FailureField, string> = {
  error: "Task execution failed",
  attemptedFix: "No fix attempted",
  status: "Unknown status",
};
const fieldNames: Record<string, FailureField> = {
  error: "error",
  "attempted fix": "attemptedFix",
  status: "status",
};
const fieldLine = /^(?:[-*+•]|\d{1,3}[.)])?[ \t]*[*_]{0,3}(error|attempted fix|status)[*_]{0,3}[ \t]*:[*_]{0,3}(.*)$/is;

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
 * Of several blocks about the task the last counts. Without one the failure is `Task did not complete`, with the
 * last lines of the output as its status.
 *
 * @param taskId
 *   The task that was delegated. Blocks about others are ignored.
 * @param output
 *   The whole reply, unmodified and untrusted.
 * @returns
 *   A failure whose texts are one line each and never empty. `unstated` names the fields that hold fallbacks.
 * @see docs/formats.md
 */
export function parseFailure(taskId: TaskId, output: string): Failure {
  const lines = readLines(output);
  const found = { taskId, failed: true, kind: "task", rawOutput: output } as const;
  const start = lines.findLastIndex((line) => headingOf(line) === taskId);
  if (start === -1) {
    const texts = { error: "Task did not complete", attemptedFix: fallbacks.attemptedFix, status: endOf(lines) };
    return { ...found, ...texts, unstated: ["attemptedFix", "status"] };
  }
  const below = lines.slice(start + 1);
  const end = below.findIndex((line) => headingOf(line) !== null);
  const stated = readFields(end === -1 ? below : below.slice(0, end));
  const unstated = (["error", "attemptedFix", "status"] as const).filter((field) => !stated.has(field));
  return { ...found, ...fallbacks, ...Object.fromEntries(stated), unstated };
}

const headingOf = ({ kind, text }: MessageLine): TaskId | null =>
  kind === "spoken" ? parseFailureHeading(text) : null;

/** The first statement of each field, with the lines that continue it. */
function readFields(lines: readonly MessageLine[]): Map<FailureField, string> {
  const texts = new Map<FailureField, string[]>();
  let open: { parts: string[]; indent: number } | null = null;
  for (const { kind, text } of lines) {
    const trimmed = text.trim();
    if (trimmed === "") continue;
    const indent = text.length - text.trimStart().length;
    const [, name = "", value = ""] = (kind === "spoken" && fieldLine.exec(trimmed)) || [];
    const field = fieldNames[name.toLowerCase()];
    if (field !== undefined) {
      open = { parts: [value.trim()], indent };
      if (!texts.has(field)) texts.set(field, open.parts);
    } else if (open !== null && (kind === "fenced" || indent > open.indent)) {
      open.parts.push(trimmed);
    } else {
      open = null;
    }
  }
  const joined = [...texts].map(([field, parts]) => [field, parts.filter((part) => part !== "").join(" ")] as const);
  return new Map(joined.filter(([, text]) => text !== ""));
}

function endOf(lines: readonly MessageLine[]): string {
  const spoken = lines.map(({ text }) => text.trim()).filter((text) => text !== "");
  if (spoken.length === 0) return fallbacks.status;
  return `Last output: ${spoken.slice(-lastLines).map(shorten).join(" / ")}`;
}

const shorten = (line: string): string => [...line.slice(0, 2 * lastLineLength)].slice(0, lastLineLength).join("");
