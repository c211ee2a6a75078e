const tab = 9;
const space = 32;

/** A place in a line of a text, counted in offsets and in columns, of which a tab takes up to four. */
export interface LineCursor {
  /** Start of the line. */
  from: number;
  /** End of the line, its ending excluded. */
  to: number;
  at: number;
  /** Columns before `at`, those of a tab that is taken in part excluded. */
  column: number;
  /** Columns left of a tab before `at` that is taken in part. */
  pad: number;
  /** Offset of the next character that is no blank, or the end of the line. */
  next: number;
  /** Columns of blanks before it. */
  indent: number;
}

/** A cursor that stands nowhere yet. */
export const createCursor = (): LineCursor => ({ from: 0, to: 0, at: 0, column: 0, pad: 0, next: 0, indent: 0 });

/** Put a cursor at the start of a line. */
export function enterLine(cursor: LineCursor, text: string, from: number, to: number): void {
  cursor.from = from;
  cursor.to = to;
  cursor.at = from;
  cursor.column = 0;
  cursor.pad = 0;
  measure(cursor, text);
}

/** Take columns of blanks; there have to be as many. */
export function takeBlanks(cursor: LineCursor, text: string, columns: number): void {
  let left = columns;
  while (left > 0) {
    if (cursor.pad === 0) {
      cursor.pad = text.charCodeAt(cursor.at) === tab ? 4 - (cursor.column % 4) : 1;
      cursor.at += 1;
    }
    const taken = Math.min(left, cursor.pad);
    cursor.pad -= taken;
    cursor.column += taken;
    left -= taken;
  }
  measure(cursor, text);
}

/** Take the blanks before the next character and as many characters, none of them a blank. */
export function takeMarker(cursor: LineCursor, text: string, length: number): void {
  cursor.at = cursor.next + length;
  cursor.column += cursor.indent + length;
  cursor.pad = 0;
  measure(cursor, text);
}

function measure(cursor: LineCursor, text: string): void {
  let { at, pad: indent } = cursor;
  for (; at < cursor.to; at += 1) {
    const code = text.charCodeAt(at);
    if (code === space) indent += 1;
    else if (code === tab) indent += 4 - ((cursor.column + indent) % 4);
    else break;
  }
  cursor.next = at;
  cursor.indent = indent;
}
