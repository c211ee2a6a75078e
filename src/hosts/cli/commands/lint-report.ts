import { splitLines } from "../../../markdown/text/line-ending.ts";
import type { Dialect, Plan } from "../../../model/plan.ts";
import { type Problem, type Rule, rules } from "../../../model/rule.ts";
import type { Task } from "../../../model/task.ts";
import { clamp, countOf } from "../../../model/text.ts";
import { escapeText } from "../../../wording/escape-text.ts";

/** What was found in a plan, what is to be done apart from what is done. */
export interface LintReport {
  /** As it stands in front of each problem. */
  readonly name: string;
  readonly problems: readonly Problem[];
  /** Warnings about tasks that are done. */
  readonly done: readonly Problem[];
  /** Told from the whole plan. */
  readonly dialect: Dialect;
  /** Open tasks that a run would delegate. */
  readonly delegated: readonly Pick<Task, "id" | "title" | "line">[];
}

/** Tell warnings about done tasks from all other problems. An error is never among them: a run is refused for it. */
export function reportOn(name: string, problems: readonly Problem[], plan: Plan, text: string): LintReport {
  const lines = new Map<number, boolean>();
  // What stands in another task comes behind it.
  for (const { line, start, end, done } of plan.tasks) {
    const { length } = splitLines(text.slice(start, end).trimEnd());
    for (let at = line; at < line + length; at += 1) lines.set(at, done);
  }
  const isDone = ({ severity, line }: Problem): boolean => severity === "warning" && lines.get(line) === true;
  const delegated = plan.tasks
    .filter((task) => !task.done && task.isGroup !== true && task.aside === undefined)
    .map(({ id, title, line }) => ({ id, title, line }));
  const told = { problems: problems.filter((one) => !isDone(one)), done: problems.filter(isDone) };
  return { name, ...told, dialect: plan.dialect, delegated };
}

/** Lines that are named of a cause with several problems. */
const mostLines = 12;

/**
 * Every cause with its first line, what to do about it, and the other lines.
 *
 * @param all Show each problem by itself, and those of done tasks.
 */
export function renderReport(report: LintReport, all: boolean): string {
  const { name, problems, done } = report;
  const shown = all
    ? [...problems, ...done].sort((one, other) => one.line - other.line).map((one) => [one])
    : causesOf(problems);
  return [...shown.map((cause) => renderCause(name, cause)), renderReading(report), renderCounts(problems, done)].join(
    "",
  );
}

/** Rules of what is not read as somebody may have meant it. */
const misreading: ReadonlySet<Rule> = new Set<Rule>([
  "no-tasks",
  "near-miss-task",
  "heading-task",
  "stray-box",
  "open-fence",
  "open-command",
]);
/** Tasks that are named, and characters of a title. */
const mostTasks = 12;
const longestTitle = 60;

/** As what a plan is read, and where that may not be what is meant, what would be delegated. */
function renderReading({ problems, dialect, delegated }: LintReport): string {
  const known = dialect === "checklist" ? "a checklist: no dialect fits, or several do" : `a plan of ${dialect}`;
  const line = `Read as ${known}; ${countOf(delegated.length, "task", "tasks")} to be delegated`;
  if (!problems.some(({ rule }) => misreading.has(rule))) return `${line}\n`;
  const named = delegated
    .slice(0, mostTasks)
    .map(({ id, title }) => `  ${escapeText(`${id} ${clamp(title, longestTitle)}`)}\n`);
  const more = delegated.length - named.length;
  return [`${line}${named.length === 0 ? "" : ":"}\n`, ...named, ...(more > 0 ? [`  and ${more} more\n`] : [])].join(
    "",
  );
}

const named = /task `[^`]*`/gi;

/** Problems of which the same is said but for the task, in the order of the first of each. */
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

/** The last line of what was found. */
function renderCounts(problems: readonly Problem[], done: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const counts = tellCounts(errors, problems.length - errors);
  return done.length === 0 ? `${counts}\n` : `${counts}; ${done.length} more in tasks that are done: --all\n`;
}

export const tellCounts = (errors: number, warnings: number): string =>
  `${countOf(errors, "error", "errors")}, ${countOf(warnings, "warning", "warnings")}`;

/**
 * Commands that a workflow of GitHub shows beside the lines, one for each problem of open work.
 *
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export const renderGithub = (path: string, { problems }: LintReport): string =>
  problems
    .map(({ line, severity, rule, message, hint }) => {
      const where = `file=${escapeProperty(path)},line=${line},title=${escapeProperty(rule)}`;
      return `::${severity} ${where}::${escapeData(escapeText(`${message}. ${hint}`))}\n`;
    })
    .join("");

const escapeData = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const escapeProperty = (text: string): string => escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** A log of SARIF 2.1.0 with the problems of what is to be done. @param uri Path of the plan, with `/`. */
export const sarifOf = (uri: string, { problems }: LintReport) => ({
  $schema: "https://json.schemastore.org/sarif-2.1.0.json",
  version: "2.1.0",
  runs: [
    {
      tool: {
        driver: {
          name: "fixpoint lint",
          rules: [...new Set(problems.map(({ rule }) => rule))].map((id) => ({
            id,
            shortDescription: { text: rules[id].when },
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
