import { renderTable } from "./table.mjs";
import { measureRun, medianOf, ratioOf, takeTurns } from "./take-turns.mjs";

const names = ["memory", "journal", "fixpoint"];

/** Tables of runs whose executor is a function that answers at once, and the growth of the cost with the plan. */
export async function benchInProcess({ sizes, repetitions }) {
  const runs = new Map();
  for (const failEvery of [0, 10]) {
    // Sizes in turn as well, so that growth is measured under the same load.
    const subjects = sizes.flatMap((tasks) =>
      names.map((subject) => ({
        name: `${subject} ${tasks}`,
        measure: () => measureRun({ subject, tasks, failEvery }),
      })),
    );
    runs.set(failEvery, await takeTurns(subjects, repetitions));
  }
  return [
    "## In one process, the executor a function that answers at once\n",
    renderTable(
      ["tasks", "failing", "", "wall ms/task", "CPU ms/task", "wall × journal", "CPU × journal", "peak MiB"],
      [...runs].flatMap(([failEvery, figures]) => sizes.flatMap((tasks) => costRows(figures, tasks, failEvery))),
    ),
    "## Growth: cost per task against that at 100 tasks\n",
    renderTable(
      ["tasks", "failing", "", "wall ×", "CPU ×"],
      [...runs].flatMap(([failEvery, figures]) =>
        sizes.filter((tasks) => tasks !== 100).flatMap((tasks) => growthRows(figures, tasks, failEvery)),
      ),
    ),
  ].join("\n");
}

const failing = (failEvery) => (failEvery === 0 ? "none" : `every ${failEvery}th`);

function costRows(figures, tasks, failEvery) {
  const floor = figures.get(`journal ${tasks}`);
  return names.map((name) => {
    const own = figures.get(`${name} ${tasks}`);
    return [
      tasks,
      failing(failEvery),
      name,
      medianOf(own, "wallMs") / tasks,
      medianOf(own, "cpuMs") / tasks,
      ratioOf(own, floor, "wallMs"),
      ratioOf(own, floor, "cpuMs"),
      medianOf(own, "peakMiB"),
    ];
  });
}

function growthRows(figures, tasks, failEvery) {
  return ["journal", "fixpoint"].map((name) => {
    const own = figures.get(`${name} ${tasks}`);
    const base = figures.get(`${name} 100`);
    const growth = (field) => (ratioOf(own, base, field) * 100) / tasks;
    return [tasks, failing(failEvery), name, growth("wallMs"), growth("cpuMs")];
  });
}
