/**
 * One line of an agent's message. `spoken`: it is the agent's own word; `fenced` and `quoted`: it shows something.
 * The marks of a fence belong to no line.
 */
export interface MessageLine {
  readonly kind: "spoken" | "fenced" | "quoted";
  readonly text: string;
}

/** Longest line that is kept whole, in UTF-16 code units. */
const maxLine = 16 * 1024;

const fenceMark = /^[ \t]*(`{3,}|~{3,})(.*)$/s;

/**
 * Split a message into its lines and tell what the agent says from what it shows. An unclosed fence reaches to the
 * end. A longer line is cut and marked with `…`, so that its beginning alone is never taken for the whole.
 *
 * @param text
 *   Markdown as agents write it, with any line endings.
 */
export function readLines(text: string): MessageLine[] {
  const lines: MessageLine[] = [];
  let fence: string | null = null;
  for (const whole of text.split(/\r\n|\r|\n/)) {
    const line = whole.length > maxLine ? `${whole.slice(0, maxLine)}…` : whole;
    const [, mark = "", rest = ""] = fenceMark.exec(line) ?? [];
    if (fence !== null) {
      if (mark.startsWith(fence) && rest.trim() === "") fence = null;
      else lines.push({ kind: "fenced", text: line });
    } else if (mark !== "" && !(mark.startsWith("`") && rest.includes("`"))) {
      fence = mark;
    } else {
      lines.push({ kind: line.trimStart().startsWith(">") ? "quoted" : "spoken", text: line });
    }
  }
  return lines;
}
