import type { TaskId } from "../../model/task.ts";
import type { ProgressEntry } from "../../ports/documents.ts";
import { encodeText } from "../text/encode-text.ts";
import { splitLines } from "../text/line-ending.ts";
import { plainLine } from "../text/plain-line.ts";
import { appendFixHistory } from "./append-fix-history.ts";
import { appendItem } from "./append-item.ts";
import { writeRealityAfter } from "./reality-check.ts";

type Entry<Kind> = Omit<Extract<ProgressEntry, { readonly kind: Kind }>, "kind">;

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

/** A passed task. `title` and `commit` are untrusted. */
export interface Completed {
  readonly task: TaskId;
  readonly title: string;
  /** Abbreviated hash; null if unknown. */
  readonly commit: string | null;
}

export const completedSection = { heading: "Completed Tasks", before: ["Fix Task History", "Learnings"] } as const;

const longestTitle = 200;

/**
 * Add the line of a passed task to `## Completed Tasks`, unless the section has a line of that task. A missing section
 * is created before `## Fix Task History` or `## Learnings`, or at the end of a log without these sections.
 */
export const appendCompleted = (progress: string, completed: Completed): string =>
  appendItem(progress, { ...completedSection, key: completed.task, line: completedLine(completed) });

export function completedLine({ task, title, commit }: Completed): string {
  const text = encodeText(plainLine(title, longestTitle), `x ${task} `);
  const hash = commit === null ? "" : ` - ${encodeText(plainLine(commit, longestTitle), "x - ")}`;
  return `[x] ${task} ${text}${hash}`.trimEnd();
}

const mostFindings = 20;
/** Maximum length in code points of a finding, and of a line in `## Pull Request`. */
const longest = 500;

/**
 * Add the findings of a review to `## Review Suggestions`, one item each; findings that the section has are skipped. A
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

/** Start of a line in `## Pull Request`, without its bullet. */
export const shippedStart = (number: number | null): string => (number === null ? "PR: " : `PR ${number}: `);

/**
 * Add a line to `## Pull Request`, unless the section has it. A missing section is created before the first `##
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

export function newProgress(spec: string): string {
  const name = plainLine(spec.split(/[\\/]/).findLast((part) => part !== "") ?? "", 100);
  return `# Progress: ${encodeText(name, "Progress: ")}\n\n## Completed Tasks\n\n## Learnings\n`;
}
