import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { timeCommand } from "./time-command.mjs";
import { makeSpec } from "./workload.mjs";

export function makeExecutor(folder, script = "echo TASK_COMPLETE") {
  const path = join(folder, "executor.sh");
  writeFileSync(path, `${script}\n`);
  return ["sh", path];
}

export function prepareRun({ cli, folder, tasks, executor }) {
  const { folder: cwd, spec } = makeSpec(folder, tasks);
  return { cwd, args: [cli, "run", spec, "--exec", executor.join(" "), "--trust-executor", "--reporter", "json"] };
}

export function timeRun(job, until = "") {
  const { cwd, args } = prepareRun(job);
  return timeCommand(process.execPath, args, { cwd, until });
}
