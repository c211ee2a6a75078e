import type { Considered, StuckCounts } from "../model/decision.ts";
import type { StuckReason } from "../model/escalation.ts";
import type { Fact } from "../model/explanation.ts";
import { flagOf } from "./explain-denial.ts";

type Decided = Extract<Fact, { kind: "decided" }>;

const moves: Record<Decided["decision"], string> = {
  retry: "delegate it again",
  fix: "write a fix task",
  repair: "ask the repair operator",
  pivot: "try a different approach",
  research: "gather context first",
  race: "run several attempts side by side",
  checkpoint: "stop with a report and ask",
  gate: "ask a person",
  exhausted: "nothing is left to try",
};

/** The result is not escaped. */
export function renderDecision({ task, decision, stuck, level, considered, counts }: Decided) {
  const at = level === "normal" ? "" : `, at level ${level}`;
  return {
    head: `decided for ${task}${at}: ${moves[decision]}`,
    details: [
      ...considered.map((rung) => rungLine(rung, task, counts)),
      ...stuckLine(stuck, counts),
      countLine(counts),
    ],
  };
}

/** @param decided The task of the decision; counts of another task are labelled with that task. */
function rungLine(
  { rung, limit, task, spent, max, passedOver }: Considered,
  decided: string,
  counts: StuckCounts,
): string {
  const where = task === decided ? "" : ` of ${task}`;
  const used = limit === null ? "no limit" : `${spent} of ${max} used (${flagOf(limit)}${where})`;
  switch (passedOver) {
    case null:
      return `${rung}: ${used}`;
    case "spent":
      return `${rung}: passed over, ${used}`;
    case "stuck":
      return `${rung}: passed over because the task is stuck, ${used}`;
    case "repeated":
      return `${rung}: passed over because the same approach was tried before, ${used}`;
    case "total":
      return `${rung}: passed over, ${counts.total.count} of ${counts.total.max} attempts (${flagOf("maxTotalAttempts")}), ${used}`;
  }
}

function stuckLine(stuck: StuckReason | null, { sameErrors, unchanged, sinceBest, admission }: StuckCounts): string[] {
  switch (stuck) {
    case null:
      return [];
    case "same-error":
      return [`stuck: same error ${sameErrors.count} times in a row (limit ${sameErrors.max})`];
    case "no-progress":
      return [`stuck: ${sinceBest?.count} failures in a row without fewer red checks (limit ${sinceBest?.max})`];
    case "no-change":
      return [`stuck: no file changed in ${unchanged.count} attempts in a row (limit ${unchanged.max})`];
    case "state-again":
      return ["stuck: the files are again as they were after an earlier failure"];
    case "strategy-again":
      return ["stuck: the same approach was tried before"];
    case "admission":
      return [`stuck: the executor admits it: ${admission}`];
  }
}

function countLine({ sameErrors, unchanged, sinceBest, failures }: StuckCounts): string {
  const upTo = (max: number | null, word: string): string => (max === null ? "" : ` (${word} ${max})`);
  return [
    `counted: failed attempts: ${failures.count}${upTo(failures.max, "limit")}`,
    `same error in a row: ${sameErrors.count}${sinceBest === null ? upTo(sameErrors.max, "stuck at") : ""}`,
    ...(sinceBest === null
      ? []
      : [`failures in a row without progress: ${sinceBest.count}${upTo(sinceBest.max, "stuck at")}`]),
    // File changes are not tracked if the policy has no rung for a stuck task.
    ...(unchanged.max === null
      ? []
      : [`attempts in a row without a file change: ${unchanged.count}${upTo(unchanged.max, "stuck at")}`]),
  ].join(", ");
}
