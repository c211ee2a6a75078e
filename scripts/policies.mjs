#!/usr/bin/env node
// Replays recorded trials, and generated ones, under policies of recovery, and prints what each policy reaches for what
// cost. Run after a build: it drives the machine that is shipped.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { generateTrials } from "./policies/generate-trials.mjs";
import { replayTrial } from "./policies/replay-trial.mjs";
import { rowsFor } from "./policies/rows.mjs";
import { renderTable, sumUp } from "./policies/table.mjs";

const help = `Usage: npm run policies -- [options]

Options:
  --data <folder>    recorded trials: *.ndjson and *.json with { id, sessions: [{ failing, cost }] }, one a line or in a
                     list; failing checks after each session, cost in US dollars (none by default)
  --policy <json>    a row of its own for this policy, beside the others; may be repeated
  --generated <n>    trials that are generated of each kind (default: 100)
  --seed <n>         determines them (default: 1)
  --write <file>     write the tables into a page, between its lines <!-- policies --> and <!-- /policies -->
  --help
`;
const text = { type: "string" };
const { values } = parseArgs({
  options: {
    data: text,
    policy: { type: "string", multiple: true, default: [] },
    generated: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    write: text,
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}

const rows = rowsFor(values.policy);
const sets = [
  ...(values.data === undefined ? [] : [{ name: "Recorded trials", ...readTrials(values.data) }]),
  ...generateTrials(Number(values.generated), Number(values.seed)),
];
const parts = sets.map(({ name, trials, left = 0 }) => {
  const sums = rows.map((row) => ({ ...row, ...sumUp(trials.map((trial) => [trial, replayTrial(trial, row)])) }));
  return renderTable({ name, trials, left, sums });
});
process.stdout.write(`${parts.join("\n\n")}\n`);
if (values.write !== undefined) writeTables(values.write, parts.join("\n\n"));

function writeTables(path, tables) {
  const page = readFileSync(path, "utf8");
  const [start, end] = ["<!-- policies -->", "<!-- /policies -->"];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from === -1 || to < from) {
    process.stderr.write(`Cannot write into ${path}, expected the lines ${start} and ${end} in it\n`);
    process.exit(2);
  }
  writeFileSync(path, `${page.slice(0, from + start.length)}\n\n${tables}\n\n${page.slice(to)}`);
}

/** Recorded trials of a folder. One in which a session did no work, or that broke off, is left out. */
function readTrials(folder) {
  const files = readdirSync(folder).filter((name) => /\.(?:ndjson|json)$/.test(name));
  const found = files.flatMap((name) => parseFile(readFileSync(join(folder, name), "utf8"), name.endsWith(".ndjson")));
  const trials = found.filter(isTrial).map(toTrial);
  if (trials.length === 0) {
    process.stderr.write(
      `Cannot find a trial in ${fileURLToPath(`file://${join(folder, "/")}`)}, expected files with { id, sessions }\n`,
    );
    process.exit(2);
  }
  const whole = trials.filter(({ broken }) => !broken);
  return { trials: whole, left: trials.length - whole.length };
}

function parseFile(text, isLines) {
  if (isLines)
    return text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line));
  const parsed = JSON.parse(text);
  return Array.isArray(parsed) ? parsed : Array.isArray(parsed?.trials) ? parsed.trials : [parsed];
}

function isTrial(value) {
  return (
    Array.isArray(value?.sessions) &&
    value.sessions.length > 0 &&
    value.sessions.every(({ failing }) => Number.isInteger(failing))
  );
}

function toTrial({ id, sessions, aborted = false, total_tests: total = null }) {
  return {
    id,
    total,
    broken: aborted || sessions.some(({ dead = false }) => dead),
    sessions: sessions.map(({ failing, failed = null, cost, cost_usd: costUsd }) => ({
      failing,
      names: failed,
      cost: cost ?? costUsd ?? 0,
    })),
  };
}
