import type { RowState, RunRow } from "../../../model/run-row.ts";

interface RowWords {
  /** Whose colour it has. */
  readonly kind: "ask" | "bad" | "work" | "quiet" | "good";
  readonly sign: string;
  readonly words: string;
  /** What several of them are called in a sum. */
  readonly sum: string;
}

/** In the order in which they are shown: what waits for a person first, what is over last. */
export const rowWords: Readonly<Record<RowState, RowWords>> = {
  asking: { kind: "ask", sign: "?", words: "asks", sum: "with a question to you" },
  gate: { kind: "ask", sign: "?", words: "stopped with a question", sum: "with a question to you" },
  checkpoint: { kind: "ask", sign: "?", words: "stuck", sum: "stuck" },
  broken: { kind: "bad", sign: "✗", words: "cannot be read", sum: "that cannot be read" },
  environment: { kind: "bad", sign: "✗", words: "surroundings out of order", sum: "with surroundings out of order" },
  limit: { kind: "bad", sign: "✗", words: "at a limit", sum: "at a limit" },
  killed: { kind: "bad", sign: "✗", words: "killed", sum: "killed" },
  paused: { kind: "ask", sign: "…", words: "paused", sum: "paused" },
  working: { kind: "work", sign: "●", words: "at work", sum: "at work" },
  elsewhere: { kind: "work", sign: "●", words: "on another machine", sum: "on another machine" },
  interrupted: { kind: "quiet", sign: "–", words: "stopped", sum: "stopped" },
  cancelled: { kind: "quiet", sign: "–", words: "stopped", sum: "stopped" },
  new: { kind: "quiet", sign: "○", words: "not begun", sum: "not begun" },
  skipped: { kind: "good", sign: "✓", words: "done, some left out", sum: "done but for what was left out" },
  complete: { kind: "good", sign: "✓", words: "complete", sum: "complete" },
};

const order = Object.keys(rowWords);

export const rankOf = (state: RowState): number => order.indexOf(state);

/** Whose move it is, and what it would be. */
export function moveOf({ state, tasks, problem }: RunRow): string {
  if (state === "broken") return `yours: ${problem ?? "mend it"}`;
  if (state === "asking") return `yours: answer about ${tasks.join(", ")}`;
  if (state === "working") return tasks.length === 0 ? "the coordinator's" : `the executor's: ${tasks.join(", ")}`;
  return moves[state];
}

const moves: Readonly<Record<Exclude<RowState, "broken" | "asking" | "working">, string>> = {
  gate: "yours: answer the question",
  checkpoint: "yours: retry, advise or leave out",
  environment: "yours: mend the surroundings",
  limit: "yours: raise the limit, or leave it",
  killed: "yours: go on with it",
  paused: "yours: resume it",
  elsewhere: "that of its coordinator there",
  interrupted: "yours: go on with it",
  cancelled: "yours: go on with it",
  new: "yours: run it",
  skipped: "nobody's",
  complete: "nobody's",
};
