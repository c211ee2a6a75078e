import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median, renderTable } from "./table.mjs";
import { takeTurns } from "./take-turns.mjs";

const measured = fileURLToPath(new URL("measured-verify.mjs", import.meta.url));
const subjects = ["commands", "git", "no Verify", "Verify"];

async function measure(job) {
  const { stdout } = await promisify(execFile)(process.execPath, [measured, JSON.stringify(job)]);
  return JSON.parse(stdout);
}

/**
 * A table of what a Verify takes of an attempt beside the command itself, which runs before and behind it: the CPU of a
 * run with them, without that of the same run without any, and without that of the commands alone. Nearly all of it is
 * that of git, of which one call, a look for what has changed, is measured beside it.
 */
export async function benchVerify({ sizes, tasks, repetitions }) {
  const rows = [];
  for (const files of sizes) {
    const figures = await takeTurns(
      subjects.map((name) => ({ name, measure: () => measure({ subject: name, tasks, files }) })),
      repetitions,
    );
    const [commands, git, without, run] = subjects.map((name) => figures.get(name).map(({ cpuMs }) => cpuMs / tasks));
    const beside = run.map((each, at) => each - without[at] - commands[at]);
    const inCalls = beside.map((each, at) => each / git[at]);
    rows.push([`${files} files`, ...[commands, git, without, run, beside, inCalls].map(median)]);
  }
  return [
    `## ${tasks} tasks with a Verify in a repository, CPU ms a task\n`,
    renderTable(
      ["", "two commands alone", "one call of git", "no Verify", "a Verify", "beside the commands", "in calls of git"],
      rows,
    ),
  ].join("\n");
}
