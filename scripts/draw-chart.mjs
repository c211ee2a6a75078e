// Lays a chart out with Graphviz. Every state is a group with `data-state`, every edge one with `data-from` and `data-to`.
import { Graphviz } from "@hpcc-js/wasm-graphviz";

const graphviz = await Graphviz.load();

/** A lean chart as SVG, the same each time. Colours follow the reader's scheme. */
export function drawChart(name, chart) {
  const edges = [];
  const svg = graphviz.dot(toDot(chart, edges), "svg");
  const [open] = svg.match(/<svg[^>]*>/);
  const [, width, height] = open.match(/width="(\d+)pt"\s+height="(\d+)pt"/);
  const body = svg
    .slice(svg.indexOf(open) + open.length)
    .replace(/<!--[\s\S]*?-->\n?|<polygon fill="white" stroke="none"[^>]*\/>\n?|<title>[\s\S]*?<\/title>\n?/g, "")
    .replace(/ (?:fill|stroke|font-family|font-size|xml:space)="[^"]*"/g, "")
    .replace(/<g id="s_(\w+)" class="node">/g, '<g class="state" data-state="$1">')
    .replace(/<g id="end_\w+" class="node">/g, '<g class="end">')
    .replace(/<g id="e_(\d+)" class="edge">/g, (_all, at) => {
      const { from, to } = edges[at];
      return `<g class="edge" data-from="${from}" data-to="${to}">`;
    })
    .replace(/<g id="graph0" class="graph"/, "<g");
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The chart of the machine ${name}">`;
  return `${head}\n<style>${style}</style>${body.trimEnd()}\n`;
}

function toDot({ initial, states, edges, everywhere }, drawn) {
  const lines = [
    "digraph {",
    'graph [rankdir=TB, nodesep=0.25, ranksep=0.4, fontname="Helvetica", bgcolor="transparent"]',
    'node [shape=box, style=rounded, fontname="Helvetica", fontsize=12, height=0.35, margin="0.12,0.05"]',
    'edge [fontname="Helvetica", fontsize=10, arrowsize=0.7]',
    'begin [id="end_begin", shape=circle, label="", width=0.12, height=0.12, fixedsize=true]',
    ...states.map(({ name, isFinal, stops }) => {
      const label = stops.length > 0 ? `${name}\\n⇥ ${stops.join(", ")}` : name;
      return `${name} [id="s_${name}", label="${label}"${isFinal ? ", peripheries=2" : ""}]`;
    }),
    ...(everywhere.length > 0 ? ['everywhere [id="end_everywhere", shape=plaintext, label="in every state"]'] : []),
    edge({ from: "begin", to: initial, labels: [] }),
    ...edges.map(edge),
    ...everywhere.map(({ to, labels }) => edge({ from: "everywhere", to, labels })),
    "}",
  ];
  return lines.join("\n");

  function edge({ from, to, labels }) {
    drawn.push({ from, to });
    const text = labels.map((label) => label.replace(/^\[(.*)\]$/, "$1")).join("\\n");
    return `${from} -> ${to} [id="e_${drawn.length - 1}", label="${text}"]`;
  }
}

const style = `
text{font:12px Helvetica,Arial,sans-serif;fill:#1f2328}
.edge text{font-size:10px;fill:#59636e}
.state path,.state polygon{fill:#f6f8fa;stroke:#59636e}
.end ellipse{fill:#1f2328}
.edge path{fill:none;stroke:#818b98}
.edge polygon{fill:#818b98;stroke:#818b98}
@media (prefers-color-scheme:dark){
text{fill:#f0f6fc}
.edge text{fill:#9198a1}
.state path,.state polygon{fill:#151b23;stroke:#9198a1}
.end ellipse{fill:#f0f6fc}
.edge path{stroke:#656c76}
.edge polygon{fill:#656c76;stroke:#656c76}
}
`;
