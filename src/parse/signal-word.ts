import { lastFenced, spokenLines } from "./read-lines.ts";

/** Marks around a signal that do not matter: emphasis, code, headings, lists, checks, a full stop. */
const marked =
  /^(?:[\s*_`#•+\-✅✓✔☑]|\uFE0F|\d{1,3}[.)](?=\s)|\[[xX]\]|<promise>)*([A-Z][A-Z_]*[A-Z])(?:[\s*_`.!✅✓✔☑]|\uFE0F|<\/promise>)*$/u;

/** The word that a line consists of but for marks that do not matter; null for any other line. */
export const loneWord = (line: string): string | null => marked.exec(line)?.[1] ?? null;

const before = /^(?:[\s*_`#•+\-✅✓✔☑]|\uFE0F|\d{1,3}[.)](?=\s)|\[[xX]\]|<promise>)*/u;

/** A line without the marks that it may begin with. */
export const withoutMarks = (line: string): string => line.replace(before, "");

/** Lines with which a message can signal something: what is spoken, and what stands alone in a fence at its end. */
export const signalLines = (text: string): string[] => [...spokenLines(text), lastFenced(text) ?? ""];
