// Generates a TypeScript module with the charts, the style sheet and the script of the page. The content security
// policy of the page allows the style sheet and the script by their hashes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { drawChart } from "./draw-chart.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const room = join(root, "src/hosts/page");
const folder = join(room, "generated");

const machinesOfRuns = ["spec", "batch", "task", "pullRequest"];

export async function generatePage() {
  const { charts, leanChart } = await loadCharts();
  // A run does not stay in a final state of another chart, so draw these states only in `spec`.
  const drawn = machinesOfRuns.map((name) => {
    const chart = leanChart(charts[name](), { drawsStops: name === "spec" });
    return [name, drawChart(name, chart, { isPicture: false })];
  });
  const style = readFileSync(join(room, "page.css"), "utf8").replaceAll(/\s*\n\s*/g, "");
  const script = await programOf("main.ts");
  const listScript = await programOf("list.ts");
  return [
    "// Written by scripts/page.mjs.",
    `export const charts = ${JSON.stringify(Object.fromEntries(drawn))};`,
    `export const style = ${JSON.stringify(style)};`,
    `export const styleHash = "${hashOf(style)}";`,
    `export const script = ${JSON.stringify(script)};`,
    `export const scriptHash = "${hashOf(script)}";`,
    `export const listScript = ${JSON.stringify(listScript)};`,
    `export const listScriptHash = "${hashOf(listScript)}";`,
    "",
  ].join("\n");
}

async function programOf(name) {
  const program = await bundle(join(room, "browser", name), { format: "iife", minify: true });
  // Stop Zod from compiling parsers, which the page's content security policy would block and report.
  const script = `globalThis.__zod_globalConfig={jitless:!0};${program.trim()}`;
  // Reject a program that would end its `<script>` element.
  if (/<\/script|<!--/i.test(script))
    throw new Error("Cannot put the program into the page, expected no `</script` and no `<!--` in it");
  return script;
}

const hashOf = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** Bundles the charts, because some versions of Node cannot import TypeScript. */
async function loadCharts() {
  const folder = join(root, "node_modules/.cache");
  mkdirSync(folder, { recursive: true });
  const entry = join(folder, "fixpoint-charts.ts");
  const sources = ["machines/charts.ts", "src/runtime/lean-chart.ts"];
  writeFileSync(entry, sources.map((path) => `export * from ${JSON.stringify(join(root, path))};\n`).join(""));
  const code = await bundle(entry, { format: "esm" });
  const file = join(folder, "fixpoint-charts.mjs");
  writeFileSync(file, code);
  return import(pathToFileURL(file).href);
}

async function bundle(input, output) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: output.format === "iife" ? "browser" : "node",
    transform: { target: "es2022" },
    logLevel: "warn",
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
  });
  const made = await build.generate({ ...output, comments: { legal: false, jsdoc: false, annotation: false } });
  await build.close();
  return made.output[0].code;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "parts.ts"), await generatePage());
}
