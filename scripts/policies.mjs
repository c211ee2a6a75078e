#!/usr/bin/env node
// Replays recorded trials under several policies, and prints how much each policy solves and what it costs. Requires a
// build, which makes the decisions.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { raceTablesIn } from "./policies/race.mjs";
import { readSets } from "./policies/read-trials.mjs";
import { rowsFor } from "./policies/rows.mjs";
import { tableOf } from "./policies/table.mjs";

const help = `Usage: npm run policies -- [options] [file or folder …]

Files of trials, one JSON object a line, or folders of such *.ndjson files (default: bench/traces).

Options:
  --policy <json>  a row for this policy as well; may be repeated
  --record         write the tables into their page: bench/traces/README.md, or docs/evidence/policies.md for other files
  --race           the result that a race would have had, compared with the same money spent in sequence
  --check          fail if the tables differ from those in that page
  --help
`;
const flag = { type: "boolean", default: false };
const { values, positionals } = parseArgs({
  options: {
    policy: { type: "string", multiple: true, default: [] },
    record: flag,
    race: flag,
    check: flag,
    help: flag,
  },
  allowPositionals: true,
});
if (values.help) process.stdout.write(help);
else await main();

async function main() {
  if (values.policy.length > 0 && (values.record || values.check))
    throw new Error("Cannot use --policy with --record or --check");
  const own = positionals.length === 0;
  if (values.race && own) throw new Error("Expected files of independent trials after --race");
  const page = inRepository(own ? "bench/traces/README.md" : "docs/evidence/policies.md");
  const tables = values.race ? raceTablesIn(positionals) : [];
  for (const set of values.race ? [] : readSets(own ? [inRepository("bench/traces")] : positionals)) {
    tables.push(await tableOf(set, rowsFor(values.policy)));
  }
  const text = `${tables.join("\n\n")}\n`;
  if (!values.check) process.stdout.write(text);
  const recorded = readFileSync(page, "utf8");
  const now = withTables(recorded, text, values.race ? "race" : "policies");
  if (values.record) writeFileSync(page, now);
  if (values.check && now !== recorded) {
    process.stderr.write(
      `${text}\nThe tables in ${page} differ from these. Write them again: npm run policies -- --record\n`,
    );
    process.exitCode = 1;
  }
}

function inRepository(path) {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

function withTables(page, tables, name) {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`Cannot find the lines ${start.trim()} and ${end} in the page`);
  return `${page.slice(0, from)}${start}\n${tables}\n${page.slice(to)}`;
}
