import { writeFileSync } from "node:fs";
import { charts } from "../dist/machines/charts.js";
import { drawCharts } from "./layout.mjs";

for (const [n, svg] of Object.entries(await drawCharts(charts))) {
  writeFileSync(`/tmp/chart-${n}.svg`, svg);
  console.log(n, svg.length, svg.slice(0, 130));
}
