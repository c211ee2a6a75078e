import type { Fact } from "../../../model/explanation.ts";
import { escapeLines, escapeText } from "../../../wording/escape-text.ts";
import { flagOf } from "../../../wording/explain-denial.ts";
import { make } from "./dom.ts";

const layerSigns: Readonly<Record<string, string>> = {
  accepted: "✓",
  unverified: "~",
  rejected: "✗",
  failed: "✗",
  undecided: "?",
};
type FactOf<Kind extends Fact["kind"]> = Extract<Fact, { kind: Kind }>;

const mostBars = 12;
const mostNames = 8;

export function drawLayers(judged: FactOf<"judged"> | undefined): HTMLElement[] {
  if (judged === undefined) return [];
  const rows = judged.layers.map(({ layer, kind, reason, note }) => {
    const text = escapeLines(reason ?? note ?? "");
    const line = `${layerSigns[kind] ?? "?"} ${layer}: ${kind}${text === "" ? "" : `: ${text}`}`;
    return make("li", { class: `${kind} lines`, "data-layer": layer }, line);
  });
  return [make("h3", {}, "The claim, layer by layer"), make("ul", { class: "layers" }, ...rows)];
}

/** Draw the number of failing checks after each attempt, and which checks the last attempt fixed or broke. */
export function drawFailures(facts: readonly Fact[]): HTMLElement[] {
  const sets = facts.flatMap((fact) => (fact.kind === "measured" ? [fact.progress] : [])).slice(-mostBars);
  const last = sets.at(-1);
  if (last === undefined) return [];
  const most = Math.max(...sets.map(({ failing }) => failing));
  const bars = sets.map(({ failing, of, change }) => {
    const bar = make("span", { class: "bar" });
    bar.style.width = `${Math.round((100 * failing) / most)}%`;
    const told = `${failing}${of === null ? "" : ` of ${of}`} failing${change === "first" ? "" : `, ${change}`}`;
    return make("li", { class: change }, make("span", { class: "track" }, bar), make("span", {}, told));
  });
  const names = (title: string, of: readonly string[]): HTMLElement[] =>
    of.length === 0
      ? []
      : [
          make(
            "p",
            { class: "names" },
            `${title}: ${of.slice(0, mostNames).map(escapeText).join("; ")}${of.length > mostNames ? ` and ${of.length - mostNames} more` : ""}`,
          ),
        ];
  return [
    make("h3", {}, "Checks that fail"),
    make("ol", { class: "failing" }, ...bars),
    ...names("No longer failing", last.lost),
    ...names("Failing only now", last.gained),
  ];
}

export function drawGauges(facts: readonly Fact[]): HTMLElement[] {
  const decided = facts.findLast((fact) => fact.kind === "decided");
  // `spent` is the count before the decision; the decision adds 1 to the count of its own limit.
  const gauges = (decided?.considered ?? []).flatMap(({ rung, limit, task, spent, max }) =>
    limit === null || max === null
      ? []
      : [gauge(`${flagOf(limit)} of ${task}`, rung === decided?.decision ? spent + 1 : spent, max)],
  );
  return gauges.length === 0 ? [] : [make("h3", {}, "Limits of the task"), make("div", { class: "gauges" }, ...gauges)];
}

/** Fraction of a limit from which it counts as nearly reached. */
const near = 0.8;

/** Draw how much of a limit is spent, with the name of its option. */
export function gauge(name: string, spent: number, max: number, words = `${spent} of ${max}`): HTMLElement {
  const part = max === 0 ? 1 : Math.min(1, spent / max);
  const bar = make("span", { class: "bar" });
  bar.style.width = `${100 * part}%`;
  const track = make(
    "span",
    {
      ...{ class: "track", role: "meter", "aria-label": name, "aria-valuetext": words },
      ...{ "aria-valuemin": "0", "aria-valuemax": String(max), "aria-valuenow": String(Math.min(spent, max)) },
    },
    bar,
  );
  const level = part >= 1 ? "full" : part >= near ? "near" : "free";
  return make("p", { class: "gauge", "data-level": level }, make("span", {}, `${name}: ${words}`), track);
}
