import { clamp } from "../../model/text.ts";
import { splitLines } from "../text/line-ending.ts";
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
  const heading = plan.phases.find(({ title }) => title === phase);
  if (heading === undefined) return "";
  const next = [...plan.phases, ...plan.tasks].reduce(
    (least, { line }) => (line > heading.line ? Math.min(least, line) : least),
    Number.POSITIVE_INFINITY,
  );
  const lines = splitLines(text).slice(heading.line, next - 1);
  // A title may be underlined.
  if (/^(?:=+|-+)[ \t]*$/.test(lines[0] ?? "")) lines.shift();
  return clamp(lines.join("\n").trim(), longest);
}
