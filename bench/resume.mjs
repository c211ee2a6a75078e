import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { makeLongRun, noteBefore, runToDelegation, stateHome } from "./long-run.mjs";
import { median, renderTable } from "./table.mjs";
import { timeCommand } from "./time-command.mjs";

const resumeParts = fileURLToPath(new URL("resume-parts.mjs", import.meta.url));

export async function benchResume({ cli, sizes, repetitions }) {
  if (!sizes.every((size) => size >= 60 && size % 20 === 0)) {
    throw new Error(`Resumed runs have multiples of 20 tasks, from 60, not ${sizes.join(", ")}`);
  }
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
  const source = new URL("../dist/src", import.meta.url).href;
  try {
    const rows = [];
    const parts = [];
    for (const tasks of sizes) {
      const made = await makeLeft(join(folder, String(tasks)), tasks, source);
      const figures = [];
      const commands = [];
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        figures.push(await onCopy(made, (copy) => goOn(copy, made, source)));
        // Start a whole process only in a tenth of the repetitions, because it doubles their time.
        if (repetition % 10 === 0) commands.push(await onCopy(made, (copy) => startCommand(cli, copy)));
      }
      const of = (field) => figures.map((one) => one[field]);
      rows.push([
        tasks,
        made.records,
        repetitions,
        ...[median(of("wallMs")), percentile(of("wallMs"), 0.99), Math.max(...of("wallMs"))],
        ...[median(of("cpuMs")), percentile(of("cpuMs"), 0.99), Math.max(...of("peakMiB"))],
        median(commands.map(({ wallMs }) => wallMs)),
      ]);
      parts.push(await measureParts(made, source));
    }
    const heads = ["wall ms", "p99", "max", "CPU ms", "p99", "peak MiB", "`fixpoint run` wall ms"];
    const names = Object.keys(parts[0]);
    return [
      "## Resume: from the start of a run that was killed to its first delegation\n",
      renderTable(["tasks", "records", "n", ...heads], rows),
      "## Resume by part, CPU ms\n",
      renderTable(
        ["", ...sizes.map(String)],
        names.map((name) => [name, ...parts.map((part) => part[name])]),
      ),
    ].join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeLeft(folder, tasks, source) {
  const names = [
    ...["adapters/journal/journal-line", "adapters/journal/snapshot", "adapters/user/run-head"],
    ...["run/new-run", "run/apply"],
  ];
  const product = Object.assign({}, ...(await Promise.all(names.map((name) => import(`${source}/${name}.js`)))));
  const made = { folder, ...(await makeLongRun(folder, tasks, { entry: entryOf(source), product })) };
  await onCopy(made, async (copy) => {
    await goOn(copy, made, source);
    noteBefore(copy, made.head);
    rmSync(folder, { recursive: true });
    cpSync(copy, folder, { recursive: true });
    cpSync(stateHome(copy), stateHome(folder), { recursive: true });
  });
  return made;
}

const entryOf = (source) => `${source}/hosts/node/index.js`;

async function onCopy({ folder }, work) {
  const copy = `${folder}-copy`;
  try {
    cpSync(folder, copy, { recursive: true });
    if (existsSync(stateHome(folder))) cpSync(stateHome(folder), stateHome(copy), { recursive: true });
    // Flush now: otherwise the first flush of the measured start would also write this copy to disk.
    execFileSync("sync", ["-f", copy]);
    return await work(copy);
  } finally {
    for (const made of [copy, stateHome(copy)]) rmSync(made, { recursive: true, force: true });
  }
}

async function goOn(workspace, { key }, source) {
  const figures = await runToDelegation({ entry: entryOf(source), spec: join(workspace, "specs", "bench"), workspace });
  if (figures.key !== key) throw new Error(`The run resumed with ${figures.key}, not ${key}`);
  return figures;
}

function startCommand(cli, cwd) {
  // The executor kills the run, because only the time until the first delegation is measured.
  const options = ["--exec", "sh -c 'kill $PPID'", "--yes", "--accept", "any", "--reporter", "json"];
  return timeCommand(process.execPath, [cli, "run", "bench", ...options], {
    cwd,
    env: { ...process.env, XDG_STATE_HOME: stateHome(cwd) },
    until: '"task.delegated"',
    mayFail: true,
  });
}

async function measureParts({ folder }, source) {
  const job = JSON.stringify({ source, spec: join(folder, "specs", "bench") });
  const measured = [];
  for (let repetition = 0; repetition < 5; repetition += 1) {
    measured.push(JSON.parse((await promisify(execFile)(process.execPath, [resumeParts, job])).stdout));
  }
  const names = Object.keys(measured[0]);
  return Object.fromEntries(names.map((name) => [name, median(measured.map((one) => one[name]))]));
}

function percentile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1];
}
