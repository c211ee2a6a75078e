import type { TaskId } from "../../model/task.ts";
import type { ProgressEntry } from "../../ports/documents.ts";
import { countEndings, dominantEnding, splitLines, utf8Length } from "../text/line-ending.ts";
import { completedLine, completedSection } from "./append-entry.ts";
import { historyIn, historyLine, historySection, needsNoHistory } from "./append-fix-history.ts";
import { behind, margin } from "./append-item.ts";
import { type ProgressLog, readProgress } from "./progress-section.ts";

/** A list at the end of a section. Lines are added to it without parsing the log again. */
interface OpenSection {
  /** Distance from the end of the list to the end of the log, in UTF-16 code units. */
  readonly units: number;
  /** Distance from the end of the list to the end of the log, in UTF-8 bytes. */
  readonly bytes: number;
  /** Line ending, indentation and bullet of a new line. */
  readonly start: string;
  /** Ids at the start of the list's lines, in lower case. */
  readonly begun: Set<string>;
}

/**
 * Sections that get a line for each task. Null for a missing section, and for a section in which an added line may be
 * parsed differently.
 */
export interface OpenSections {
  readonly completed: OpenSection | null;
  readonly history: OpenSection | null;
  /** Tasks that have a line in the history. */
  readonly told: Set<TaskId>;
}

export function openSections(text: string): OpenSections {
  const log = readProgress(text);
  return {
    completed: openSection(log, completedSection.heading),
    history: openSection(log, historySection.heading),
    told: new Set(historyIn(text).map(({ task }) => task)),
  };
}

function openSection(log: ProgressLog, heading: string): OpenSection | null {
  const section = log.find(heading);
  if (!log.isPlain || section?.endsWith !== "list") return null;
  const { text } = log;
  const ending = dominantEnding(countEndings(text));
  const lines = text.slice(section.start, section.end);
  // For these two letters, `toLowerCase` and the regex flag `i` disagree.
  if (behind(text, section.end, ending) !== "" || /[\u0130\u212A]/.test(lines)) return null;
  const rest = text.slice(section.end);
  return {
    ...{ units: rest.length, bytes: utf8Length(rest) },
    start: `${ending}${margin(text, section.end)}${section.bullet} `,
    begun: new Set(splitLines(lines).flatMap(beginningsOf)),
  };
}

/** Text to insert, and the distance of its place from the end of the log. */
export interface Insertion {
  readonly text: string;
  readonly units: number;
  readonly bytes: number;
}

/** Compute the insertion of an entry: `nothing` if the log has it, null if the whole log must be parsed to decide. */
export function insertionOf(sections: OpenSections, entry: ProgressEntry): Insertion | "nothing" | null {
  if (entry.kind === "completed") return lineIn(sections.completed, entry.task, completedLine(entry));
  if (entry.kind !== "fixes" || sections.told.has(entry.task)) return null;
  return needsNoHistory(entry) ? "nothing" : lineIn(sections.history, entry.task, historyLine(entry));
}

function lineIn(section: OpenSection | null, task: TaskId, line: string): Insertion | "nothing" | null {
  const key = task.toLowerCase();
  if (section === null || word.exec(key)?.[0] !== key) return null;
  const { units, bytes, start, begun } = section;
  return begun.has(key) ? "nothing" : { text: `${start}${line}`, units, bytes };
}

export function grown(sections: OpenSections, entry: ProgressEntry, { text, units }: Insertion): OpenSections {
  const own = entry.kind === "completed" ? sections.completed : sections.history;
  for (const beginning of beginningsOf(text.replace(/^[\r\n]+/, ""))) own?.begun.add(beginning);
  if (entry.kind === "fixes") sections.told.add(entry.task);
  const bytes = utf8Length(text);
  // The new line moves earlier sections further from the end.
  const moved = (section: OpenSection | null): OpenSection | null =>
    section === null || section.units <= units
      ? section
      : { ...section, units: section.units + text.length, bytes: section.bytes + bytes };
  return { ...sections, completed: moved(sections.completed), history: moved(sections.history) };
}

const word = /^[\w-]+(?:\.\w[\w-]*)*/;
const item = /^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*)?/;

function beginningsOf(line: string): string[] {
  const plain = line.replaceAll("\\", "").toLowerCase();
  const bullet = item.exec(plain)?.[0];
  if (bullet === undefined) return [];
  const said = plain.slice(bullet.length);
  return [said, said.replace(/^task[ \t]+/, "")].flatMap((text) => word.exec(text)?.[0] ?? []);
}
