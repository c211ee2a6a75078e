import type { TaskId } from "../../model/task.ts";
import { readTitle } from "../tasks/read-title.ts";
import { linesWithEnds, splitLines, utf8Length } from "../text/line-ending.ts";
import { completedSection } from "./append-entry.ts";
import { addToSection, appendItem, type LogPiece } from "./append-item.ts";
import { joinPieces, type LogSection, learnings, readMemberLog } from "./member-log.ts";
import { type ProgressLog, readProgress } from "./progress-section.ts";

/** Maximum size of a member's log in bytes; the rest is not read. */
const mostBytes = 64 * 1024;
const cutNote = "- The rest of a log of more than 64 KiB was not merged";

/**
 * Merge the progress log of a batch task into the log of the run. The text of a section goes to the end of the section
 * with the same heading. Missing sections are created before `## Learnings`, and text without a heading becomes
 * learnings. Text that the log of the run already contains is not added again, and existing text stays unchanged. Lines
 * of completed tasks are skipped, since the coordinator writes them.
 *
 * @param member Untrusted: open fences are closed, and blocks of HTML become text. HTML within a line stays. @param
 * done Tasks that another start accepted: their lines are copied unless the log has one.
 */
export function mergeProgress(progress: string, member: string, done: ReadonlySet<TaskId> = new Set()): string {
  const stands = createSearch(readProgress(progress));
  const { sections, completions } = readMember(member);
  const completed = completions.reduce((text, { task, line }) => {
    return done.has(task) ? appendItem(text, { ...completedSection, key: task, line }) : text;
  }, progress);
  return sections.reduce((text, { heading, pieces }) => {
    const taken = new Set<string>();
    const fresh = pieces.filter(({ lines }) => {
      const said = trimmed(lines);
      const isFresh = !taken.has(said) && !stands(said);
      taken.add(said);
      return isFresh;
    });
    const [first] = fresh;
    if (first === undefined) return text;
    const log = readProgress(text);
    return addToSection(log, log.find(heading), {
      heading,
      before: heading.toLowerCase() === learnings.toLowerCase() ? [] : [learnings],
      bullet: first.bullet,
      endsWithItem: (fresh.at(-1) as LogPiece).endsWithItem,
      lines: joinPieces(fresh),
    });
  }, completed);
}

interface Completion {
  readonly task: TaskId;
  readonly line: string;
}

function readMember(member: string): { sections: LogSection[]; completions: Completion[] } {
  const taken = firstBytes(member);
  const learned: LogPiece[] = [];
  const others: LogSection[] = [];
  const completions: Completion[] = [];
  for (const { heading, pieces } of readMemberLog(taken)) {
    const name = heading.toLowerCase();
    if (name === learnings.toLowerCase()) learned.push(...pieces);
    else if (name === completedSection.heading.toLowerCase()) {
      learned.push(...pieces.filter((piece) => !isCompletion(piece)));
      completions.push(...pieces.flatMap(completionIn));
    } else others.push({ heading, pieces });
  }
  if (taken.length < member.length) learned.push({ bullet: "-", endsWithItem: true, lines: [cutNote] });
  return { sections: [...others, { heading: learnings, pieces: learned }], completions };
}

const itemStart = /^[^ \t]*[ \t]*(\[[ xX]\])?[ \t]*(?:\*\*)?(?:Task[ \t]+)?(?:\*\*)?/i;

function isCompletion({ bullet, lines }: LogPiece): boolean {
  if (bullet === null) return false;
  const first = (lines[0] as string).replaceAll("\\", "");
  const [start, box] = itemStart.exec(first) as RegExpExecArray;
  return box !== undefined || readTitle(first.slice(start.length)).id !== null;
}

function completionIn({ lines }: LogPiece): Completion[] {
  const line = (lines[0] as string).replace(/^[^ \t]*[ \t]*/, "");
  const [, title] = /^\[[xX]\][ \t](.*)$/.exec(line) ?? [];
  const task = title === undefined ? null : readTitle(title.trimStart()).id;
  return task === null ? [] : [{ task, line }];
}

const trimmed = (lines: readonly string[]): string => lines.map((line) => line.trim()).join("\n");

function createSearch(log: ProgressLog): (lines: string) => boolean {
  const parts = log.parts().map((part) => `\n${trimmed(splitLines(part))}\n`);
  const single = new Set(parts.flatMap((part) => part.split("\n")));
  return (lines) => (lines.includes("\n") ? parts.some((part) => part.includes(`\n${lines}\n`)) : single.has(lines));
}

/** First lines of a text with at most `mostBytes` bytes. */
function firstBytes(text: string): string {
  if (text.length <= mostBytes && utf8Length(text) <= mostBytes) return text;
  let end = 0;
  let bytes = 0;
  for (const line of linesWithEnds(text.slice(0, mostBytes + 1))) {
    bytes += utf8Length(line);
    if (bytes > mostBytes) break;
    end += line.length;
  }
  return text.slice(0, end);
}
