// Writes what the page of a run is made of, before the compiler runs: the charts as they are laid out, the style sheet and
// the program, each with the hash by which the page allows it.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { drawCharts } from "./layout.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const room = join(root, "src/hosts/page");
const folder = join(room, "generated");

/** Text of the generated file, as it should be. */
export async function generatePage() {
  const { charts } = await loadCharts();
  const { spec, batch, task, repair } = await drawCharts(charts);
  const style = readFileSync(join(room, "page.css"), "utf8").replaceAll(/\s*\n\s*/g, "");
  const script = (await bundle(join(room, "browser/main.ts"), { format: "iife", minify: true })).trim();
  // Nothing in it may end the element that it stands in.
  if (/<\/script|<!--/i.test(script)) throw new Error("Cannot put the program into the page: it would end its element");
  return [
    "// Written by scripts/page.mjs.",
    `export const charts = ${JSON.stringify({ spec, batch, task, repair })};`,
    `export const style = ${JSON.stringify(style)};`,
    `export const styleHash = "${hashOf(style)}";`,
    `export const script = ${JSON.stringify(script)};`,
    `export const scriptHash = "${hashOf(script)}";`,
    "",
  ].join("\n");
}

const hashOf = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** The charts of the sources, which no Node reads as they are. */
async function loadCharts() {
  const code = await bundle(join(root, "machines/charts.ts"), { format: "esm" });
  const folder = join(root, "node_modules/.cache");
  mkdirSync(folder, { recursive: true });
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
