import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median, renderTable } from "./table.mjs";
import { takeTurns } from "./take-turns.mjs";

const measured = fileURLToPath(new URL("measured-verify.mjs", import.meta.url));
const subjects = ["commands", "git", "add and write-tree", "no repository", "no Verify", "Verify"];

async function measure(job) {
  const { stdout } = await promisify(execFile)(process.execPath, [measured, JSON.stringify(job)]);
  return JSON.parse(stdout);
}

export async function benchVerify({ sizes, tasks, repetitions }) {
  const [kept, verified] = [[], []];
  for (const files of sizes) {
    const figures = await takeTurns(
      subjects.map((name) => ({ name, measure: () => measure({ subject: name, tasks, files }) })),
      repetitions,
    );
    const [commands, git, named, alone, without, run] = subjects.map((name) =>
      figures.get(name).map(({ cpuMs }) => cpuMs / tasks),
    );
    const keeping = without.map((each, at) => each - alone[at]);
    const beside = run.map((each, at) => each - without[at] - commands[at]);
    const inCalls = beside.map((each, at) => each / git[at]);
    kept.push([`${files} files`, ...[named, alone, without, keeping].map(median)]);
    verified.push([`${files} files`, ...[commands, git, without, run, beside, inCalls].map(median)]);
  }
  return [
    `## ${tasks} tasks without a Verify, CPU ms a task
`,
    renderTable(["", "`git add -A` and `write-tree`", "no repository", "in a repository", "more than without"], kept),
    `\n## ${tasks} tasks with a Verify in a repository, CPU ms a task\n`,
    renderTable(
      ["", "two commands alone", "one call of git", "no Verify", "a Verify", "beside the commands", "in calls of git"],
      verified,
    ),
  ].join("\n");
}
