import { escapeSequence } from "../model/escape-sequence.ts";
import { longestReport, mayOpenReport } from "./collect-reports.ts";

/** Characters of a line that are looked at. */
const longestLine = 4096;
/** Escape sequences are looked for in no more of it, unless it may be a report on one line. */
const longestRaw = 4 * longestLine;

/** Takes an output in pieces and tells its lines. */
export interface LineSplitter {
  readonly write: (piece: string) => void;
  /** Tell the last line, if it has no ending: it may be cut. */
  readonly end: () => void;
}

/**
 * Split an output into its lines, of any ending, without what a terminal would not show: escape sequences, and what a
 * lone carriage return has overwritten. Memory does not grow with the length of a line.
 *
 * @param see Is told what is looked at of a line, all of it that a report may need, and whether it has an ending.
 */
export function splitOutput(see: (line: string, whole: string, isEnded: boolean) => void): LineSplitter {
  let open = "";
  let longest = 0;
  const add = (text: string): void => {
    if (open === "") longest = longestRaw;
    // Decided once for a line, when enough of it is known.
    if (longest === longestRaw && open.length + text.length > longestRaw) {
      longest = mayOpenReport(open.length < 100 ? open + text.slice(0, 100) : open) ? longestReport : longestRaw + 1;
    }
    if (open.length < longest) open += text.length > longest ? text.slice(0, longest) : text;
  };
  const tell = (isEnded: boolean): void => {
    const whole = shownOf(open);
    see(whole.length > longestLine ? whole.slice(0, longestLine) : whole, whole, isEnded);
    open = "";
  };
  return {
    write: (piece) => {
      let start = 0;
      for (let feed = piece.indexOf("\n"); feed !== -1; feed = piece.indexOf("\n", start)) {
        add(piece.slice(start, feed));
        tell(true);
        start = feed + 1;
      }
      if (start < piece.length) add(piece.slice(start));
    },
    end: () => {
      if (open !== "") tell(false);
    },
  };
}

function shownOf(raw: string): string {
  const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
  const plain = mayHoldEscape.test(line) ? line.replace(escapeSequence, "") : line;
  const last = plain.lastIndexOf("\r");
  return last === -1 ? plain : plain.slice(last + 1);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const mayHoldEscape = /[\u001B\u009B]/;
