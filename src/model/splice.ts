/** A change at one place of a text. Offsets and lengths are UTF-16 code units. */
export interface Splice {
  readonly from: number;
  /** Length of the removed text. */
  readonly cut: number;
  readonly text: string;
}

/** Number of units that are compared at once. */
const step = 4096;

export function spliceOf(before: string, after: string): Splice {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from + step <= most && before.startsWith(after.slice(from, from + step), from)) from += step;
  while (from < most && before[from] === after[from]) from += 1;
  let [end, to] = [before.length, after.length];
  const rest = most - from;
  while (after.length - to + step <= rest && before.slice(end - step, end) === after.slice(to - step, to)) {
    end -= step;
    to -= step;
  }
  while (after.length - to < rest && before[end - 1] === after[to - 1]) {
    end -= 1;
    to -= 1;
  }
  return { from, cut: end - from, text: after.slice(from, to) };
}

/** A text and its later changes, oldest first. A small change to a long text takes little memory. */
export interface KeptText {
  readonly text: string;
  readonly later: readonly Splice[];
}

/** After this many changes, the text is rebuilt. */
const mostLater = 256;

/** @param kept Null before the first text. */
export function withSplice(kept: KeptText | null, { from, cut, text }: Splice): KeptText {
  const changed = { text: kept?.text ?? "", later: [...(kept?.later ?? []), { from, cut, text }] };
  return kept !== null && changed.later.length < mostLater ? changed : { text: textOf(changed), later: [] };
}

export const textOf = ({ text, later }: KeptText): string =>
  later
    .reduce<readonly string[]>(
      (pieces, { from, cut, text: put }) => [
        ...between(pieces, 0, from),
        put,
        ...between(pieces, from + cut, Number.POSITIVE_INFINITY),
      ],
      [text],
    )
    .join("");

/** The part between two offsets of a text that consists of several pieces. */
function between(pieces: readonly string[], from: number, to: number): string[] {
  const found: string[] = [];
  let at = 0;
  for (const piece of pieces) {
    const part = piece.slice(Math.max(from - at, 0), Math.max(to - at, 0));
    if (part !== "") found.push(part);
    at += piece.length;
  }
  return found;
}
