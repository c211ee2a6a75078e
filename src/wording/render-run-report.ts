import type { RunEnding } from "../model/event.ts";
import { renderProof } from "../model/evidence.ts";
import type { RunStatus, TaskStatus } from "../model/status.ts";
import { countOf } from "../model/text.ts";
import { renderDuration } from "./render-time.ts";
import { encodeCell, encodeCode } from "./report/report-text.ts";

const mostTasks = 100;
const mostLines = 20;

const endings: Record<RunEnding, string> = {
  complete: "complete",
  skipped: "done, except for skipped tasks",
  limit: "stopped at a limit",
  checkpoint: "stuck, stopped at a checkpoint",
  gate: "stopped with a question",
  cancelled: "ended by a person",
  interrupted: "interrupted",
  environment: "stopped by a problem of the environment",
  waiting: "waiting for a report or a set time",
};

/**
 * Render a run as markdown for the page of a job or a pull request: tasks that need attention first, then all tasks.
 * Foreign texts are code, so that they cannot mention anyone or contain links.
 */
export function renderRunReport(status: RunStatus): string {
  const { spec, completed, total, iterations, spent, question, tasks, pullRequest } = status;
  const facts = [
    `${completed} of ${countOf(total, "task", "tasks")} done`,
    countOf(iterations, "delegation", "delegations"),
    renderDuration(Math.round(spent.elapsedMs)),
    ...(spent.costUsd === 0 ? [] : [`$${spent.costUsd.toFixed(2)}`]),
  ];
  const needy = tasks.filter(({ state, proof, lastError }) => {
    return (
      state === "failed" ||
      state === "running" ||
      state === "skipped" ||
      proof?.kind === "unproven" ||
      proof?.kind === "unverified" ||
      (state === "open" && lastError !== null)
    );
  });
  const repaired = tasks.filter((task) => task.state === "passed" && (task.attempts > 1 || task.fixes.length > 0));
  const asked = question === null ? [] : `${question.text}\n${question.hint ?? ""}`.split("\n");
  return [
    `# ${encodeCode(spec)}: ${standing(status)}`,
    "",
    `${facts.join(", ")}.`,
    ...(pullRequest === null ? [] : ["", `Pull request ${pullRequest.number}: ${encodeCode(pullRequest.url)}`]),
    ...section(
      "A person is asked",
      asked
        .filter((line) => line.trim() !== "")
        .slice(0, mostLines)
        .map((line) => `- ${encodeCode(line)}`),
    ),
    ...section("Needs attention", needy.map(taskLine)),
    ...section("Passed after a failure", repaired.map(taskLine)),
    ...(tasks.length === 0
      ? []
      : ["", "<details open>", "<summary>All tasks</summary>", "", ...tableOf(tasks), "", "</details>"]),
    "",
  ].join("\n");
}

function standing({ outcome, running, paused, killed, run }: RunStatus): string {
  if (running !== null) return paused ? "paused" : "under way";
  if (killed) return "its coordinator was killed";
  if (outcome !== null) return endings[outcome];
  return run === 0 ? "not run yet" : "not ended";
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", `## ${title}`, "", ...listed(lines)];

const listed = (lines: readonly string[]): string[] =>
  lines.length <= mostTasks ? [...lines] : [...lines.slice(0, mostTasks), `- and ${lines.length - mostTasks} more`];

function tableOf(tasks: readonly TaskStatus[]): string[] {
  const rows = tasks
    .slice(0, mostTasks)
    .map(
      ({ id, title, state, proof, attempts, fixes }) =>
        `| ${encodeCell(`${id} ${title}`)} | ${state} | ${proof === null ? "" : renderProof(proof)} | ${attempts} | ${fixes.length} |`,
    );
  const left = tasks.length - rows.length;
  return [
    "| task | state | proof | attempts | fixes |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    ...(left > 0 ? ["", `And ${left} more.`] : []),
  ];
}

function taskLine({ id, title, state, depth, attempts, fixes, lastError, justification, proof }: TaskStatus): string {
  const tries = [
    ...(attempts > 1 ? [countOf(attempts, "attempt", "attempts")] : []),
    ...(fixes.length > 0 ? [countOf(fixes.length, "fix", "fixes")] : []),
    ...(proof === null || proof.kind === "proven" ? [] : [renderProof(proof)]),
  ];
  const reason = justification ?? (state === "passed" ? null : lastError);
  const about = `${tries.length === 0 ? "" : ` (${tries.join(", ")})`}${reason === null ? "" : `: ${encodeCode(reason)}`}`;
  return `${"  ".repeat(Math.min(depth, 5))}- ${state} ${encodeCode(`${id} ${title}`)}${about}`;
}
