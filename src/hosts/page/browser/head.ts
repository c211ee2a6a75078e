import type { Recording, Standing } from "../../../model/frame.ts";
import { byId, setAttribute, setText } from "./dom.ts";
import { gauge } from "./evidence.ts";
import type { Film } from "./film.ts";
import { counted, headlineOf, lasted, money } from "./words.ts";

let gauged = "";

/** Draw how the run stands at a frame, and its limits. */
export function drawHead(
  film: Film,
  index: number,
  { limits, left }: Pick<Recording, "limits" | "left">,
  standing: Standing,
): void {
  const frame = film.frames[index];
  if (frame === undefined) return;
  const asking = film.rows.length > 2000 ? undefined : film.rows.find((row) => film.markAt(row, index) === "asking");
  const [kind, text] = headlineOf(frame, asking?.id ?? null);
  const headline = byId("headline");
  setAttribute(headline, "data-kind", kind);
  setText(headline, text);
  const { done, of } = film.doneAt(index);
  const { delegations, costUsd, tokens, elapsedMs } = frame.spent;
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
  const key = JSON.stringify([limits, limits.map(({ limit }) => used[limit])]);
  if (key !== gauged)
    byId("limits").replaceChildren(
      ...limits.map(({ limit, max }) => gauge(limit, used[limit] ?? 0, max, wordsOf(limit, used[limit] ?? 0, max))),
    );
  gauged = key;
  const question = index === film.last ? standing.question : null;
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
