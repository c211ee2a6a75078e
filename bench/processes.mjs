import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeExecutor, timeRun } from "./command-line.mjs";
import { renderTable } from "./table.mjs";
import { measureRun, medianOf, ratioOf, takeTurns } from "./take-turns.mjs";

const tasks = 100;

export async function benchProcesses({ cli, repetitions }) {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-bench-"));
  const command = makeExecutor(folder);
  let made = 0;
  const runCli = () => {
    made += 1;
    return timeRun({ cli, folder: join(folder, String(made)), tasks, executor: command });
  };
  try {
    const figures = await takeTurns(
      [
        { name: "floor", measure: () => measureRun({ subject: "processes", tasks, command }) },
        { name: "fixpoint", measure: () => measureRun({ subject: "fixpoint, processes", tasks, command }) },
        { name: "fixpoint run --reporter json", measure: runCli },
      ],
      repetitions,
    );
    const floor = figures.get("floor");
    const rows = [...figures].map(([name, own]) => [
      name,
      medianOf(own, "wallMs") / tasks,
      medianOf(own, "cpuMs") / tasks,
      ratioOf(own, floor, "wallMs"),
      ratioOf(own, floor, "cpuMs"),
    ]);
    return [
      `## ${tasks} tasks, a process for each: \`echo TASK_COMPLETE\`\n`,
      renderTable(["", "wall ms/task", "CPU ms/task", "wall × floor", "CPU × floor"], rows),
      "The command line's figures are those of its whole process, its start included.\n",
    ].join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
