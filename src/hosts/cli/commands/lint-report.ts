import type { PlanReport } from "../../../markdown/lint-plan.ts";
import type { Problem } from "../../../model/rule.ts";
import { countOf } from "../../../model/text.ts";
import { describeReading } from "../../../wording/describe-reading.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { ruleTexts } from "../../../wording/rule-texts.ts";

const mostLines = 12;

/**
 * Render each cause: the first problem with its line, the hint, and the lines of the other problems.
 *
 * @param name Name of the plan, printed before each problem.
 * @param all Whether to list each problem separately, also those of done tasks.
 */
export function renderReport(name: string, report: PlanReport, all: boolean): string {
  const { problems, done } = report;
  const shown = all
    ? [...problems, ...done].sort((one, other) => one.line - other.line).map((one) => [one])
    : causesOf(problems);
  return [...shown.map((cause) => renderCause(name, cause)), renderReading(report), renderCounts(problems, done)].join(
    "",
  );
}

const mostTasks = 12;

function renderReading(report: PlanReport): string {
  const { line, named } = describeReading(report, mostTasks);
  const lines = named === null || named.length === 0 ? [line] : [`${line}:`, ...named.map((task) => `  ${task}`)];
  return lines.map((each) => `${escapeText(each)}\n`).join("");
}

const named = /task `[^`]*`/gi;

/** Group problems that differ only in the task they name, in the order of the first problem of each group. */
function causesOf(problems: readonly Problem[]): Problem[][] {
  const causes = new Map<string, Problem[]>();
  for (const problem of problems) {
    const key = JSON.stringify([problem.rule, problem.message.replaceAll(named, ""), problem.hint]);
    const cause = causes.get(key);
    if (cause === undefined) causes.set(key, [problem]);
    else cause.push(problem);
  }
  return [...causes.values()];
}

function renderCause(name: string, cause: readonly Problem[]): string {
  const [{ line, severity, rule, message, hint }, ...others] = cause as readonly [Problem, ...Problem[]];
  const lines = others.slice(0, mostLines).map((other) => other.line);
  const more = others.length - lines.length;
  const also = `also on line${others.length === 1 ? "" : "s"} ${lines.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
  return [
    escapeText(`${name}:${line} ${severity} ${rule}: ${message}`),
    ...(others.length === 0 ? [] : [`  ${also}`]),
    `  ${escapeText(hint)}`,
  ]
    .map((text) => `${text}\n`)
    .join("");
}

function renderCounts(problems: readonly Problem[], done: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const counts = renderTotals(errors, problems.length - errors);
  return done.length === 0
    ? `${counts}\n`
    : `${counts}; ${done.length} more in completed tasks (show them with --all)\n`;
}

export const renderTotals = (errors: number, warnings: number): string =>
  `${countOf(errors, "error", "errors")}, ${countOf(warnings, "warning", "warnings")}`;

/**
 * Render a GitHub workflow command for each problem of open work; GitHub shows them next to the lines.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export const renderGithub = (path: string, { problems }: PlanReport): string =>
  problems
    .map(({ line, severity, rule, message, hint }) => {
      const where = `file=${escapeProperty(path)},line=${line},title=${escapeProperty(rule)}`;
      return `::${severity} ${where}::${escapeData(escapeText(`${message}. ${hint}`))}\n`;
    })
    .join("");

const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string): string => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** Build a SARIF 2.1.0 log with the problems of open work. @param uri Path of the plan, with `/`. */
export const sarifOf = (uri: string, { problems }: PlanReport) => ({
  $schema: "https://json.schemastore.org/sarif-2.1.0.json",
  version: "2.1.0",
  runs: [
    {
      tool: {
        driver: {
          name: "fixpoint lint",
          rules: [...new Set(problems.map(({ rule }) => rule))].map((id) => ({
            id,
            shortDescription: { text: ruleTexts[id] },
          })),
        },
      },
      results: problems.map(({ rule, severity, line, message, hint }) => ({
        ruleId: rule,
        level: severity,
        message: { text: `${message}. ${hint}` },
        locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(uri) }, region: { startLine: line } } }],
      })),
    },
  ],
});
