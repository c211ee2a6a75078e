import { codeSpan } from "../../markdown/insert/code-span.ts";
import { encodeText } from "../../markdown/text/encode-text.ts";
import { withoutMachineWords } from "../../markdown/text/machine-words.ts";
import { plainLine } from "../../markdown/text/plain-line.ts";

/** Code points of a line. */
const longest = 700;

/**
 * Untrusted text as the content of a paragraph or an item of its own, that reads as that text.
 *
 * @param label
 *   Words of our own before it, which may be bold; none when not given.
 */
export function encodeLine(text: string, label?: string): string {
  const line = plainLine(text, longest);
  return label === undefined ? encodeText(line, "") : `${label} ${encodeText(line, "x ")}`.trimEnd();
}

/** A command as code. */
export function encodeCode(command: string): string {
  const code = withoutMachineWords(plainLine(command, longest));
  return code === "" ? "(empty)" : codeSpan(code);
}
