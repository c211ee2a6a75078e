import { InputError } from "../model/errors.ts";
import { type Block, readTree } from "./blocks/read-tree.ts";
import { chunkEnd, preambleLength } from "./document/cut-chunks.ts";
import { isBlank, lineAt, lineEnd, lineStarts, skipEnding } from "./text/line-ending.ts";

/** Maximum size of a plan in bytes. */
const longestPlan = 16 * 1024 * 1024;
/** Maximum nesting of list items and quotes. */
const deepestNesting = 64;
/** Maximum number of list items and quotes, each of which takes memory. */
const mostContainers = 500_000;

/**
 * Refuse a plan that takes more time or memory than any plan people write: more than 16 MiB, 64 nested lists and
 * quotes, or 500 000 of them in total. The check takes a fraction of the time of reading the plan.
 *
 * @param name Name of the plan in the message.
 * @throws {InputError} `plan-too-large`, `plan-too-deep`
 */
export function checkPlanSize(markdown: string, name = "the plan"): void {
  // A plan has at least as many bytes as characters.
  checkPlanBytes(markdown.length, name);
  const text = markdown.slice(preambleLength(markdown));
  let containers = 0;
  let mayBeDeep = false;
  for (let at = 0; at < text.length; at = nextLine(text, at)) {
    const { markers, columns } = startOf(text, at);
    containers += markers;
    // Each open container takes at least two columns of a line, or a marker.
    mayBeDeep ||= markers + columns / 2 > deepestNesting;
  }
  if (containers > mostContainers) {
    throw tooLarge(name, `${mostContainers} list items and quotes`, "Split the plan into several specs");
  }
  const line = mayBeDeep ? tooDeepAt(text) : null;
  if (line === null) return;
  const above = markdown.slice(0, markdown.length - text.length).split(/\r\n|\n|\r/).length - 1;
  throw new InputError(
    `Cannot use ${name}, expected no more than ${deepestNesting} levels of nested lists and quotes: line ${
      above + line
    } has more`,
    { code: "plan-too-deep", hint: "Write tasks at the same level; sub-tasks need only two levels" },
  );
}

/**
 * Refuse a plan by its size alone, before it is read.
 *
 * @throws {InputError} `plan-too-large`
 */
export function checkPlanBytes(bytes: number, name: string): void {
  if (bytes > longestPlan)
    throw tooLarge(name, "16 MiB", "Remove text that belongs to no task, or split the plan into several specs");
}

const tooLarge = (name: string, most: string, hint: string): InputError =>
  new InputError(`Cannot use ${name}, expected no more than ${most}`, { code: "plan-too-large", hint });

/**
 * Upper bound for the number of list and quote markers at the start of a line, and the columns of blanks between them.
 */
function startOf(text: string, from: number): { readonly markers: number; readonly columns: number } {
  let markers = 0;
  let columns = 0;
  for (let at = from; ; at++) {
    const sign = text[at];
    if (sign === " ") columns += 1;
    else if (sign === "\t") columns += 4;
    else if (sign === ">") markers += 1;
    else if (sign === "-" || sign === "*" || sign === "+" || sign === "." || sign === ")") {
      if (at + 1 < text.length && !isBlank(text[at + 1])) break;
      markers += 1;
    } else if (sign === undefined || sign < "0" || sign > "9") break;
  }
  return { markers, columns };
}

/** Line number of the first block that is nested too deeply, from 1; null if there is none. */
function tooDeepAt(text: string): number | null {
  for (let at = 0, line = 1; at < text.length; ) {
    const source = text.slice(at, chunkEnd(text, at));
    const starts = lineStarts(source);
    const start = deepAt(readTree(source), 0);
    if (start !== null) return line + lineAt(starts, start);
    at += source.length;
    line += starts.length - 1;
  }
  return null;
}

function deepAt(block: Block, depth: number): number | null {
  const inner = block.type === "listItem" || block.type === "blockquote" ? depth + 1 : depth;
  if (inner > deepestNesting) return block.start;
  for (const child of block.children) {
    const start = deepAt(child, inner);
    if (start !== null) return start;
  }
  return null;
}

function nextLine(text: string, at: number): number {
  const end = lineEnd(text, at);
  return end < text.length ? skipEnding(text, end) : end;
}
