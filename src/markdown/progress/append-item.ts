import { splitLines } from "../text/line-ending.ts";
import { addToSection } from "./add-to-section.ts";
import { readProgress } from "./progress-section.ts";

/** An item of a section, as markdown. */
export interface SectionItem {
  /** Title of the section, without its marks. */
  readonly heading: string;
  /** Beginnings of the headings before the first of which the section is made. */
  readonly before: readonly string[];
  /** What its line begins with, a box, bold or the word `Task` aside; null when it is to be added in any case. */
  readonly key: string | null;
  /** Without bullet. */
  readonly line: string;
}

/** Add an item to the first section of that title, which is made when it is missing. */
export function appendItem(text: string, { heading, before, key, line }: SectionItem): string {
  const log = readProgress(text);
  const section = log.find(heading);
  if (section !== null && key !== null && holdsLineOf(log.proseOf(section), key)) return text;
  const bullet = section?.bullet ?? "-";
  return addToSection(log, section, { heading, before, bullet, endsWithItem: true, lines: [`${bullet} ${line}`] });
}

function holdsLineOf(section: string, key: string): boolean {
  // What is encoded differs by backslashes only.
  const source = section.replaceAll("\\", "");
  const start = key.replaceAll("\\", "");
  if (start === "" || !source.toLowerCase().includes(start.toLowerCase())) return false;
  const words = start.replace(/[.*+?^${}()|[\]]/g, "\\$&");
  const bullet = String.raw`^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*)?(?:Task[ \t]+)?`;
  const end = /\w$/.test(start) ? String.raw`(?![\w-]|\.\w)` : "";
  const own = new RegExp(`${bullet}${words}${end}`, "i");
  return splitLines(source).some((line) => own.test(line));
}
