// Lays out the charts as SVG, for the page on which a run is watched: what is drawn is fixed, so it is drawn ahead.
import { Graphviz } from "@hpcc-js/wasm-graphviz";

/** Width of a character of the font, in points, as it is drawn at most. */
const character = 6.6;
const points = 72;

/** Each chart as SVG text, by its name. Elements of a state have `data-state`, those of an edge `data-from` and `data-to`. */
export async function drawCharts(charts) {
  const graphviz = await Graphviz.load();
  return Object.fromEntries(Object.entries(charts).map(([name, create]) => [name, drawChart(graphviz, create())]));
}

function drawChart(graphviz, machine) {
  const { states, edges, first } = leanChart(machine);
  const ids = new Map(states.map(({ key }, index) => [key, `s${index}`]));
  const dot = [
    "digraph { rankdir=TB; nodesep=0.22; ranksep=0.34; splines=true;",
    `node [shape=box, fixedsize=true, height=${34 / points}];`,
    "edge [arrowhead=none];",
    ...states.map(({ key, stops }) => `${ids.get(key)} [width=${widthOf(key, stops) / points}];`),
    ...edges.map(({ from, to }) => `${ids.get(from)} -> ${ids.get(to)};`),
    "}",
  ].join("\n");
  const plain = graphviz.layout(dot, "plain", "dot");
  return toSvg({ plain, machine, states, edges, first, names: new Map([...ids].map(([key, id]) => [id, key])) });
}

const widthOf = (key, stops) =>
  Math.max(64, key.length * character + 18, stops.join(" ").length * (character - 1.6) + 14);

/**
 * The states of a chart and what leads from one to another, without what anybody may say at any time. Stops, which end a
 * machine that another has invoked, are named in the states that lead to them.
 */
function leanChart(machine) {
  const all = Object.values(machine.root.states);
  const isStop = ({ key, type }) =>
    type === "final" && machine.id !== "spec" && !["passed", "settled", "decided"].includes(key);
  const labels = new Map();
  const stops = new Map();
  for (const state of all) {
    const named = [...state.transitions.values()].flat().filter(({ eventType }) => !eventType.includes(".given"));
    for (const { target, guard } of [...named, ...(state.always ?? [])]) {
      for (const to of target ?? []) {
        const into = isStop(to) ? stops : labels;
        const key = isStop(to) ? state.key : `${state.key} ${to.key}`;
        into.set(key, [...(into.get(key) ?? []), isStop(to) ? to.key : nameOf(guard)]);
      }
    }
  }
  return {
    first: machine.root.initial.target[0].key,
    states: all
      .filter((state) => !isStop(state))
      .map((state) => ({
        key: state.key,
        about: state.description ?? "",
        isFinal: state.type === "final",
        isPassed: (state.always ?? []).length > 0 && Object.keys(state.config.invoke ?? {}).length === 0,
        stops: [...new Set(stops.get(state.key) ?? [])],
      })),
    edges: [...labels].map(([key, names]) => {
      const [from, to] = key.split(" ");
      return { from, to, label: [...new Set(names)].filter((name) => name !== "").join(", ") };
    }),
  };
}

const nameOf = (guard) => (guard === undefined ? "" : typeof guard === "string" ? guard : guard.type);

function toSvg({ plain, machine, states, edges, first, names }) {
  const lines = plain.split("\n").map((line) => line.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []);
  const [, , width, height] = lines[0];
  const x = (value) => round(Number(value) * points + 4);
  const y = (value) => round((Number(height) - Number(value)) * points + 4);
  const known = new Map(states.map((state) => [state.key, state]));
  const nodes = lines
    .filter(([kind]) => kind === "node")
    .map(([, id, cx, cy, w, h]) => {
      const state = known.get(names.get(id));
      return {
        ...state,
        left: x(Number(cx) - Number(w) / 2),
        top: y(Number(cy) + Number(h) / 2),
        w: round(w * points),
        h: round(h * points),
        cx: x(cx),
        cy: y(cy),
      };
    });
  const paths = lines
    .filter(([kind]) => kind === "edge")
    .map(([, tail, head, n, ...rest]) => {
      const at = Array.from({ length: Number(n) }, (_, index) => [x(rest[2 * index]), y(rest[2 * index + 1])]);
      const from = names.get(tail);
      const to = names.get(head);
      const { label } = edges.find((edge) => edge.from === from && edge.to === to);
      // The label is seen only while the edge is lit, so nothing makes room for it.
      const place = label === "" ? null : middleOf(at);
      return { from, to, label, place, d: `M${at[0]}C${at.slice(1).join(" ")}` };
    });
  const size = [round(width * points + 8), round(height * points + 8)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size[0]} ${size[1]}" width="${size[0]}" height="${size[1]}" data-machine="${machine.id}" data-first="${first}" role="img" aria-label="Chart of the machine ${machine.id}">`,
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>`,
    ...paths.map(
      ({ from, to, d }) => `<path class="edge" data-from="${from}" data-to="${to}" d="${d}" marker-end="url(#tip)"/>`,
    ),
    ...paths.flatMap(({ from, to, label, place }) =>
      place === null
        ? []
        : [
            `<text class="why" data-from="${from}" data-to="${to}" x="${place[0]}" y="${round(place[1] + 3)}">${escapeMarkup(label)}</text>`,
          ],
    ),
    ...nodes.map(({ key, isFinal, isPassed, stops, left, top, w, h, cx, cy }) => {
      const kind = isFinal ? " final" : isPassed ? " passing" : "";
      const name = `<text class="name" x="${cx}" y="${round(cy + (stops.length > 0 ? -2 : 4))}">${key}</text>`;
      const ends =
        stops.length === 0 ? "" : `<text class="ends" x="${cx}" y="${round(cy + 11)}">\u21e5 ${stops.join(" ")}</text>`;
      return `<g class="state${kind}" data-state="${key}"><rect x="${left}" y="${top}" width="${w}" height="${h}" rx="7"/>${name}${ends}</g>`;
    }),
    "</svg>",
  ].join("");
}

/** The middle of a curve, of which each piece has three points. */
function middleOf(at) {
  const from = 3 * Math.floor((at.length - 1) / 6);
  const [a, b, c, d] = at.slice(from, from + 4);
  return [0, 1].map((axis) => round((a[axis] + 3 * b[axis] + 3 * c[axis] + d[axis]) / 8));
}

const round = (value) => Math.round(Number(value) * 10) / 10;
const escapeMarkup = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
