import type { TaskId } from "../../model/task.ts";
import type { ProgressEntry } from "../../ports/documents.ts";
import { encodeText } from "../text/encode-text.ts";
import { splitLines } from "../text/line-ending.ts";
import { plainLine } from "../text/plain-line.ts";
import { appendFixHistory } from "./append-fix-history.ts";
import { appendItem } from "./append-item.ts";
import { writeRealityAfter } from "./reality-check.ts";

/** Content of an entry; its texts are untrusted. */
type Entry<Kind> = Omit<Extract<ProgressEntry, { readonly kind: Kind }>, "kind">;

/** Write an entry into a progress log; returns the same text if it is already there. */
export function appendEntry(progress: string, entry: ProgressEntry): string {
  switch (entry.kind) {
    case "completed":
      return appendCompleted(progress, entry);
    case "fixes":
      return appendFixHistory(progress, entry);
    case "suggestion":
      return appendSuggestion(progress, entry);
    case "pull-request":
      return appendShipped(progress, entry);
    case "reality":
      return writeRealityAfter(progress, entry);
  }
}

/** A task that passed. Title and commit are untrusted. */
export interface Completed {
  readonly task: TaskId;
  readonly title: string;
  /** Abbreviated hash; null if unknown. */
  readonly commit: string | null;
}

/** Section of completed tasks. */
export const completedSection = { heading: "Completed Tasks", before: ["Fix Task History", "Learnings"] } as const;

const longestTitle = 200;

/**
 * Add the line of a passed task to `## Completed Tasks`, unless that task has a line there. A missing section is
 * created before `## Fix Task History` or `## Learnings` or, if both are missing, at the end.
 */
export const appendCompleted = (progress: string, completed: Completed): string =>
  appendItem(progress, { ...completedSection, key: completed.task, line: completedLine(completed) });

/** The line of a passed task, without its bullet. */
export function completedLine({ task, title, commit }: Completed): string {
  const text = encodeText(plainLine(title, longestTitle), `x ${task} `);
  const hash = commit === null ? "" : ` - ${encodeText(plainLine(commit, longestTitle), "x - ")}`;
  return `[x] ${task} ${text}${hash}`.trimEnd();
}

/** Maximum number of findings of one suggestion. */
const mostFindings = 20;
/** Maximum length of a finding, or of a line about a pull request, in code points. */
const longest = 500;

/**
 * Add the findings of a suggestion, one item per line, to `## Review Suggestions`, skipping those already there. A
 * missing section is created before the first `## Learnings`.
 */
export function appendSuggestion(progress: string, { task, text }: Entry<"suggestion">): string {
  const findings = splitLines(text)
    .map((line) => plainLine(line, longest))
    .filter((line) => line !== "");
  return findings.slice(0, mostFindings).reduce((log, finding) => {
    const key = `${task}: ${finding}`;
    const line = `Task ${task}: ${encodeText(finding, `Task ${task}: `)}`;
    return appendItem(log, { heading: "Review Suggestions", before: ["Learnings"], key, line });
  }, progress);
}

export const shippedSection = { heading: "Pull Request", before: ["Learnings"] } as const;

/** Beginning of the lines in `## Pull Request`, without the bullet. */
export const shippedStart = (number: number | null): string => (number === null ? "PR: " : `PR ${number}: `);

/**
 * Add the line to `## Pull Request`, unless it is already there. A missing section is created before the first `##
 * Learnings`.
 */
function appendShipped(progress: string, { number, text }: Entry<"pull-request">): string {
  const start = shippedStart(number);
  const said = plainLine(text, longest);
  return appendItem(progress, {
    ...shippedSection,
    key: `${start}${said}`,
    line: `${start}${encodeText(said, start)}`,
  });
}

/** Text of a new progress log. @param spec Name of the spec, or its folder. */
export function newProgress(spec: string): string {
  const name = plainLine(spec.split(/[\\/]/).findLast((part) => part !== "") ?? "", 100);
  return `# Progress: ${encodeText(name, "Progress: ")}\n\n## Completed Tasks\n\n## Learnings\n`;
}
