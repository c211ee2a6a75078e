import type { RunEnded } from "../model/event.ts";
import { Purpose } from "../model/ledger.ts";
import { advisoryRoles } from "../model/role.ts";
import { countOf } from "../model/text.ts";
import { escapeLines, escapeText } from "./escape-text.ts";
import { fitItems } from "./render-items.ts";
import { renderProofs } from "./render-proofs.ts";
import { renderDuration } from "./render-time.ts";
import { roleWords } from "./role-words.ts";

/**
 * Render the end of a run: lines for standard output, and the error with its hint for standard error.
 *
 * @param columns Width for lists of items that need consent.
 */
export function renderSummary(ended: RunEnded, columns = 80): { readonly out: string; readonly err: string } {
  const { outcome, original, fixes, attempts, durationMs, costUsd, tokens, tickedByHand, skipped } = ended;
  const { toOperator = 0, added = 0, proofs, knownFailures = [], superseded = [], acceptedAny = false } = ended;
  const lines = [
    "",
    `Outcome: ${outcome}`,
    `Tasks: ${original} original, ${fixes} fix${added === 0 ? "" : `, ${added} for the pull request`}`,
    `Delegations: ${attempts}${toOperator === 0 ? "" : ` (${toOperator} to the repair operator)`}`,
    `Time: ${renderDuration(durationMs)}`,
    ...(costUsd === undefined ? [] : [`Cost: $${costUsd.toFixed(2)}`]),
    ...(tokens === undefined ? [] : [`Tokens: ${tokens}`]),
    ...renderSpent(ended.spent),
    ...(tickedByHand > 0 ? [`Done before this run or by hand: ${countOf(tickedByHand, "task", "tasks")}`] : []),
    ...(superseded.length > 0 ? [`Superseded: ${superseded.map(escapeText).join(", ")}`] : []),
    ...(proofs === undefined ? [] : [`${renderProofs(proofs, original)}${renderSteps(ended)}`]),
    ...(knownFailures.length > 0
      ? [`Failed before the run, and ignored: ${knownFailures.map(escapeText).join(", ")}`]
      : []),
    ...(acceptedAny ? ["Accepted in advance (--accept any): every change that was asked about"] : []),
    ...(skipped.length > 0 ? [`Skipped: ${skipped.map(escapeText).join(", ")}`] : []),
    ...renderLeftOpen(ended.leftOpen),
    ...renderPullRequest(ended.pullRequest),
    ...renderShipped(ended.shipped),
    ...(outcome === "complete" ? ["", "ALL_TASKS_COMPLETE"] : []),
  ];
  return { out: `${lines.join("\n")}\n`, err: fitItems(renderReason(ended), columns) };
}

/** Count the tasks about the pull request, which fixpoint does itself. */
function renderSteps({ outcome, original, proofs, shipped, tickedByHand, skipped }: RunEnded): string {
  if (outcome !== "complete" || shipped === undefined || proofs === undefined) return "";
  const { proven, checked, unproven, unverified } = proofs;
  const others = [proven, checked, unproven.length, unverified.length, tickedByHand, skipped.length];
  const steps = original - others.reduce((sum, count) => sum + count, 0);
  return steps > 0 ? `, and ${countOf(steps, "step")} of the pull request` : "";
}

function renderShipped(shipped: RunEnded["shipped"]): string[] {
  if (shipped === undefined) return [];
  const { url, requesting = [] } = shipped;
  return [
    `Pull request: ${escapeText(url)}`,
    ...(requesting.length > 0 ? [`Changes still requested by: ${requesting.map(escapeText).join(", ")}`] : []),
  ];
}

/** List the tasks that the plan itself excludes, by reason. */
function renderLeftOpen(open: RunEnded["leftOpen"] = []): string[] {
  if (open.length === 0) return [];
  const reasons = [...new Set(open.map(({ why }) => why))].map((why) => {
    const ids = [...new Set(open.flatMap((one) => (one.why === why ? [escapeText(one.task)] : [])))];
    const shown = ids.length > mostNamed ? [...ids.slice(0, mostNamed), `${ids.length - mostNamed} more`] : ids;
    return `${shown.join(", ")} (${asideWords[why]})`;
  });
  return [`Open: ${countOf(open.length, "box", "boxes")}: ${reasons.join("; ")}`];
}

const mostNamed = 12;
const asideWords = {
  optional: "optional",
  deferred: "deferred",
  person: "for a person",
  criterion: "not read as tasks, since they have no id and their heading has no tasks",
  step: "steps of a done task",
};

function renderPullRequest(phase: RunEnded["pullRequest"]): string[] {
  if (phase === undefined) return [];
  const { title, tasks, open } = phase;
  const done =
    open.length === 0
      ? "only the steps with a box are done"
      : `only tasks are done, and ${open.map(escapeText).join(", ")} ${open.length === 1 ? "is" : "are"} still open`;
  const what = tasks === 0 ? "nothing is done, as it has no task" : done;
  return [`No pull request was made (--pull-request makes one); in "${escapeText(title)}" ${what}`];
}

/** Costs of the run by the rung of the ladder that caused them. */
const renderSpent = (spent: RunEnded["spent"] = {}): string[] =>
  Purpose.options.flatMap((purpose) => {
    const part = spent[purpose];
    if (part === undefined) return [];
    const { delegations, costUsd, tokens } = part;
    const facts = [
      countOf(delegations, "delegation", "delegations"),
      ...(costUsd > 0 ? [`$${costUsd.toFixed(2)}`] : []),
      ...(tokens > 0 ? [`${tokens} tokens`] : []),
    ];
    return [`  ${renderPurpose(purpose)}: ${facts.join(", ")}`];
  });

export function renderPurpose(purpose: Purpose): string {
  const role = advisoryRoles.find((each) => each === purpose);
  if (role !== undefined) return roleWords[role].called;
  return purpose === "first" ? "first attempts" : `after ${purpose}`;
}

function renderReason({ outcome, error, hint }: RunEnded): string {
  if (outcome === "interrupted") return `Interrupted. ${escapeLines(hint ?? "Run again to resume.")}\n`;
  // The report of a checkpoint begins with a title of its own.
  const told = error === undefined ? [] : [outcome === "checkpoint" ? error : `ERROR: ${error}`];
  return [...told, ...(hint === undefined ? [] : [hint])].map((text) => `${escapeLines(text)}\n`).join("");
}
