import { readProgress } from "../progress/progress-section.ts";
import { splitLines } from "../text/line-ending.ts";

/** Lines of a section that go. */
export interface Taken {
  /** Title of the section. */
  readonly title: string;
  /** Whether a line goes, without its bullet. */
  readonly isOwn: (line: string) => boolean;
  /** Whether only a run makes the section: it goes with its last line. */
  readonly isMade: boolean;
}

/** A log without lines of its sections, and the lines. */
export function takeLines(
  log: string,
  sections: readonly Taken[],
): { readonly after: string; readonly removed: readonly string[] } {
  const removed: string[] = [];
  const take = (text: string, { title, isOwn, isMade }: Taken): string =>
    readProgress(text)
      .findAll(title)
      .reverse()
      .reduce((rest, { start, end }) => {
        const lines = linesWithEnds(rest.slice(start, end));
        const kept = lines.filter((line) => !isOwn(contentOf(line)));
        if (kept.length === lines.length) return rest;
        removed.push(...lines.filter((line) => isOwn(contentOf(line))).map((line) => line.trim()));
        const isEmpty = isMade && kept.slice(1).every((line) => line.trim() === "");
        const behind = rest.slice(end);
        if (!isEmpty) return `${rest.slice(0, start)}${kept.join("").trimEnd()}${behind}`;
        return `${rest.slice(0, start).trimEnd()}${behind}`;
      }, text);
  return { after: sections.reduce(take, log), removed };
}

/** Items of a log, without their bullets. */
export const itemsIn = (log: string): string[] =>
  splitLines(log)
    .filter((line) => /^[-*+] /.test(line))
    .map(contentOf);

const contentOf = (line: string): string => line.trim().replace(/^[-*+][ \t]+/, "");

const linesWithEnds = (text: string): string[] => text.split(/(?<=\n|\r(?!\n))/);
