import { lastFenced, spokenLines } from "./read-lines.ts";

/** Marks around a signal to ignore: emphasis, code, headings, lists, checks, a full stop. */
const marked =
  /^(?:[\s*_`#•+\-✅✓✔☑]|\uFE0F|\d{1,3}[.)](?=\s)|\[[xX]\]|<promise>)*([A-Z][A-Z_]*[A-Z])(?:[\s*_`.!✅✓✔☑]|\uFE0F|<\/promise>)*$/u;

/** The only word of a line, marks ignored; null for other lines. */
export const loneWord = (line: string): string | null => marked.exec(line)?.[1] ?? null;

const before = /^(?:[\s*_`#•+\-✅✓✔☑]|\uFE0F|\d{1,3}[.)](?=\s)|\[[xX]\]|<promise>)*/u;

/** A line without its leading marks. */
export const withoutMarks = (line: string): string => line.replace(before, "");

/** Lines that may hold a signal: spoken ones, and the only line of a fence at the end. */
export const signalLines = (text: string): string[] => [...spokenLines(text), lastFenced(text) ?? ""];
