import type { TaskId } from "../../model/task.ts";
import { encodeText } from "../text/encode-text.ts";
import { splitLines } from "../text/line-ending.ts";
import { plainLine } from "../text/plain-line.ts";
import { appendItem } from "./append-item.ts";

/** What a reviewer found that only a person can see to. */
export interface Suggestion {
  readonly task: TaskId;
  /** Untrusted; a finding a line. */
  readonly text: string;
}

/** Findings taken of one suggestion, and code points of each. */
const mostFindings = 20;
const longest = 500;

/**
 * Add the findings of a suggestion, one item each, to `## Review Suggestions`, which is made before the first
 * `## Learnings` when it is missing. One that stands there is not added again.
 */
export function appendSuggestion(progress: string, { task, text }: Suggestion): string {
  const findings = splitLines(text)
    .map((line) => plainLine(line, longest))
    .filter((line) => line !== "");
  return findings.slice(0, mostFindings).reduce((log, finding) => {
    const key = `${task}: ${finding}`;
    const line = `Task ${task}: ${encodeText(finding, `Task ${task}: `)}`;
    return appendItem(log, { heading: "Review Suggestions", before: ["Learnings"], key, line });
  }, progress);
}
