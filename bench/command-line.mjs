import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { timeCommand } from "./time-command.mjs";
import { makeSpec } from "./workload.mjs";

/** The smallest program that completes a task, as a command with its arguments. */
export function makeExecutor(folder, script = "echo TASK_COMPLETE") {
  const path = join(folder, "executor.sh");
  writeFileSync(path, `${script}\n`);
  return ["sh", path];
}

/**
 * Creates a spec in a folder. Returns the arguments of Node to run the spec with an executor and to print each event as
 * a line of JSON.
 */
export function prepareRun({ cli, folder, tasks, executor }) {
  const { folder: cwd, spec } = makeSpec(folder, tasks);
  return { cwd, args: [cli, "run", spec, "--exec", executor.join(" "), "--trust-executor", "--reporter", "json"] };
}

/** Measures `fixpoint run` to its end, or until it has printed a text. */
export function timeRun(job, until = "") {
  const { cwd, args } = prepareRun(job);
  return timeCommand(process.execPath, args, { cwd, until });
}
