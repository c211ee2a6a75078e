#!/usr/bin/env node
// Runs every scenario of test/faults at full size, one after another, each in a program of its own, and prints what it
// took as a table. Ends with 1 when something was not as expected. Needs Linux.
import { execFileSync, spawnSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundleMeasure } from "../test/faults/bundle-measure.mjs";

const help = `Usage: npm run faults -- [options]

Options:
  --only <text>    only scenarios whose name contains this
  --size <MiB>     of a flood (default: 1024)
  --rounds <n>     (default: 1)
  --help
`;
const mebibyte = 1024 * 1024;
/** A flood, and what one may write past its cap. */
const neededBytes = 4 * 1024 * mebibyte;
const root = fileURLToPath(new URL("..", import.meta.url));
const print = (text) => process.stdout.write(`${text}\n`);
const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    size: { type: "string", default: "1024" },
    rounds: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) print(help);
else if (freeBytes() < neededBytes) print(`Skipped: ${tmpdir()} has less than 4 GiB free`);
else await runAll();

async function runAll() {
  const program = await bundleMeasure();
  const started = performance.now();
  const size = Number(values.size) * mebibyte;
  const scenarios = JSON.parse(execFileSync(process.execPath, [program.file], { encoding: "utf8" }));
  const violations = [];
  let [count, skipped, peak] = [0, 0, 0];
  try {
    print(
      `Commit ${commit()}, Node ${process.version}, ${availableParallelism()} processors, ${values.size} MiB a flood\n`,
    );
    print("| executor that | ms | written, MB | memory rose by, MB | peak, MB | left | violations |");
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const scenario of scenarios.filter(({ name }) => name.includes(values.only))) {
        const seen = measure(program.file, scenario, size);
        if (seen === null) {
          skipped += 1;
          print(`| ${scenario.name} | | | | | | skipped |`);
          continue;
        }
        count += 1;
        peak = Math.max(peak, seen.peakBytes);
        violations.push(...seen.violations.map((violation) => `${scenario.name}: ${violation}`));
        const megabytes = [seen.writtenBytes, seen.memoryBytes, seen.peakBytes].map((bytes) =>
          (bytes / 1e6).toFixed(1),
        );
        print(`| ${[scenario.name, seen.ms, ...megabytes, seen.alive, seen.violations.length].join(" | ")} |`);
      }
    }
  } finally {
    program.remove();
  }
  for (const violation of violations) print(`\n${violation}`);
  const seconds = Math.round((performance.now() - started) / 1000);
  const highest = (peak / 1e6).toFixed(1);
  print(`\n${count} calls, ${skipped} skipped, ${violations.length} violations, peak ${highest} MB, ${seconds} s`);
  if (violations.length > 0) process.exitCode = 1;
}

/** Null where the machine cannot do it. */
function measure(file, { name, program, crowded = false }, size) {
  // As another user, for whom limits hold, but with the right to read what this one may.
  const asNobody = ["--reuid=65534", "--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
  if (crowded && spawnSync("setpriv", [...asNobody, "prlimit", "--version"]).status !== 0) return null;
  if (program !== undefined && spawnSync(program).status !== 0) return null;
  const words = [process.execPath, file, name, String(size)];
  const [command, ...args] = crowded ? ["setpriv", ...asNobody, ...words] : words;
  return JSON.parse(execFileSync(command, args, { encoding: "utf8" }));
}

function freeBytes() {
  const { bavail, bsize } = statfsSync(tmpdir());
  return bavail * bsize;
}

function commit() {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
  try {
    const changed = git("status", "--porcelain", "src/adapters") === "" ? "" : " and changes";
    return `${git("rev-parse", "--short=7", "HEAD")}${changed}`;
  } catch {
    return "unknown";
  }
}
