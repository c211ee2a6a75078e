import { escapeText } from "../../../wording/escape-text.ts";
import type { Terminal } from "../terminal.ts";

/** A terminal that puts a name in front of every line, so that lines of several runs can be told apart. */
export function prefixLines(terminal: Terminal, name: string): Terminal {
  const prefix = `${escapeText(name)} | `;
  const lines = (text: string): string =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => `${prefix}${line}\n`)
      .join("");
  return {
    ...terminal,
    isTTY: false,
    columns: Math.max(1, terminal.columns - prefix.length),
    out: (text) => terminal.out(lines(text)),
    err: (text) => terminal.err(lines(text)),
  };
}
