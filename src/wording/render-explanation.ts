import type { Explanation } from "../model/explanation.ts";
import { clipText, escapeText } from "./escape-text.ts";
import { renderFact } from "./render-fact.ts";
import { renderWay } from "./render-way.ts";

/** Columns that a line may take: texts of executors have no end of their own. */
const widest = 400;

const states: Record<Explanation["state"], string> = {
  passed: "passed",
  running: "under way",
  open: "open",
  skipped: "left out",
  limit: "stopped at a limit",
  checkpoint: "stuck, at a checkpoint",
  gate: "waits for a person",
};

/** An explanation as lines for a person: where the task stands, what was recorded, what would change it. */
export function renderExplanation(explanation: Explanation): string {
  const { task, title, madeFor, facts, ways } = explanation;
  const name = title === null ? `${task} (not in the plan any more)` : `${task} ${title}`;
  const made = madeFor === null ? [] : [`${task.includes("~") ? "A part" : "A fix"} of ${madeFor}.`];
  const asked = new Set(facts.flatMap((fact) => (fact.kind === "asked" ? [fact.reason] : [])));
  const told = facts.flatMap((fact, index) => {
    // The question that a start has ended with stands there already.
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
    return ["No executor worked on it: its box was ticked by hand, or before this run."];
  if (state === "passed") return ["It is done: nothing is left to change."];
  if (ways.length === 0) return ["It is not in the plan any more: nothing will be done about it."];
  return attempted ? ["What would change this:"] : ["It was not attempted yet. What would change this:"];
}
