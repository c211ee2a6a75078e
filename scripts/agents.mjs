#!/usr/bin/env node
// Runs real agents through the built fixpoint, with a scripted model service and without a network. Exits with 1 after
// an unexpected result. Requires a build.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isClosed, runClosed } from "./agents/closed-network.mjs";
import { installTool, locateTool, versionOf } from "./agents/install-tools.mjs";
import { recordStream } from "./agents/record-stream.mjs";
import { markOf, renderTable } from "./agents/render-table.mjs";
import { suites } from "./agents/suites.mjs";
import { commitOf } from "./campaign/ledger.mjs";

const help = `Usage: npm run agents -- [options]

Installs the tools pinned in scripts/agents/tools.json below reports/agents, from the npm registry and without running
any of their code, then runs them without a network except the loopback: Linux on x64, with unshare and ip.

Options:
  --mcp                 the tools work through a plan by themselves, over MCP, instead of being called by fixpoint
  --sdk                 the adapters of fixpoint/agents with real packages of SDKs, two versions each, and scripted models
  --only <tool[:case]>  this tool, or this one case of it; may be repeated (default: all)
  --latest              the newest version of each tool in place of the pinned one
  --at-once <n>         cells at the same time (default: 2)
  --record <folder>     save the output of each tool, without ids and folders; not with --mcp
  --write <file>        write the table into a page, between its lines <!-- agents --> and <!-- /agents -->, with --mcp
                        <!-- agents-mcp --> and <!-- /agents-mcp -->
  --help
`;
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "reports/agents");
const program = join(root, "dist/src/hosts/cli/main.js");
const print = (text) => process.stdout.write(`${text}\n`);

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`ERROR: ${error.message}\n`);
  process.exitCode = 2;
}

async function main() {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [] },
      "at-once": { type: "string", default: "2" },
      ...{ record: { type: "string" }, write: { type: "string" } },
      ...{ latest: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
      ...{ mcp: { type: "boolean", default: false }, sdk: { type: "boolean", default: false } },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const atOnce = Number(values["at-once"]);
  if (!(atOnce >= 1)) throw new Error(`Cannot use --at-once \`${values["at-once"]}\`, expected a number`);
  if (values.mcp && values.record !== undefined) throw new Error("Cannot use --record with --mcp");
  if (values.sdk) return tryAdapters(values.write);
  const suite = values.mcp ? suites.mcp : suites.executor;
  const wanted = wantedCells(suite, values.only);
  if (!existsSync(program)) throw new Error(`Cannot find ${program}, run npm run build first`);
  const tools = [...new Set(wanted.map(({ name }) => name))].map((name) =>
    locateTool(name, { folder, isLatest: values.latest }),
  );
  if (!isClosed()) {
    for (const tool of tools) if (installTool(tool)) print(`Installed ${tool.from}@${versionOf(tool)}`);
    return runClosed();
  }
  const cells = wanted.map(({ name, kase }) => {
    const tool = tools.find((each) => each.name === name);
    return { tool: { ...tool, version: versionOf(tool) }, kase, expected: suite.expectedOf(kase, name) };
  });
  const results = await runAll(suite, cells, { atOnce, record: values.record });
  const head = `Commit ${commitOf(root)}, Node ${process.version}`;
  const text = `${head}\n\n${renderTable(results)}`;
  print(`\n${text}`);
  const isWhole = results.length === cells.length;
  if (values.write !== undefined && isWhole) writeTable(values.write, suite.mark, text);
  return isWhole && results.every(({ problems }) => problems.length === 0) ? 0 : 1;
}

async function tryAdapters(page) {
  const { installSdks, trySdks } = await import("./agents/sdks.mjs");
  if (!isClosed()) {
    installSdks(join(folder, "sdks"));
    return runClosed();
  }
  const rows = await trySdks(join(folder, "sdks"));
  const told = rows.map(({ name, passed }) => {
    const all = Object.entries(passed).map(([kase, result]) => `${result === true ? "✔" : "✘"} ${kase}`);
    return `| \`${name}\` | ${all.join(", ")} |`;
  });
  const text = [
    `Commit ${commitOf(root)}, Node ${process.version}`,
    "",
    "| package | cases |",
    "| --- | --- |",
    ...told,
  ].join("\n");
  print(text);
  if (page !== undefined) writeTable(page, "agents-sdk", text);
  for (const { name, passed } of rows)
    for (const [kase, result] of Object.entries(passed)) if (result !== true) print(`${name}, ${kase}: ${result}`);
  return rows.every(({ passed }) => Object.values(passed).every((result) => result === true)) ? 0 : 1;
}

function wantedCells({ tools, cases }, only) {
  const asked = only.map((text) => {
    const [tool, name] = text.split(/:(.*)/);
    if (!tools.includes(tool)) throw new Error(`Cannot run \`${tool}\`, expected one of ${tools.join(", ")}`);
    if (name === undefined || cases.some((kase) => kase.name === name)) return { tool, name };
    throw new Error(`Cannot run \`${name}\`, expected one of: ${cases.map((kase) => kase.name).join("; ")}`);
  });
  const isAsked = (tool, kase) =>
    asked.length === 0 || asked.some((each) => each.tool === tool && (each.name ?? kase.name) === kase.name);
  return cases.flatMap((kase) => tools.filter((name) => isAsked(name, kase)).map((name) => ({ name, kase })));
}

async function runAll(suite, cells, { atOnce, record }) {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort());
  const waiting = [...cells];
  const results = [];
  const work = async () => {
    for (let cell = waiting.shift(); cell !== undefined && !stop.signal.aborted; cell = waiting.shift()) {
      results.push(await runOne(suite, cell, { record, signal: stop.signal }));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const placeOf = ({ tool, kase }) => cells.findIndex((cell) => cell.tool === tool && cell.kase === kase);
  return results.sort((one, other) => placeOf(one) - placeOf(other));
}

async function runOne(suite, { tool, kase, expected }, { record, signal }) {
  const place = join(folder, "cells", `${suite.mark} ${tool.name} ${kase.name}`.replaceAll(/[^a-z0-9]+/g, "-"));
  const seen = await suite.run({ tool, kase, folder: place, program, signal });
  const judged = suite.judge(kase, seen, expected);
  const { kind, problems } = judged;
  if (record !== undefined) recordStream(record, tool, kase, seen.place);
  const why = problems.length === 0 ? "" : ` (${[...problems, suite.told(seen)].filter(Boolean).join("; ")})`;
  print(`${markOf(judged)} ${tool.name}, ${kase.name}: ${kind}${why}, ${seen.seconds} s, ${seen.calls.length} calls`);
  return { tool, kase, ...judged };
}

function writeTable(file, mark, text) {
  const page = readFileSync(file, "utf8");
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from)
    throw new Error(`Cannot write into ${file}, expected the lines ${begin} and ${end} in it`);
  writeFileSync(file, `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`);
}
