import { escapeSequence } from "../model/text.ts";
import { lastFenced, spokenLines } from "./read-lines.ts";

/** Marks around a signal to ignore: emphasis, code, headings, lists, checks, rules, brackets, tags, a full stop. */
const marked =
  /^(?:[\s*_`#•+\-=([✅✓✔☑🎉🚀✨🏁]|\d{1,3}[.)](?=\s)|\[[xX]\]|<(?:promise|signal|b|strong)>)*([A-Z][A-Z_]*[A-Z])(?:[\s*_`.。!;,\-=)\]✅✓✔☑🎉🚀✨🏁]|<\/(?:promise|signal|b|strong)>)*$/u;
/** Invisible characters, and the backslash by which Markdown escapes `_`. */
const invisible = /\p{Cf}|\uFE0F|\\(?=_)/gu;

/** The only word of a line, marks ignored; null for other lines. */
export function loneWord(line: string): string | null {
  const seen = line.replace(escapeSequence, "").replace(invisible, "");
  // An unticked box says that the work is not done.
  return seen.includes("[ ]") ? null : (marked.exec(seen)?.[1] ?? null);
}

const before = /^(?:[\s*_`#•+\-✅✓✔☑]|\uFE0F|\d{1,3}[.)](?=\s)|\[[xX]\]|<promise>)*/u;

/** A line without its leading marks. */
export const withoutMarks = (line: string): string => line.replace(before, "");

/** Lines that may hold a signal: spoken ones, and the only line of a fence at the end. */
export const signalLines = (text: string): string[] => [...spokenLines(text), lastFenced(text) ?? ""];
