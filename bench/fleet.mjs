import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { howToGetIt, privatePostgres } from "../examples/demo/fleet/postgres.mjs";
import { median, renderTable } from "./table.mjs";
import { medianOf, ratioOf, takeTurns } from "./take-turns.mjs";

const program = fileURLToPath(new URL("fleet-process.mjs", import.meta.url));

async function measure(job) {
  const database = await privatePostgres();
  if (database === undefined) throw new Error(howToGetIt);
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-bench-fleet-"));
  try {
    const told = JSON.stringify({ ...job, queue: database.url, folder });
    const { stdout } = await promisify(execFile)(process.execPath, [program, told]);
    return JSON.parse(stdout.slice(stdout.lastIndexOf("{")));
  } finally {
    database.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function benchFleet({ tasks, repetitions }) {
  const subjects = [
    { name: "the engine alone", measure: () => measure({ subject: "bare", tasks }) },
    { name: "a worker", measure: () => measure({ subject: "host", tasks }) },
  ];
  const figures = await takeTurns(subjects, repetitions);
  const bare = figures.get("the engine alone");
  const rows = [...figures].map(([name, found]) => [
    name,
    ...[medianOf(found, "cpuMs") / tasks, ratioOf(found, bare, "cpuMs")],
    ...[medianOf(found, "childrenMs") / tasks, medianOf(found, "wallMs") / tasks],
    ...[medianOf(found, "steps") / tasks, median(found.map(({ bytes, steps }) => bytes / steps))],
  ]);
  const far = { subject: "host", tasks: 10, all: 1000 };
  const places = await takeTurns(
    [10, 980].map((first) => ({ name: `from task ${first}`, measure: () => measure({ ...far, first }) })),
    1,
  );
  const sizes = [...places].map(([name, [{ bytes, steps, job }]]) => [name, bytes / steps, job]);
  return [
    `## ${tasks} tasks with a Verify on a fleet of one worker, ms a task\n`,
    renderTable(["", "CPU", "× alone", "CPU of git and commands", "wall", "steps", "bytes a step"], rows),
    "\n## 10 tasks of a plan of 1 000 on a fleet, bytes\n",
    renderTable(["", "a step", "largest job"], sizes),
  ].join("\n");
}
