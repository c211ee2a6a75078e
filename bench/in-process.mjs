import { median, renderTable } from "./table.mjs";
import { measureRun, medianOf, ratioOf, takeTurns } from "./take-turns.mjs";

const names = ["memory", "journal", "fixpoint"];
const failEvery = 10;
const jobs = [0, failEvery];
const inWords = (every) => (every === 0 ? "none" : `every ${every}th`);

export async function benchInProcess({ sizes, repetitions }) {
  // Measure all sizes and failure rates in turn, because the load of the machine may change.
  const runs = sizes.flatMap((tasks) => jobs.map((every) => ({ tasks, every })));
  const subjects = runs.flatMap(({ tasks, every }) =>
    names.map((subject) => ({
      name: `${subject} ${tasks} ${every}`,
      measure: () => measureRun({ subject, tasks, failEvery: every }),
    })),
  );
  const taken = await takeTurns(subjects, repetitions);
  const of = (subject, { tasks, every }) => taken.get(`${subject} ${tasks} ${every}`);
  const [least] = sizes;
  return [
    "## In one process, with a function that answers at once as executor\n",
    "Per task, except the peak:\n",
    renderTable(
      ["tasks", "failing", "", "CPU ms", "wall ms", "CPU × journal", "wall × journal", "KB", "flushes", "peak MiB"],
      runs.flatMap((run) => names.map((name) => costRow(run, name, of(name, run), of("journal", run)))),
    ),
    tellSpread(of("journal", runs[0]), least),
    "### Cost of a recovery: the difference from a run without failures, divided by the number of recoveries\n",
    renderTable(
      ["tasks", "", "CPU ms", "wall ms", "KB", "CPU × journal"],
      sizes.flatMap((tasks) => recoveryRows(tasks, (name, every) => of(name, { tasks, every }))),
    ),
    `### Growth: cost per task compared with ${least} tasks\n`,
    renderTable(
      ["tasks", "failing", "", "CPU ×", "wall ×", "KB ×"],
      runs
        .filter(({ tasks }) => tasks !== least)
        .flatMap((run) =>
          ["journal", "fixpoint"].map((name) => {
            const growth = (field) =>
              (ratioOf(of(name, run), of(name, { ...run, tasks: least }), field) * least) / run.tasks;
            return [run.tasks, inWords(run.every), name, growth("cpuMs"), growth("wallMs"), growth("allocKb")];
          }),
        ),
    ),
  ].join("\n");
}

function costRow({ tasks, every }, name, own, floor) {
  const perTask = (field) => medianOf(own, field) / tasks;
  return [
    ...[tasks, inWords(every), name, perTask("cpuMs"), perTask("wallMs")],
    ...[ratioOf(own, floor, "cpuMs"), ratioOf(own, floor, "wallMs")],
    ...[perTask("allocKb"), perTask("flushes"), medianOf(own, "peakMiB")],
  ];
}

/** The floor should be constant, so a wide spread means that no figure is reliable. */
function tellSpread(floor, tasks) {
  const times = floor.map(({ wallMs }) => wallMs);
  const spread = Math.max(...times) / Math.min(...times);
  return `The longest of ${times.length} runs of the journal floor, ${tasks} tasks, took ${spread.toFixed(2)} × the shortest.\n`;
}

function recoveryRows(tasks, of) {
  const each = (name, field) => {
    const clean = of(name, 0);
    return of(name, failEvery).map((one, at) => (one[field] - clean[at][field]) / (tasks / failEvery));
  };
  return ["journal", "fixpoint"].map((name) => [
    ...[tasks, name],
    ...["cpuMs", "wallMs", "allocKb"].map((field) => median(each(name, field))),
    median(each(name, "cpuMs")) / median(each("journal", "cpuMs")),
  ]);
}
