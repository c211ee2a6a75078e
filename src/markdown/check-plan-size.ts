import { InputError } from "../model/errors.ts";
import { type Block, readTree } from "./blocks/read-tree.ts";
import { chunkEnd, preambleLength } from "./document/cut-chunks.ts";
import { isBlank, lineAt, lineEnd, lineStarts, skipEnding } from "./text/line-ending.ts";

/** Bytes of a plan that is read at all. */
const longestPlan = 16 * 1024 * 1024;
/** List items and quotes that may stand in each other. */
const deepestNesting = 64;
/** List items and quotes, each of which takes memory. */
const mostContainers = 500_000;

/**
 * Refuse a plan that would take more time or memory to read than any that people write: more than 16 MiB, 64 levels of
 * lists and quotes in each other, or 500 000 of those in all. Takes a fraction of the time of reading it.
 *
 * @param name What the plan is called in the message.
 * @throws {InputError} `plan-too-large`, `plan-too-deep`
 */
export function checkPlanSize(markdown: string, name = "the plan"): void {
  // Its bytes are at least as many as its characters.
  checkPlanBytes(markdown.length, name);
  const text = markdown.slice(preambleLength(markdown));
  let containers = 0;
  let mayBeDeep = false;
  for (let at = 0; at < text.length; at = nextLine(text, at)) {
    const { markers, columns } = startOf(text, at);
    containers += markers;
    // What is open already takes two columns of a line at least, or a marker.
    mayBeDeep ||= markers + columns / 2 > deepestNesting;
  }
  if (containers > mostContainers) {
    throw tooLarge(name, `${mostContainers} list items and quotes`, "Split it into several specs");
  }
  const line = mayBeDeep ? tooDeepAt(text) : null;
  if (line === null) return;
  const above = markdown.slice(0, markdown.length - text.length).split(/\r\n|\n|\r/).length - 1;
  throw new InputError(
    `Cannot use ${name}, expected no more than ${deepestNesting} levels of lists and quotes in each other: line ${
      above + line
    } has more`,
    { code: "plan-too-deep", hint: "Write tasks beside each other; sub-tasks need two levels" },
  );
}

/**
 * Refuse a plan by its size alone, before it is read.
 *
 * @throws {InputError} `plan-too-large`
 */
export function checkPlanBytes(bytes: number, name: string): void {
  if (bytes > longestPlan) throw tooLarge(name, "16 MiB", "Leave out what is no task, or split it into several specs");
}

const tooLarge = (name: string, most: string, hint: string): InputError =>
  new InputError(`Cannot use ${name}, expected no more than ${most}`, { code: "plan-too-large", hint });

/** Marks of lists and quotes that a line begins with, at least as many as it has, and columns of blanks between them. */
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

/** The first line of a block that is nested too deep, from 1; null when none is. */
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

/** Where a block begins that stands in too many others; null when none does. */
function deepAt(block: Block, depth: number): number | null {
  const inner = block.type === "listItem" || block.type === "blockquote" ? depth + 1 : depth;
  if (inner > deepestNesting) return block.start;
  for (const child of block.children) {
    const start = deepAt(child, inner);
    if (start !== null) return start;
  }
  return null;
}

/** Where the line behind the one at an offset begins. */
function nextLine(text: string, at: number): number {
  const end = lineEnd(text, at);
  return end < text.length ? skipEnding(text, end) : end;
}
