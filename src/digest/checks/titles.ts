/** The titles above a check in a list that is indented by two more for each level. */
export interface Titles {
  /** A title that has others below it. @param depth 0 for the outermost. */
  readonly open: (depth: number, title: string) => void;
  /** The names from the outermost to a check at a depth; null where one is not known. */
  readonly at: (depth: number, name: string) => readonly string[] | null;
  readonly clear: () => void;
}

const deepest = 100;

export function openTitles(): Titles {
  let titles: string[] = [];
  return {
    open: (depth, title) => {
      if (depth <= titles.length && depth < deepest) titles = [...titles.slice(0, depth), title];
    },
    at: (depth, name) => (depth > titles.length ? null : [...titles.slice(0, depth), name]),
    clear: () => {
      titles = [];
    },
  };
}

/** How far a line is set in. */
export const indentOf = (line: string): number => Math.max(0, line.slice(0, 200).search(/\S/));

/** A name without the time that its check took: `(3 ms)`, `(3.14ms)`, ` 12ms`. */
export const withoutTime = (name: string): string =>
  name.replace(/ (?:\(\d[\d.]{0,15} ?m?s\)|\d[\d.]{0,15}m?s)$/, "").trim();
