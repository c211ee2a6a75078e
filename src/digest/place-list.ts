import { type FindingList, listFindings, type ToolCounts } from "./finding-list.ts";
import { maxFindings, type Reading } from "./reader.ts";
import { steadyText } from "./steady-text.ts";

/** What a compiler or a linter says of a place in a file. */
export interface PlacedMessage {
  readonly file: string;
  readonly line: number | null;
  readonly column?: string | undefined;
  /** The name of the rule or of the kind of error, where the tool prints one. */
  readonly code?: string | undefined;
  readonly message: string;
}

/** Findings of compilers and linters: one for each place, however often it is printed. */
export interface PlaceList {
  readonly add: (placed: PlacedMessage) => void;
  readonly size: FindingList["size"];
  readonly end: (counts?: ToolCounts) => Reading | null;
}

/** A compiler prints an error again for each target that it builds from a file, and some list all again at the end. */
export function listPlaces(): PlaceList {
  const findings = listFindings();
  const seen = new Set<string>();
  return {
    add: ({ file: path, line, column = "", code, message }) => {
      const file = path.startsWith("./") ? path.slice(2) : path;
      const text = code === undefined ? message : `${code} ${message}`;
      const place = `${file}:${line}:${column} ${text}`;
      if (seen.has(place)) return;
      if (seen.size < 4 * maxFindings) seen.add(place);
      findings.addEach({ id: `${file}: ${steadyText(text)}`, file, line, message });
    },
    size: findings.size,
    end: findings.end,
  };
}
