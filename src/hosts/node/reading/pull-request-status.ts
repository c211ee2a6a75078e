import type { RunRecord } from "../../../model/record.ts";
import type { RunState } from "../../../model/run-state.ts";
import type { PullRequestStatus } from "../../../model/status.ts";

/** Where the pull request of a run stands, as far as the run has recorded it; null where it has none. */
export function pullRequestStatus(
  state: RunState | undefined,
  records: readonly RunRecord[],
): PullRequestStatus | null {
  const book = state?.pullRequest;
  if (book === undefined || book.number === null || book.url === null) return null;
  const { number, url, head, green } = book;
  const causes = Object.values(book.tasks).map(({ cause }) => cause.kind);
  const count = (kind: (typeof causes)[number]): number => causes.filter((each) => each === kind).length;
  return {
    ...{ number, url, head, green },
    waiting: state?.ended === null ? waitIn(records) : null,
    added: { checks: count("check"), threads: count("thread"), conflicts: count("conflict") },
  };
}

/** The wait that the last answer of the forge has led to. */
function waitIn(records: readonly RunRecord[]): PullRequestStatus["waiting"] {
  const last = records.findLast((record) => record.type === "answered");
  if (last === undefined) return null;
  const { answer } = last;
  if (answer.kind !== "pending" && answer.kind !== "hindered") return null;
  return "until" in answer && "reason" in answer && typeof answer.until === "number"
    ? { reason: answer.reason, until: answer.until }
    : null;
}
