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
 * end. Of empty lines in a row one is kept. A longer line is cut and marked with `…`, so that its beginning alone is
 * never taken for the whole.
 *
 * @param text
 *   Markdown as agents write it, with any line endings.
 */
export function readLines(text: string): MessageLine[] {
  const lines: MessageLine[] = [];
  eachLine(text, (line) => lines.push(line));
  return lines;
}

/** The same, one by one: an output may be millions of lines. */
export function eachLine(text: string, see: (line: MessageLine) => void): void {
  let fence: string | null = null;
  let isEmpty = false;
  eachPiece(text, (whole) => {
    if (isEmpty && whole === "") return;
    isEmpty = whole === "";
    const line = whole.length > maxLine ? `${whole.slice(0, maxLine)}…` : whole;
    const [, mark = "", rest = ""] = (mayBeMark(line[0]) && fenceMark.exec(line)) || [];
    if (fence !== null) {
      if (mark.startsWith(fence) && rest.trim() === "") fence = null;
      else see({ kind: "fenced", text: line });
    } else if (mark !== "" && !(mark.startsWith("`") && rest.includes("`"))) {
      fence = mark;
    } else {
      see({ kind: line.trimStart().startsWith(">") ? "quoted" : "spoken", text: line });
    }
  });
}

/** Whether a line that starts with a character can be a mark of a fence. */
const mayBeMark = (first: string | undefined): boolean =>
  first === "`" || first === "~" || first === " " || first === "\t";

/** What `split` answers, one by one. */
function eachPiece(text: string, see: (line: string) => void): void {
  let start = 0;
  let feed = text.indexOf("\n");
  let back = text.indexOf("\r");
  while (feed !== -1 || back !== -1) {
    const end = feed === -1 || (back !== -1 && back < feed) ? back : feed;
    see(text.slice(start, end));
    start = end === back && feed === back + 1 ? end + 2 : end + 1;
    if (feed !== -1 && feed < start) feed = text.indexOf("\n", start);
    if (back !== -1 && back < start) back = text.indexOf("\r", start);
  }
  see(text.slice(start));
}
