import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median, renderTable } from "./table.mjs";
import { medianOf, ratioOf, takeTurns } from "./take-turns.mjs";
import { countIdleCalls, timeWatched } from "./watch-cost.mjs";

const program = (name) => fileURLToPath(new URL(name, import.meta.url));
const inProcess = async (name, job) =>
  JSON.parse((await promisify(execFile)(process.execPath, [program(name), JSON.stringify(job)])).stdout);

export async function benchWatch({ cli, sizes, repetitions }) {
  return [
    "## From a record of a run to the viewer of its page\n",
    await shownTable(sizes),
    "## A run with a viewer that reads nothing\n",
    await costTable({ cli, tasks: 40, repetitions }),
    "## `fixpoint watch` without a viewer, while the run works and prints\n",
    await idleTable(cli),
  ].join("\n");
}

async function shownTable(sizes) {
  const rows = [];
  for (const tasks of sizes) {
    for (const isTold of [true, false]) {
      const done = Math.min(tasks - 1, 1000);
      const { times, frames } = await inProcess("watch-shown.mjs", { tasks, done, changes: 100, isTold });
      const sorted = times.toSorted((a, b) => a - b);
      const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
      rows.push([tasks, frames, isTold ? "fs.watch" : "polled", times.length, median(times), at(0.95), at(1)]);
    }
  }
  return renderTable(["tasks", "frames", "told by", "n", "p50 ms", "p95 ms", "most ms"], rows);
}

async function costTable({ cli, tasks, repetitions }) {
  const names = {
    alone: "not served",
    nobody: "`run --watch`, no viewer",
    stuck: "`run --watch`, a viewer that reads nothing",
    elsewhere: "`watch` in another process, a viewer that reads nothing",
  };
  const subjects = Object.keys(names).map((how) => ({ name: how, measure: () => timeWatched({ cli, tasks, how }) }));
  const taken = await takeTurns(subjects, repetitions);
  const rows = Object.entries(names).map(([how, name]) => [
    ...[name, repetitions, medianOf(taken.get(how), "wallMs"), ratioOf(taken.get(how), taken.get("alone"), "wallMs")],
  ]);
  return `${tasks} tasks, each a process of 50 ms.\n\n${renderTable(["", "n", "wall ms", "×"], rows)}`;
}

async function idleTable(cli) {
  const calls = await countIdleCalls({ cli, seconds: 10 });
  if (calls === null) return "System calls are not counted: strace is not installed.\n";
  const rows = [
    ["`fixpoint watch`", calls.watch.all, calls.watch.aboutFiles],
    ["a bare server of Node", calls.bare.all, calls.bare.aboutFiles],
  ];
  return renderTable(["", "system calls a second", "about files"], rows);
}
