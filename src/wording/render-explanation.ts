import type { Explanation, Way } from "../model/explanation.ts";
import { clipText, escapeText } from "./escape-text.ts";
import { flagOf } from "./explain-denial.ts";
import { renderFact } from "./render-fact.ts";
import { isoTime } from "./render-time.ts";

/** Maximum width of a line, since texts of executors can be long. */
const widest = 400;

const states: Record<Explanation["state"], string> = {
  passed: "passed",
  running: "under way",
  open: "open",
  skipped: "skipped",
  limit: "stopped at a limit",
  checkpoint: "stuck, at a checkpoint",
  gate: "waits for a person",
};

export function renderExplanation(explanation: Explanation): string {
  const { task, title, madeFor, facts, ways } = explanation;
  const name = title === null ? `${task} (not in the plan any more)` : `${task} ${title}`;
  const made = madeFor === null ? [] : [`${task.includes("~") ? "A part" : "A fix"} of ${madeFor}.`];
  const asked = new Set(facts.flatMap((fact) => (fact.kind === "asked" ? [fact.reason] : [])));
  const told = facts.flatMap((fact, index) => {
    // The question that ended the start is already printed.
    const isTold = fact.kind === "ended" && asked.has(fact.error ?? "");
    const { head, details } = renderFact(isTold ? { ...fact, error: null } : fact);
    const number = `${index + 1}.`;
    const time = fact.at.replace(/\.\d+Z$/, "Z");
    return [`${number} ${time} ${head}`, ...details.map((detail) => `${" ".repeat(number.length + 1)}${detail}`)];
  });
  const lines = [
    `${name}: ${states[explanation.state]}`,
    ...made,
    ...(told.length === 0 ? [] : ["", ...told]),
    "",
    ...adviceIn(explanation),
    ...ways.map((way) => `- ${renderWay(way)}`),
  ];
  return lines.map((line) => `${clipText(escapeText(line), widest).text}\n`).join("");
}

function adviceIn({ state, attempted, ways }: Explanation): string[] {
  if (state === "passed" && !attempted)
    return ["No executor worked on this task: its box was ticked by hand, or before this run."];
  if (state === "passed") return ["The task is done: nothing is left to change."];
  if (ways.length === 0) return ["The task is not in the plan any more, so it will not be worked on."];
  return attempted ? ["What would change this:"] : ["The task was not attempted yet. What would change this:"];
}

const rungs = {
  retry: "retry the task",
  fix: "have fix tasks written",
  repair: "have a repair operator choose",
  pivot: "try other approaches, then ask",
  research: "have context gathered",
  race: "have several attempts run side by side",
  checkpoint: "stop with a report",
} as const;

/** Render a possible change as one line, not escaped. */
export function renderWay(way: Way): string {
  switch (way.kind) {
    case "first":
      return `${way.task} comes first: ${way.command}`;
    case "run":
      return `start the task now: ${way.command}`;
    case "wait":
      return way.until === null ? "wait: the task is being done" : `wait until ${isoTime(way.until)}`;
    case "raise":
      return `raise ${flagOf(way.limit)}, which is ${way.max}: ${way.command}`;
    case "allow":
      return `${rungs[way.rung]}: ${way.command}`;
    case "mend":
      return `fix ${way.task} by hand, then continue (its Verify runs first): ${way.command}`;
    case "tick":
      return `do ${way.task} by hand and tick its box${lineOf(way)}`;
    case "edit":
      return `change the text of ${way.task}${lineOf(way)}, and continue: ${way.command}`;
    case "guide":
      return `advise the executor: ${way.command}`;
    case "decide":
      return `${way.decision === "retry" ? `retry the task${withOthers(way)}` : `skip ${way.task}`}: ${way.command}`;
    case "answer":
      return way.hint;
  }
}

const withOthers = ({ others = [] }: Extract<Way, { kind: "decide" }>): string =>
  others.length === 0 ? "" : `, and ${others.join(", ")} with it`;

const lineOf = ({ line }: { readonly line: number | null }): string =>
  line === null ? "" : ` in line ${line} of tasks.md`;
