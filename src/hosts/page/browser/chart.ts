import type { Lane, Moment } from "../moment.ts";
import { byId, make, setAttribute, setText } from "./dom.ts";

const drawn = new Map<string, SVGSVGElement>();
/** Path of the lane that the user has chosen; null to follow the active machine. */
let chosen: string | null = null;
let choose: () => void = () => {};

export function openChart(redraw: () => void): void {
  choose = redraw;
}

export function drawChart(moment: Moment): void {
  const lane = moment.lanes.find(({ path }) => path === chosen) ?? inFocus(moment);
  drawLanes(moment.lanes, lane);
  const place = byId("chart");
  if (lane === undefined) {
    place.replaceChildren(make("p", { class: "quiet" }, "No machine is at work yet."));
    return;
  }
  const svg = chartOf(lane.machine);
  if (place.firstChild !== svg) place.replaceChildren(svg);
  light(svg, lane);
  bringIntoView(place, svg);
}

/** Find the innermost machine of the current task, else the innermost machine of any task. */
export function inFocus({ lanes, task }: Pick<Moment, "lanes" | "task">): Lane | undefined {
  return (
    lanes.findLast((lane) => lane.task !== null && lane.task === task) ??
    lanes.findLast((lane) => lane.task !== null) ??
    lanes.at(-1)
  );
}

function drawLanes(lanes: readonly Lane[], shown: Lane | undefined): void {
  const place = byId("lanes");
  while (place.childElementCount > lanes.length) place.lastElementChild?.remove();
  lanes.forEach((lane, index) => {
    const button = (place.children[index] as HTMLButtonElement | undefined) ?? laneButton(place);
    setAttribute(button, "data-path", lane.path);
    setAttribute(button, "data-state", lane.state);
    setAttribute(button, "aria-pressed", String(lane === shown));
    setText(button, `${lane.machine}${lane.task === null ? "" : ` ${lane.task}`}: ${lane.state}`);
  });
}

function laneButton(place: HTMLElement): HTMLButtonElement {
  const button = make("button", { type: "button" });
  button.addEventListener("click", () => {
    const path = button.getAttribute("data-path");
    chosen = chosen === path ? null : path;
    choose();
  });
  place.append(button);
  return button;
}

function chartOf(machine: string): SVGSVGElement {
  const known = drawn.get(machine);
  if (known !== undefined) return known;
  const template = byId<HTMLTemplateElement>(`chart-${machine}`);
  const svg = (template.content.cloneNode(true) as DocumentFragment).querySelector("svg") as SVGSVGElement;
  drawn.set(machine, svg);
  return svg;
}

function light(svg: SVGSVGElement, { state, from }: Lane): void {
  const edges = [...svg.querySelectorAll<SVGElement>("[data-from]")];
  const steps = from === null ? [] : wayFrom(from, state, svg);
  const isOnWay = (edge: SVGElement): boolean =>
    steps.some(([one, other]) => edge.dataset["from"] === one && edge.dataset["to"] === other);
  for (const edge of edges) {
    edge.classList.toggle("came", isOnWay(edge));
    // Mark the possible transitions: only lines with a mark are shown.
    edge.classList.toggle("next", edge.dataset["from"] === state);
  }
  for (const each of svg.querySelectorAll<SVGElement>("[data-state]")) {
    const name = each.dataset["state"];
    each.classList.toggle("lit", name === state);
    each.classList.toggle("was", name !== state && (name === from || steps.some(([one]) => one === name)));
  }
}

/** Scroll to the current state if the chart is larger than its container. */
function bringIntoView(place: HTMLElement, svg: SVGSVGElement): void {
  if (place.scrollWidth <= place.clientWidth && place.scrollHeight <= place.clientHeight) return;
  const lit = svg.querySelector(".lit")?.getBoundingClientRect();
  const seen = place.getBoundingClientRect();
  if (lit === undefined) return;
  if (lit.left < seen.left || lit.right > seen.right) place.scrollLeft += lit.left - seen.left - seen.width / 2;
  if (lit.top < seen.top || lit.bottom > seen.bottom) place.scrollTop += lit.top - seen.top - seen.height / 2;
}

/** Shortest path between two states through transient states. */
function wayFrom(from: string, to: string, svg: SVGSVGElement): readonly (readonly [string, string])[] {
  const passing = new Set([...svg.querySelectorAll<SVGElement>(".passing")].map((each) => each.dataset["state"]));
  const edges = [...svg.querySelectorAll<SVGElement>(".edge")].map(
    (edge) => [edge.dataset["from"] ?? "", edge.dataset["to"] ?? ""] as const,
  );
  const ways: (readonly (readonly [string, string])[])[] = [[]];
  const seen = new Set<string>();
  for (const way of ways) {
    const at = way.at(-1)?.[1] ?? from;
    for (const edge of edges) {
      if (edge[0] !== at || seen.has(edge[1])) continue;
      if (edge[1] === to) return [...way, edge];
      if (!passing.has(edge[1])) continue;
      seen.add(edge[1]);
      ways.push([...way, edge]);
    }
  }
  return [];
}
