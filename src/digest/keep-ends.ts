/** Characters that are kept of the beginning and of the end of an output. */
const keptHead = 2000;
const keptTail = 6000;

/** Keeps where an output begins and ends. */
export interface Ends {
  readonly read: (line: string) => void;
  /** The last line with a letter or a digit in it, else the last that is not blank; null without one. */
  readonly last: () => string | null;
  readonly ends: () => { readonly head: string; readonly tail: string };
}

export function keepEnds(): Ends {
  let head = "";
  let tail: string[] = [];
  let tailLength = 0;
  let hasTail = false;
  let last: string | null = null;
  let isTelling = false;
  return {
    read: (line) => {
      const said = line.trim();
      const tells = /[\p{L}\p{N}]/u.test(said);
      if (tells || (said !== "" && !isTelling)) last = said;
      isTelling ||= tells;
      if (!hasTail && head.length + line.length < keptHead) {
        head += `${line}\n`;
        return;
      }
      hasTail = true;
      tail.push(line);
      tailLength += line.length + 1;
      // Now and then: to drop a line at a time would take long where lines are short.
      if (tailLength <= 2 * keptTail && tail.length <= keptTail) return;
      tail = lastLines(tail);
      tailLength = tail.reduce((sum, each) => sum + each.length + 1, 0);
    },
    last: () => last,
    ends: () => ({ head: head.trimEnd(), tail: lastLines(tail).join("\n").trimEnd() }),
  };
}

/** As many whole lines of the end as are kept; the end of the last one where that is longer. */
function lastLines(lines: readonly string[]): string[] {
  let left = keptTail;
  const from = lines.findLastIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  const kept = lines.slice(from + 1);
  return kept.length > 0 || lines.length === 0 ? kept : [(lines.at(-1) as string).slice(-keptTail)];
}
