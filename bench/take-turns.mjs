import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median } from "./table.mjs";

const measuredRun = fileURLToPath(new URL("measured-run.mjs", import.meta.url));

export async function measureRun(job) {
  const { stdout } = await promisify(execFile)(process.execPath, [measuredRun, JSON.stringify(job)]);
  return JSON.parse(stdout);
}

/** Alternates between the subjects, because a temporary load of the machine then affects all of them. */
export async function takeTurns(subjects, repetitions) {
  const figures = new Map(subjects.map(({ name }) => [name, []]));
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    for (const { name, measure } of subjects) figures.get(name).push(await measure());
  }
  return figures;
}

export const medianOf = (figures, field) => median(figures.map((one) => one[field]));

/** Divides within each repetition, because the load of the machine may change between repetitions. */
export const ratioOf = (figures, base, field) => median(figures.map((one, at) => one[field] / base[at][field]));
