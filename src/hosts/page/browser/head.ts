import { globalCap, runLimits } from "../../../model/limits.ts";
import type { Moment } from "../moment.ts";
import type { ShownRun } from "../shown-run.ts";
import { byId, setAttribute, setText } from "./dom.ts";
import { gauge } from "./evidence.ts";
import type { Standing } from "./standing.ts";
import { counted, headlineOf, lasted, money } from "./words.ts";

let gauged = "";

/** Draw how the run stands at a moment, and its limits. @param left What is left out, in sentences. */
export function drawHead(run: ShownRun, moment: Moment, standing: Standing, left: readonly string[]): void {
  const [kind, text] = headlineOf(moment);
  const headline = byId("headline");
  setAttribute(headline, "data-kind", kind);
  setText(headline, text);
  const planned = run.rows.filter(({ madeFor }) => madeFor === null);
  const of = planned.length;
  const done = planned.filter(({ id }) => moment.markOf(id) === "passed").length;
  const { iterations: delegations, costUsd, tokens, elapsedMs } = moment.state;
  const spent = [
    `${done} of ${counted(of, "task", "tasks")} done`,
    counted(delegations, "delegation", "delegations"),
    ...(costUsd === 0 ? [] : [money(costUsd)]),
    ...(tokens === 0 ? [] : [`${tokens} tokens`]),
    lasted(elapsedMs),
  ];
  setText(byId("spent"), spent.join(" \u00b7 "));
  const progress = byId<HTMLProgressElement>("progress");
  progress.max = Math.max(1, of);
  progress.value = done;
  const used: Record<string, number> = {
    maxGlobalIterations: delegations,
    maxRunTime: elapsedMs,
    maxCost: costUsd,
    maxTokens: tokens,
  };
  const limits = limitsOf(run, moment);
  const key = JSON.stringify([limits, limits.map(({ limit }) => used[limit])]);
  if (key !== gauged)
    byId("limits").replaceChildren(
      ...limits.map(({ limit, max }) => gauge(limit, used[limit] ?? 0, max, wordsOf(limit, used[limit] ?? 0, max))),
    );
  gauged = key;
  const question = moment.number === run.last ? standing.question : null;
  const asked = byId("question");
  asked.hidden = question === null;
  if (question !== null)
    setText(
      asked,
      `${question.text}\n${question.hint ?? ""}`
        .split("\n")
        .filter((line) => line.trim() !== "")
        .join("\n"),
    );
  setText(byId("left"), left.join(". "));
}

function wordsOf(limit: string, spent: number, max: number): string {
  if (limit === "maxRunTime") return `${lasted(spent)} of ${lasted(max)}`;
  return limit === "maxCost" ? `$${spent.toFixed(2)} of $${max.toFixed(2)}` : `${spent} of ${max}`;
}

/** Limits of the whole run that are set. */
function limitsOf(run: ShownRun, { number }: Moment): { readonly limit: string; readonly max: number }[] {
  const policy = run.policyAt(number);
  if (policy === null) return [];
  const set = Object.entries(runLimits(policy)).flatMap(([limit, max]) => (max === null ? [] : [{ limit, max }]));
  const cap = policy.maxGlobalIterations === null ? [globalCap(policy, run.head.open)] : [];
  return [...cap.map((max) => ({ limit: "maxGlobalIterations", max })), ...set];
}
