import { clamp } from "../../model/text.ts";
import { splitLines } from "../text/line-ending.ts";
import { chunkAt } from "./chunk-at.ts";
import type { PlanDocument } from "./plan-document.ts";

/** Characters of a goal. */
const longest = 2000;

/**
 * What a phase is for: the text between its heading and the first task below that.
 *
 * @param phase Title of the heading; null above the first.
 * @returns Empty where nothing stands there.
 */
export function goalOf(document: PlanDocument, phase: string | null): string {
  const first = phase === null ? undefined : document.plan.tasks.find((task) => task.phase === phase);
  if (first === undefined) return "";
  // Every delegation asks for it, and a plan may be long: only the parts are looked at that stand between.
  const parts: string[] = [];
  for (let end = first.start; end >= 0; ) {
    const { chunk, offset } = chunkAt(document.chunks, end);
    const heading = chunk.headings.findLast(({ title, start }) => title === phase && offset + start < first.start);
    parts.unshift(chunk.text.slice(heading?.start ?? 0, end - offset + 1));
    if (heading !== undefined) break;
    end = offset - 1;
  }
  const lines = splitLines(parts.join("").slice(0, -1));
  const isUnderlined = !/^\uFEFF? {0,3}#/.test(lines[0] as string);
  const below = lines.slice(1 + (isUnderlined ? lines.findIndex((line) => underline.test(line)) : 0));
  return clamp(below.join("\n").trim(), longest);
}

const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
