import { fstatSync } from "node:fs";
import { withRegular } from "../../../adapters/files/own-file.ts";
import { readAt } from "../../../adapters/files/read-at.ts";
import { escapeSequence } from "../../../model/escape-sequence.ts";
import { escapeLines } from "../../../wording/escape-text.ts";

/** What an executor has printed so far, or the end of it. */
export interface Tail {
  readonly task: string;
  readonly attempt: number;
  readonly text: string;
}

/** Bytes of an output that are shown at least; up to twice as many before its beginning is left out. */
const tailBytes = 64 * 1024;

/**
 * Read the end of a file that grows. Its beginning stays where it is for a while, so that what is read later begins with
 * what was read before.
 */
export function followTail(): (path: string) => string | null {
  let path = "";
  let from = 0;
  let seen = "";
  let text: string | null = null;
  return (wanted) => {
    if (wanted !== path) [path, from, seen, text] = [wanted, 0, "", null];
    try {
      return withRegular(path, "read", (file) => {
        const { size, mtimeMs, ino } = fstatSync(file);
        const mark = `${size} ${mtimeMs} ${ino}`;
        if (mark === seen) return text;
        if (size < from) from = 0;
        if (size - from > 2 * tailBytes) from = size - tailBytes;
        const bytes = readAt(file, from, size - from);
        const begin = from === 0 ? 0 : bytes.indexOf(0x0a) + 1;
        text = shown(`${from === 0 ? "" : "\u2026\n"}${bytes.subarray(begin).toString()}`);
        seen = mark;
        return text;
      });
    } catch {
      return null;
    }
  };
}

const shown = (printed: string): string => escapeLines(printed.replaceAll(escapeSequence, ""));
