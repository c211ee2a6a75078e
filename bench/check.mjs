import { accessSync, constants, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { median, renderTable, short } from "./table.mjs";
import { measureRun, takeTurns } from "./take-turns.mjs";

const path = fileURLToPath(new URL("recorded.json", import.meta.url));
const rounds = 3;
const allowance = 1.25;
const runs = [
  { tasks: 100, failEvery: 0 },
  { tasks: 100, failEvery: 10 },
  { tasks: 1000, failEvery: 0 },
];
const nameOf = ({ tasks, failEvery }) => `${tasks} tasks, ${failEvery === 0 ? "none" : `every ${failEvery}th`} failing`;

/** Includes one git process per task, because on some machines a process costs more than all other work of a task. */
const floor = "journal and git";
const figures = { cpu: "CPU × floor", kilobytes: "KB allocated a task", flushes: "flushes a task" };

/** Folder in memory, because a slow disk would increase the CPU times. */
const inMemory = "/dev/shm";

export async function check(print) {
  const { node, runs: recorded } = JSON.parse(readFileSync(path, "utf8"));
  const lines = compare(summarize(await measure()), recorded);
  print(
    renderTable(
      ["", "figure", "measured", "recorded", "allowed", ""],
      lines.map((line) => [line.run, line.figure, line.measured, line.recorded, line.allowed, line.verdict]),
    ),
  );
  const worse = lines.filter(({ verdict }) => verdict === "worse");
  for (const { run, figure, ...line } of worse) {
    const ratio = (line.measured / line.recorded).toFixed(2);
    print(`ERROR: ${run}: ${figure} is ${short(line.measured)}, ${ratio} × the recorded ${short(line.recorded)}`);
  }
  const lost = worse.length > 0;
  if (lost || lines.some(({ verdict }) => verdict === "better")) {
    print(`${lost ? "If this is intended" : "To keep the improvement"}, record again: npm run bench -- --record`);
  }
  if (lost && node !== process.versions.node) print(`Recorded with Node ${node}; this is ${process.versions.node}`);
  if (place() === undefined) print(`CPU is not judged: it needs a file system in memory at ${inMemory}`);
  return !lost;
}

export async function record(print) {
  if (place() === undefined) throw new Error(`Recording needs a file system in memory at ${inMemory}`);
  const measured = summarize(await measure());
  writeFileSync(path, `${JSON.stringify({ node: process.versions.node, runs: measured }, null, 2)}\n`);
  const rows = Object.entries(measured).map(([run, own]) => [run, ...Object.keys(figures).map((key) => own[key])]);
  print(renderTable(["", ...Object.values(figures)], rows));
  print("Recorded in bench/recorded.json");
}

export function compare(measured, recorded) {
  return Object.entries(measured).flatMap(([run, own]) => {
    return Object.entries(figures).flatMap(([key, figure]) => {
      if (own[key] === null) return [];
      const known = recorded[run]?.[key];
      if (known === undefined)
        throw new Error(`There is no record of ${run}, ${figure}. Record it: npm run bench -- --record`);
      const line = { run, figure, measured: own[key], recorded: known, allowed: known * allowance };
      return [{ ...line, verdict: judge(line) }];
    });
  });
}

function judge({ measured, recorded, allowed }) {
  if (measured > allowed) return "worse";
  return measured * allowance < recorded ? "better" : "";
}

function place() {
  try {
    accessSync(inMemory, constants.W_OK);
    return inMemory;
  } catch {
    return undefined;
  }
}

async function measure() {
  const subjects = runs.flatMap((run) =>
    [floor, "fixpoint"].map((subject) => ({
      name: `${nameOf(run)}, ${subject}`,
      measure: () => measureRun({ ...run, subject, place: place() }),
    })),
  );
  return takeTurns(subjects, rounds);
}

/** Takes the minimum of each CPU time, because a busy machine can only increase it. */
function summarize(taken) {
  return Object.fromEntries(
    runs.map((run) => {
      const of = (subject, field) => taken.get(`${nameOf(run)}, ${subject}`).map((one) => one[field]);
      const perTask = (field) => short3(median(of("fixpoint", field)) / run.tasks);
      const cpu = Math.min(...of("fixpoint", "cpuMs")) / Math.min(...of(floor, "cpuMs"));
      return [
        nameOf(run),
        {
          cpu: place() === undefined ? null : short3(cpu),
          kilobytes: perTask("allocKb"),
          flushes: perTask("flushes"),
        },
      ];
    }),
  );
}

const short3 = (number) => Number(number.toPrecision(3));
