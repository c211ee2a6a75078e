import { splitLines } from "./text/line-ending.ts";

export interface GsdElement {
  readonly head: string;
  /** Line numbers in the text, from 1. */
  readonly first: number;
  readonly last: number;
  readonly inner: string;
}

const opening = /^[ \t]{0,16}<task(?=[ \t>])([^>]{0,4000})>/;
const closing = /^[ \t]{0,16}<\/task>/;
const fence = /^[ \t]{0,16}(`{3,}|~{3,})/;

/** Find the `<task>` elements of a text. Elements in a fence are examples, and are ignored. */
export function gsdElements(text: string): GsdElement[] {
  const lines = splitLines(text);
  const found: GsdElement[] = [];
  let open: Pick<GsdElement, "head" | "first"> | null = null;
  let mark: string | null = null;
  for (const [at, line] of lines.entries()) {
    const fenced = fence.exec(line)?.[1];
    // A fence in a task may be unclosed, so the closing tag ends the task even within a fence.
    if (open !== null && closing.test(line)) {
      found.push({ ...open, last: at + 1, inner: lines.slice(open.first - 1, at + 1).join("\n") });
      [open, mark] = [null, null];
    } else if (mark !== null) {
      if (fenced?.startsWith(mark) === true) mark = null;
    } else if (fenced !== undefined) mark = fenced;
    else if (open === null) {
      const head = opening.exec(line);
      if (head !== null) open = { head: head[1] as string, first: at + 1 };
    }
  }
  return found;
}
