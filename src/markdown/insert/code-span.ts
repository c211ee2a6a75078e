import { toMarkdown } from "mdast-util-to-markdown";
import { trimBlank } from "../text/line-ending.ts";

/** Write a text as inline code. @param value One line. */
export function codeSpan(value: string): string {
  // The common case, without the machinery.
  return /^[^`\s](?:[^`\r\n]*[^`\s])?$/.test(value)
    ? `\`${value}\``
    : trimBlank(toMarkdown({ type: "inlineCode", value }));
}
