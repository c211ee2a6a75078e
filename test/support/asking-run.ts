import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { createRunControl } from "../../src/runtime/run-control.ts";
import { statusOf } from "./cli-here.ts";
import { projectWith } from "./project.ts";
import { until } from "./until.ts";

export async function askingRun(plan: string) {
  const project = projectWith({ plan });
  const control = createRunControl();
  const stop = new AbortController();
  let aborted = false;
  const ended = runSpec({
    spec: project.spec,
    workspace: project.workspace,
    executors: {
      executor: async ({ prompt }) => (/The old one/.test(prompt) ? "TASK_COMPLETE" : "BLOCKED: Which database?"),
    },
    yes: true,
    control,
    signal: stop.signal,
    decide: (_question, signal) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(signal.reason as Error);
        }),
      ),
  });
  await until(() => existsSync(project.data) && existsSync(join(project.data, "run-1")));
  // Sleeps between polls, because the run needs this process too.
  while ((await statusOf(project)).question === null) await sleep(20);
  return { project, control, stop, ended, wasAborted: () => aborted };
}
