import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { renderTable, short } from "./table.mjs";
import { medianOf, ratioOf, takeTurns } from "./take-turns.mjs";

const measuredPlan = fileURLToPath(new URL("measured-plan.mjs", import.meta.url));
const names = ["full", "fixpoint", "scanner"];
const fields = ["readMs", "insertMs", "tickMs", "runMs"];

export async function benchPlanEditor({ sizes, repetitions }) {
  const subjects = sizes.flatMap((tasks) =>
    names.map((subject) => ({ name: `${subject} ${tasks}`, measure: () => measurePlan({ subject, tasks }) })),
  );
  const figures = await takeTurns(subjects, repetitions);
  return [
    "## The plan editor\n",
    "`full` parses the whole text for each step; ≈ marks an estimate from one parse. A run ticks all tasks, and inserts a fix task before every 10th tick.\n",
    renderTable(
      ["tasks", "", "read ms", "insert ms", "tick ms", "run ms", "read ×", "insert ×", "tick ×", "run ×"],
      sizes.flatMap((tasks) => names.map((name) => costRow(figures, name, tasks))),
    ),
    "Edits of a plan file, compared with a durable rewrite of that file, and their growth compared with 100 tasks:\n",
    renderTable(
      ["tasks", "tick ms", "insert ms", "rewrite ms", "insert - rewrite ms", "tick ×", "insert ×"],
      sizes.map((tasks) => fileRow(figures, tasks)),
    ),
    "Growth of fixpoint in memory compared with 100 tasks, and the characters that a run reads per character of the final plan:\n",
    renderTable(
      ["tasks", "read/task ×", "insert ×", "tick ×", "run/task ×", "characters read"],
      sizes.map((tasks) => growthRow(figures, tasks)),
    ),
  ].join("\n");
}

async function measurePlan(job) {
  const { stdout } = await promisify(execFile)(process.execPath, [measuredPlan, JSON.stringify(job)]);
  return JSON.parse(stdout);
}

function costRow(figures, name, tasks) {
  const own = figures.get(`${name} ${tasks}`);
  const base = figures.get(`fixpoint ${tasks}`);
  const mark = (field, number) =>
    own.some(({ estimated }) => estimated.includes(field)) ? `≈ ${short(number)}` : number;
  return [
    tasks,
    name,
    ...fields.map((field) => mark(field, medianOf(own, field))),
    ...fields.map((field) => mark(field, ratioOf(own, base, field))),
  ];
}

function fileRow(figures, tasks) {
  const own = figures.get(`fixpoint ${tasks}`);
  const [tick, insert, rewrite] = ["tickFileMs", "insertFileMs", "rewriteMs"].map((field) => medianOf(own, field));
  const growth = (field) => ratioOf(own, figures.get("fixpoint 100"), field);
  return [tasks, tick, insert, rewrite, insert - rewrite, growth("tickFileMs"), growth("insertFileMs")];
}

function growthRow(figures, tasks) {
  const own = figures.get(`fixpoint ${tasks}`);
  const growth = (field) => ratioOf(own, figures.get("fixpoint 100"), field);
  const perTask = (field) => (growth(field) * 100) / tasks;
  return [
    tasks,
    perTask("readMs"),
    growth("insertMs"),
    growth("tickMs"),
    perTask("runMs"),
    medianOf(own, "readPerCharacter"),
  ];
}
