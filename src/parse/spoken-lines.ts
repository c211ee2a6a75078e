import { eachLine } from "./read-lines.ts";

/** The lines of a message that are the agent's own word: outside fences and quotes, whatever the line endings. */
export function spokenLines(text: string): string[] {
  const lines: string[] = [];
  eachLine(text, ({ kind, text: line }) => {
    if (kind === "spoken") lines.push(line);
  });
  return lines;
}
