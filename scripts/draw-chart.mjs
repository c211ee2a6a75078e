// Draws charts as SVG with Graphviz. The result must always be the same, because the build generates it.
import { Graphviz } from "@hpcc-js/wasm-graphviz";

const graphviz = await Graphviz.load();
const character = 6.6;
const smallCharacter = 5.4;
const lineHeight = 12;
const points = 72;

export function drawChart(name, chart, { isPicture }) {
  const { initial, states, everywhere } = chart;
  const marks = [begin, ...(everywhere.length > 0 ? [fromAnywhere] : [])];
  const edges = [
    { from: begin, to: initial, labels: [] },
    ...chart.edges,
    ...everywhere.map(({ to, labels }) => ({ from: fromAnywhere, to, labels })),
  ];
  const dot = [
    "digraph { rankdir=TB; nodesep=0.22; ranksep=0.34; splines=true;",
    `node [shape=box, fixedsize=true, height=${34 / points}];`,
    `edge [arrowhead=none, fontname="Helvetica", fontsize=${isPicture ? 11 : 1}];`,
    ...marks.map(
      (mark) => `${mark} [width=${(mark === begin ? 9 : 92) / points}, height=${(mark === begin ? 9 : 16) / points}];`,
    ),
    ...states.map((state) => `${state.name} [width=${widthOf(state) / points}];`),
    ...edges.map(({ from, to, labels }) => {
      const room = isPicture && labels.length > 0 ? ` [label="${namesIn(labels).join("\\n")}"]` : "";
      return `${from} -> ${to}${room};`;
    }),
    "}",
  ].join("\n");
  return toSvg(name, { states, edges, isPicture, layout: graphviz.layout(dot, "plain", "dot") });
}

const begin = "_begin";
const fromAnywhere = "_anywhere";

const namesIn = (labels) => labels.map((label) => label.replace(/^\[(.*)\]$/, "$1"));

const widthOf = ({ name, stops }) =>
  Math.max(64, name.length * character + 18, (stops.join(" ").length + 2) * smallCharacter + 14);

function toSvg(name, { states, edges, isPicture, layout }) {
  const lines = layout.split("\n").map((line) => line.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []);
  const [, , width, height] = lines[0];
  const x = (value) => round(Number(value) * points + 4);
  const y = (value) => round((Number(height) - Number(value)) * points + 4);
  const known = new Map(states.map((state) => [state.name, state]));
  const nodes = lines
    .filter(([kind]) => kind === "node")
    .map(([, id, cx, cy, w, h]) => {
      const place = { cx: x(cx), cy: y(cy) };
      if (id === begin) return `<circle class="begin" cx="${place.cx}" cy="${place.cy}" r="4"/>`;
      if (id === fromAnywhere) return textAt("ends", place.cx, place.cy + 3, "in every state");
      const [left, top] = [x(Number(cx) - Number(w) / 2), y(Number(cy) + Number(h) / 2)];
      return drawState(known.get(id), { ...place, left, top, w: round(w * points), h: round(h * points) });
    });
  const paths = lines
    .filter(([kind]) => kind === "edge")
    .map(([, from, to, n, ...rest]) => {
      const at = Array.from({ length: Number(n) }, (_, index) => [x(rest[2 * index]), y(rest[2 * index + 1])]);
      const { labels } = edges.find((edge) => edge.from === from && edge.to === to);
      const [labelX, labelY] = rest.slice(2 * Number(n) + 1);
      const ends = from.startsWith("_") ? "" : ` data-from="${from}" data-to="${to}"`;
      const place = isPicture && labels.length > 0 ? [x(labelX), y(labelY)] : middleOf(at);
      return {
        line: `<path class="edge"${ends} d="M${at[0]}C${at.slice(1).join(" ")}" marker-end="url(#tip)"/>`,
        text: drawLabel(isPicture ? namesIn(labels) : [namesIn(labels).join(", ")].filter(isTelling), ends, place),
      };
    });
  const labels = paths.map(({ text }) => text).filter((text) => text !== "");
  const [wide, high] = [round(width * points + 8), round(height * points + 8)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" data-machine="${name}" role="img" aria-label="Chart of the machine ${name}">`,
    ...(isPicture ? [`<style>${style}</style>`] : []),
    `<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>`,
    ...paths.map(({ line }) => line),
    // In the page, labels may overlap nodes, so draw labels last.
    ...(isPicture ? [...labels, ...nodes] : [...nodes, ...labels]),
    "</svg>",
    ...(isPicture ? [""] : []),
  ].join(isPicture ? "\n" : "");
}

function drawState({ name, isFinal, isPassed, stops }, { left, top, w, h, cx, cy }) {
  const kind = isFinal ? " final" : isPassed ? " passing" : "";
  const title = textAt("name", cx, cy + (stops.length > 0 ? -2 : 4), name);
  const ends = stops.length === 0 ? "" : textAt("ends", cx, cy + 11, `\u21e5 ${stops.join(" ")}`);
  return `<g class="state${kind}" data-state="${name}"><rect x="${left}" y="${top}" width="${w}" height="${h}" rx="7"/>${title}${ends}</g>`;
}

const isTelling = (label) => label !== "" && label !== "otherwise";

function drawLabel(lines, ends, [cx, cy]) {
  if (lines.length === 0) return "";
  const top = cy + 4 - ((lines.length - 1) * lineHeight) / 2;
  const rows = lines.map(
    (line, index) => `<tspan x="${cx}" y="${round(top + index * lineHeight)}">${escapeMarkup(line)}</tspan>`,
  );
  return `<text class="why"${ends}>${rows.join("")}</text>`;
}

const textAt = (kind, x, y, text) => `<text class="${kind}" x="${x}" y="${round(y)}">${escapeMarkup(text)}</text>`;

function middleOf(at) {
  const from = 3 * Math.floor((at.length - 1) / 6);
  const [a, b, c, d] = at.slice(from, from + 4);
  return [0, 1].map((axis) => round((a[axis] + 3 * b[axis] + 3 * c[axis] + d[axis]) / 8));
}

const round = (value) => Math.round(Number(value) * 10) / 10;
const escapeMarkup = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const style = `
text{font:12px Helvetica,Arial,sans-serif;text-anchor:middle;fill:#1f2328}
.why,.ends{font-size:10px;fill:#59636e}
rect{fill:#f6f8fa;stroke:#818b98}
.passing rect{stroke-dasharray:3 3}
.final rect{stroke-width:2.5}
.edge{fill:none;stroke:#818b98}
.begin{fill:#1f2328}
marker path{fill:#818b98}
@media (prefers-color-scheme:dark){
text{fill:#f0f6fc}
.why,.ends{fill:#9198a1}
rect{fill:#151b23;stroke:#656c76}
.edge{stroke:#656c76}
.begin{fill:#f0f6fc}
marker path{fill:#656c76}
}
`;
