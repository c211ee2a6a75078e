import type { Told } from "../../../model/frame.ts";
import { make } from "./dom.ts";

const layerSigns: Readonly<Record<string, string>> = {
  accepted: "✓",
  unverified: "~",
  rejected: "✗",
  failed: "✗",
  undecided: "?",
};
/** Attempts whose failures are compared, and names that are listed. */
const mostBars = 12;
const mostNames = 8;

/** What each layer says of a claim. */
export function drawLayers(judged: Told | undefined): HTMLElement[] {
  if (judged?.layers === undefined) return [];
  const rows = judged.layers.map(({ layer, kind, text }) =>
    make(
      "li",
      { class: kind, "data-layer": layer },
      `${layerSigns[kind] ?? "?"} ${layer}: ${kind}${text === "" ? "" : `: ${text}`}`,
    ),
  );
  return [make("h3", {}, "The claim, layer by layer"), make("ul", { class: "layers" }, ...rows)];
}

/** How many checks failed after each attempt, and which came and went last. */
export function drawFailures(told: readonly Told[]): HTMLElement[] {
  const sets = told.flatMap(({ failing }) => (failing === undefined ? [] : [failing])).slice(-mostBars);
  const last = sets.at(-1);
  if (last === undefined) return [];
  const most = Math.max(...sets.map(({ count }) => count));
  const bars = sets.map(({ count, of, change }) => {
    const bar = make("span", { class: "bar" });
    bar.style.width = `${Math.round((100 * count) / most)}%`;
    const told = `${count}${of === null ? "" : ` of ${of}`} failing${change === "first" ? "" : `, ${change}`}`;
    return make("li", { class: change }, make("span", { class: "track" }, bar), make("span", {}, told));
  });
  const names = (title: string, of: readonly string[]): HTMLElement[] =>
    of.length === 0
      ? []
      : [
          make(
            "p",
            { class: "names" },
            `${title}: ${of.slice(0, mostNames).join("; ")}${of.length > mostNames ? ` and ${of.length - mostNames} more` : ""}`,
          ),
        ];
  return [
    make("h3", {}, "Checks that fail"),
    make("ol", { class: "failing" }, ...bars),
    ...names("No longer failing", last.lost),
    ...names("Failing only now", last.gained),
  ];
}

/** The limits that the last decision has looked at. */
export function drawGauges(told: readonly Told[]): HTMLElement[] {
  const gauges = told.findLast(({ gauges }) => gauges !== undefined)?.gauges ?? [];
  if (gauges.length === 0) return [];
  return [
    make("h3", {}, "Limits of the task"),
    ...gauges.map(({ limit, task, spent, max }) => gauge(`${limit} of ${task}`, spent, max)),
  ];
}

/** A limit and how much of it is spent. */
export function gauge(name: string, spent: number, max: number, words = `${spent} of ${max}`): HTMLElement {
  const meter = make(
    "meter",
    { min: "0", max: String(max), high: String(max * 0.8), optimum: "0", value: String(Math.min(spent, max)) },
    words,
  );
  return make("label", { class: "gauge" }, make("span", {}, `${name}: ${words}`), meter);
}
