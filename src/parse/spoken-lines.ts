import { readLines } from "./read-lines.ts";

/** The lines of a message that are the agent's own word: outside fences and quotes, whatever the line endings. */
export const spokenLines = (text: string): string[] =>
  readLines(text)
    .filter(({ kind }) => kind === "spoken")
    .map(({ text: line }) => line);
