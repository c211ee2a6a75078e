import { fingerprint } from "../model/fingerprint.ts";
import { splitOutput } from "./split-output.ts";

/** Names of the lines of an output, without what differs between two runs. */
export type LineNames = ReadonlySet<string>;

/** Lines whose names are kept of one output, and lines that are found to differ. */
const keptNames = 20_000;
const keptLines = 50;
/** Characters of a line that are looked at. */
const looked = 300;

/** Names the lines of an output that comes in pieces, for a later run of the same command to be held against. */
export function nameLines(): { readonly write: (piece: string) => void; readonly end: () => LineNames } {
  const names = new Set<string>();
  const lines = splitOutput((line) => {
    if (names.size < keptNames && line.trim() !== "") names.add(nameOf(line));
  });
  return {
    write: lines.write,
    end: () => {
      lines.end();
      return names;
    },
  };
}

/** Finds lines that were not printed before. */
export interface DifferingLines {
  readonly read: (line: string) => void;
  /** The last ones, in their order. */
  readonly end: () => readonly string[];
}

export function findDifferingLines(before: LineNames): DifferingLines {
  let found: string[] = [];
  return {
    read: (line) => {
      const text = line.trim();
      if (text === "" || before.has(nameOf(text))) return;
      found.push(text.slice(0, looked));
      if (found.length > 2 * keptLines) found = found.slice(-keptLines);
    },
    end: () => found.slice(-keptLines),
  };
}

const nameOf = (line: string): string => fingerprint(line.trim().slice(0, looked));
