import type {
  AttemptSeen,
  Band,
  Expected,
  Forecast,
  PlannedTask,
  Solver,
  Statistics,
  Taken,
  Tally,
} from "../model/statistics.ts";
import { countOf, shorten, someOf } from "../model/text.ts";
import { escapeText } from "./escape-text.ts";
import { renderPurpose } from "./render-summary.ts";
import { renderDuration } from "./render-time.ts";

const mostNamed = 20;

export function renderStatistics(found: Statistics & { readonly specs: number }): string {
  const { specs, runs, tasks, passed, atFirst, solvedBy, byPurpose, byExecutor, total, flaky } = found;
  if (runs === 0) return "No run is recorded here: there is nothing to count\n";
  const solvers = Object.entries(solvedBy).map(([by, count]) => `${count} ${solverWords(by as Solver)}`);
  return [
    `${countOf(specs, "spec")}, ${countOf(runs, "run")}: ${countOf(tasks, "task")} begun, ${passed} passed`,
    `  by their first attempt: ${atFirst}${share(atFirst, tasks)}`,
    ...(solvers.length === 0 ? [] : [`  otherwise: ${solvers.join(", ")}`]),
    ...(passed === tasks ? [] : [`  not passed: ${tasks - passed}`]),
    "",
    ...table("attempts", [
      ...byPurpose.map((each) => [purposeWords(each.purpose), each] as const),
      ...(byExecutor.length < 2
        ? []
        : byExecutor.map((each) => [`executor ${each.executor} of the chain`, each] as const)),
      ["all", total],
    ]),
    ...(flaky.length === 0 ? [] : ["", `Failed and then passed without a change: ${named(flaky)}`]),
    "",
  ].join("\n");
}

const purposeWords = (by: AttemptSeen["purpose"]): string =>
  by === "answer" ? "after a person's answer" : renderPurpose(by);

const solverWords = (by: Solver): string =>
  by === "none" ? "without an attempt" : by === "person" ? "by a person" : purposeWords(by);

const share = (part: number, of: number): string => (of === 0 ? "" : ` (${Math.round((100 * part) / of)} %)`);

function table(first: string, rows: readonly (readonly [string, Tally])[]): string[] {
  const cells = [
    [first, "made", "accepted", "could not work", "cost", "tokens", "time"],
    ...rows.map(([name, tally]) => [
      name,
      String(tally.attempts),
      `${tally.accepted}${share(tally.accepted, tally.attempts)}`,
      String(tally.troubles),
      ...taken(tally),
    ]),
  ];
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}

const taken = ({ costUsd, tokens, ms }: Taken): string[] => [
  costUsd === null ? "unknown" : dollars(costUsd),
  tokens === null ? "unknown" : String(tokens),
  renderDuration(Math.round(ms)),
];

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

const named = (names: readonly string[]): string => someOf(names.map(escapeText), mostNamed);

const longestTitle = 60;
const longestCheck = 80;

export function renderForecast({ steps, tasks, maxDelegations, projectCheck, expected }: Forecast): string {
  if (tasks === 0) return "Nothing to delegate: no task of the plan is open\n";
  const told = steps.reduce((count, step) => count + step.length, 0);
  return [
    `${countOf(tasks, "task")} to be delegated, at most ${countOf(maxDelegations, "delegation")}:`,
    "",
    ...steps.flatMap((step) =>
      step.length === 1
        ? step.map((task) => renderTask(task, "  ", projectCheck))
        : ["  side by side:", ...step.map((task) => renderTask(task, "    ", projectCheck))],
    ),
    ...(told < tasks ? [`  and ${tasks - told} more`] : []),
    "",
    ...(projectCheck === null ? [] : [escapeText(projectCheck)]),
    ...renderExpected(expected),
    "",
  ].join("\n");
}

/**
 * @param projectCheck Sentence about tasks without a check of their own, printed below the list; null if there is none.
 */
function renderTask(
  { id, title, check, isForPerson }: PlannedTask,
  indent: string,
  projectCheck: Forecast["projectCheck"],
): string {
  const line = `${indent}${escapeText(`${id} ${shorten(title, longestTitle)}`)}`;
  if (isForPerson) return `${line}: for a person; the run stops here`;
  if (check === null) return projectCheck === null ? `${line}: no check of its own` : line;
  return `${line}: ${escapeText(shorten(check, longestCheck))}`;
}

function renderExpected({ known, costUsd, tokens, ms }: Expected): string[] {
  if (ms === null) {
    return [`No forecast: ${countOf(known, "task")} of earlier runs here, expected at least 5`];
  }
  const band = ({ p50, p90 }: Band, tell: (value: number) => string): string => `${tell(p50)} to ${tell(p90)}`;
  const parts = [
    ...(costUsd === null ? [] : [band(costUsd, dollars)]),
    ...(tokens === null ? [] : [`${band(tokens, (value) => String(Math.round(value)))} tokens`]),
    `${band(ms, (value) => renderDuration(Math.round(value)))} of work`,
  ];
  return [
    `Expected from ${countOf(known, "task")} of earlier runs here, median to 90th percentile:`,
    `  ${parts.join(", ")}`,
  ];
}
