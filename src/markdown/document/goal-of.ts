import { clamp } from "../../model/text.ts";
import { lineEnd, lineStart, skipEnding, splitLines } from "../text/line-ending.ts";
import type { PlanDocument } from "./plan-document.ts";

/** Characters of a goal. */
const longest = 2000;

/**
 * What a phase is for: the text between its heading and the first task below that.
 *
 * @param phase Title of the heading; null above the first.
 * @returns Empty where nothing stands there.
 */
export function goalOf({ text, plan }: Pick<PlanDocument, "text" | "plan">, phase: string | null): string {
  const first = phase === null ? undefined : plan.tasks.find((task) => task.phase === phase);
  if (phase === null || first === undefined) return "";
  // Every delegation asks for it, and a plan may be long: only what stands between is looked at.
  let at = text.lastIndexOf(phase, first.start);
  // Line by line: one may hold the title many times.
  while (at >= 0 && !isHeading(text, at, phase)) {
    const start = lineStart(text, at);
    at = start === 0 ? -1 : text.lastIndexOf(phase, start - 1);
  }
  const from = at < 0 ? first.start : lineEnd(text, at);
  const lines = splitLines(text.slice(from, first.start)).slice(1);
  // A title may be underlined.
  if (underline.test(lines[0] ?? "")) lines.shift();
  return clamp(lines.join("\n").trim(), longest);
}

const underline = /^(?:=+|-+)[ \t]*$/;

/** Whether the title of a heading stands at an offset. */
function isHeading(text: string, at: number, title: string): boolean {
  const end = lineEnd(text, at + title.length);
  const line = text.slice(lineStart(text, at), end);
  // A task stands below.
  const next = skipEnding(text, end);
  return /^\uFEFF? {0,3}#/.test(line) || underline.test(text.slice(next, lineEnd(text, next)));
}
