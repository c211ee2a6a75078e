import { appendItem, sectionTitle } from "../../src/markdown/progress/append-item.ts";
import { encodeText } from "../../src/markdown/text/encode-text.ts";
import { plainLine } from "../../src/markdown/text/plain-line.ts";

interface Options {
  readonly before?: readonly string[];
  readonly key?: string;
}

export const appendLine = (log: string, heading: string, line: string, { before = [], key }: Options = {}): string =>
  appendItem(log, {
    heading: sectionTitle(heading),
    before,
    key: key === undefined ? null : plainLine(key, 500),
    line: encodeText(plainLine(line, 500), ""),
  });
