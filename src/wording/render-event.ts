import type { Progress, RunEvent, TimedRunEvent } from "../model/event.ts";
import { countProofs, renderProof } from "../model/evidence.ts";
import { countOf } from "../model/text.ts";
import { clipText, escapeText } from "./escape-text.ts";
import { insteadOf, levelLine, renderProgress, renderWait } from "./render-progress.ts";
import { renderProofs } from "./render-proofs.ts";
import { renderRequesting } from "./render-pull-request.ts";
import { clockTime } from "./render-time.ts";
import { racedWords, roleWords } from "./role-words.ts";

/** Maximum width of a foreign text in a line, in columns. */
const foreignWidth = 300;

/** Events that are printed as a line. Progress is not printed; a decision is shown by the next event. */
export type Happening = Exclude<
  TimedRunEvent,
  { type: "run.started" | "run.ended" | "task.decided" | "task.progress" }
>;

export const renderEvent = (event: Happening): string => escapeText(lineOf(event));

function lineOf(event: Happening): string {
  switch (event.type) {
    case "check.started":
      if (event.ofProject === true) return `checking the work: ${event.command}`;
      return event.task === undefined
        ? `final check: ${event.command}`
        : `checking ${event.task} once more: ${event.command}`;
    case "work.checked":
      return `checked ${renderProofs(countProofs(Object.entries(event.proofs)))}`;
    case "check.failed":
      return `failed after all: ${event.error}`;
    case "executor.chosen":
      return `${event.role}: ${event.line}`;
    case "task.delegated":
      return roleWords[event.role].asked(event.task, event.attempt);
    case "task.rejected":
      return `rejected ${event.task} by ${event.layer}: ${event.reason}`;
    case "task.failed":
      return `failed ${event.task}${measured(event.progress)}: ${event.failure.error}`;
    case "fix.inserted":
      return `fix ${event.fix} inserted below ${event.task}${insteadOf(event.supersedes)} (${fixCount(event)})`;
    case "task.passed": {
      const fixes = event.fixes.length === 0 ? "" : `, ${countOf(event.fixes.length, "fix", "fixes")}`;
      return `passed ${event.task} after ${countOf(event.attempts, "attempt", "attempts")}${fixes}${measured(event.left ?? null)}, ${renderProof(event.proof)}${until(event.later)}`;
    }
    case "review.ended": {
      const found = event.findings === "" ? "" : `: ${clipText(event.findings, foreignWidth).text}`;
      return `review of ${event.task} ${event.passed ? "passed" : "ended with findings"} (round ${event.round})${found}`;
    }
    case "plan.changed":
      return changeLine(event);
    case "change.refused":
      return `refused the plan change that ${event.task} requested: ${event.reason}`;
    case "level.changed":
      return levelLine(event);
    case "task.raced":
      return `attempt ${event.attempt} of the race on ${event.task}: ${racedWords[event.outcome]}`;
    case "race.ended":
      return `the race on ${event.task} is over: the task continues with attempt ${event.attempt}`;
    case "repair.chosen": {
      const detail = event.detail === "" ? "" : `: ${clipText(event.detail, foreignWidth).text}`;
      return `repair of ${event.task}: ${event.strategy} (${event.budgetLeft} left)${detail}`;
    }
    case "repair.refused":
      return `cannot use the repair operator's answer about ${event.task}: ${clipText(event.reason, foreignWidth).text}`;
    case "task.skipped":
      return `skipped ${event.task}: ${clipText(event.justification, foreignWidth).text}`;
    case "person.asked":
      return askLine(event);
    case "run.paused":
      return "paused: nothing more is delegated until the run is resumed";
    case "run.resumed":
      return "resumed";
    case "group.started":
      return `began ${event.tasks.join(", ")} side by side`;
    case "group.ended":
      return `ended ${event.tasks.join(", ")}`;
    case "waiting": {
      const said = event.error === "" ? "" : `: ${clipText(event.error, foreignWidth).text}`;
      return `${renderWait(event)} (task ${event.task})${said}`;
    }
    case "pr.pushed":
      return `pushed ${event.head.slice(0, 10)}`;
    case "pr.opened":
      return `pull request ${event.number} ${event.created ? "opened" : "found"}: ${event.url}`;
    case "pr.waiting":
      return waitLine(event);
    case "pr.task":
      return `task ${event.task} added: ${clipText(event.title, foreignWidth).text}`;
    case "check.rerun":
      return `check ${event.check} failed; it is rerun once`;
    case "check.flaky":
      return `flaky: ${event.checks.join(", ")} passed when run once more`;
    case "review.answered":
      return `review comment of task ${event.task} answered`;
    case "pr.ready":
      return `pull request ${event.number} is green and confirmed at ${event.head.slice(0, 10)}${renderRequesting(event.requesting)}`;
    case "pr.merged":
      return `pull request ${event.number} was merged${renderRequesting(event.requesting)}`;
    case "notice":
      return `notice: ${event.message}`;
  }
}

function waitLine({ at, reason, until }: Extract<Happening, { type: "pr.waiting" }>): string {
  const time = clockTime(until, Date.parse(at));
  switch (reason) {
    case "checks":
      return `waiting for checks, until ${time} at most`;
    case "merge":
      return "waiting for the forge to compute whether a merge is possible";
    default:
      return `the forge cannot answer (${reason}): it is asked again at ${time}`;
  }
}

/** Number of fixes of a task since the task last made progress: only these fixes count towards the limit. */
const fixCount = ({ fix, attempts, limit }: Extract<RunEvent, { type: "fix.inserted" }>): string =>
  `${attempts} of ${limit}${fix.endsWith(`.${attempts}`) ? "" : " since the last progress"}`;

/** Show the change of failing checks; the error already says how many fail. */
const measured = (progress: Progress): string =>
  progress === null || progress.was === null ? "" : ` (${renderProgress(progress)})`;

function askLine({ task, about, question }: Extract<RunEvent, { type: "person.asked" }>): string {
  const told = question === null ? "" : `: ${clipText(question.replace(/\s+/g, " "), foreignWidth).text}`;
  switch (about) {
    case "repair":
      return `a person is asked about ${task}: retry, skip or stop`;
    case "checkpoint":
      return `a person is asked how to continue with ${task}`;
    case "blocked":
      return `the executor of ${task} asks a person${told}`;
    case "environment":
      return `a person is asked about the environment${told}`;
    case "guard":
      return `a person is asked about changes to the proof of ${task}${told}`;
  }
}

function changeLine({ task, change, added }: Extract<RunEvent, { type: "plan.changed" }>): string {
  const tasks = added.join(", ");
  switch (change) {
    case "SPLIT_TASK":
      return `split ${task} into ${tasks}`;
    case "ADD_PREREQUISITE":
      return `added ${tasks} before ${task}`;
    case "ADD_FOLLOWUP":
      return `added ${tasks} after ${task}`;
  }
}

export function renderHeading(started: Extract<RunEvent, { type: "run.started" }>): string {
  const { spec, completed, total, next } = started;
  const from = next === null ? "" : `Starting from task ${escapeText(next)}\n`;
  return `Starting execution for '${escapeText(spec)}'\n\nTasks: ${completed}/${total} completed\n${from}\n`;
}

const until = (later: "phase" | "end" | undefined): string =>
  later === undefined ? "" : ` until the check ${later === "phase" ? "after its phase" : "at the end"}`;
