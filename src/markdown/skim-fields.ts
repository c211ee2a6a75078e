import type { TaskFields } from "../model/task.ts";
import { readLabel } from "./field-label.ts";
import { lineEnd, splitLines, trimBlank } from "./line-ending.ts";

// Not one of `- - -`, which is a thematic break.
const bullet = /^ {2,5}(?=[-*+] [^ ])(?![ *+-]+$)/;

/**
 * Read the fields of a canonical block without a markdown parser: bullets of one indentation, with deeper lines or
 * blank ones between them. Null when it is none.
 */
export function skimFields(block: string): TaskFields | null {
  if (!/^[-*+] \[/.test(block) || block.includes("\t")) return null;
  const fields: { -readonly [Key in keyof TaskFields]: string } = {};
  const bodyStart = lineEnd(block, 0);
  const [, ...lines] = splitLines(block.slice(bodyStart));
  const indent = bullet.exec(lines[0] ?? "")?.[0].length;
  if (indent === undefined) return lines.length === 0 ? fields : null;
  let start = bodyStart;
  let end = bodyStart;
  for (const line of lines) {
    const depth = line.search(/[^ ]|$/);
    const isItem = depth === indent;
    if (isItem && !bullet.test(line)) return null;
    if (!isItem && depth < line.length && depth < indent + 2) return null;
    if (isItem) keep();
    const from = skipEnding(block, end);
    if (isItem) start = from + indent + 2;
    end = from + line.length;
  }
  keep();
  return fields;

  function keep(): void {
    const source = block.slice(start, end);
    const label = readLabel(source);
    if (label?.key != null) fields[label.key] ??= trimBlank(source.slice(label.length));
  }
}

const skipEnding = (text: string, end: number): number => (text.startsWith("\r\n", end) ? end + 2 : end + 1);
