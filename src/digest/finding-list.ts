import { type Finding, maxFindings, type Reading } from "./reader.ts";

/** What a tool counts itself. */
export type ToolCounts = Pick<Reading, "failed" | "ran">;

/** Findings in the order in which they come, and no more of them than are kept. */
export interface FindingList {
  /** One that a tool may print several times, such as a test with its details and in a summary: the first stays. */
  readonly add: (finding: Finding) => void;
  /** One of which there may be several alike, such as an error at two lines of a file: each later one has a number. */
  readonly addEach: (finding: Finding) => void;
  readonly size: () => number;
  /** Null while there are none and the tool counts none. */
  readonly end: (counts?: ToolCounts) => Reading | null;
}

export function listFindings(): FindingList {
  const found = new Map<string, Finding>();
  const alike = new Map<string, number>();
  let seen = 0;
  const add = (finding: Finding): void => {
    if (found.has(finding.id)) return;
    seen += 1;
    if (found.size < maxFindings) found.set(finding.id, finding);
  };
  return {
    add,
    addEach: (finding) => {
      const before = alike.get(finding.id) ?? 0;
      if (alike.size < maxFindings || before > 0) alike.set(finding.id, before + 1);
      add(before === 0 ? finding : { ...finding, id: `${finding.id} #${before + 1}` });
    },
    size: () => found.size,
    end: ({ failed, ran } = {}) =>
      found.size === 0 && (failed ?? 0) === 0
        ? null
        : { findings: [...found.values()], failed: failed ?? seen, ...(ran !== undefined && { ran }) },
  };
}
