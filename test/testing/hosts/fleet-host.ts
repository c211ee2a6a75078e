import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { readFleet } from "../../../src/hosts/dbos/fleet.ts";
import { openFleetRun } from "../../../src/hosts/dbos/open-run.ts";
import { submitSpec } from "../../../src/hosts/dbos/submit.ts";
import type { Host, HostResult, HostTask } from "../../../src/testing/host.ts";
import type { FleetWorkerSetup } from "./fleet-worker.ts";

let count = 0;

export const fleetHost =
  (queue: string): Host =>
  async (task) => {
    const folder = mkdtempSync(join(tmpdir(), "fixpoint-fleet-host-"));
    count += 1;
    const executor = `agent-${process.pid}-${count}`;
    const workspace = makeRepository(folder, task);
    const setup: FleetWorkerSetup = {
      ...{ task, queue, executor, folder: join(folder, "work") },
      delegated: fileIn(folder, "delegated"),
      deaths: fileIn(folder, "deaths"),
    };
    writeFileSync(join(folder, "setup.json"), JSON.stringify(setup));
    let worker: ChildProcess | null = null;
    let isOver = false;
    const keepAlive = async (): Promise<void> => {
      while (!isOver) {
        worker = startWorker(join(folder, "setup.json"));
        await once(worker, "exit");
      }
    };
    const alive = keepAlive();
    try {
      const { run, branch } = await submitSpec({
        ...{ queue, workspace, spec: workspace, policy: task.policy, branch: `fixpoint/${executor}` },
        ...{ executors: { executor }, agree: () => true },
      });
      const outcome = await outcomeOf(queue, run);
      const read = await readerOf(
        outcome === "checkpoint" ? null : { workspace, branch },
        await openFleetRun(queue, run),
      );
      const lines = readFileSync(setup.delegated, "utf8")
        .split("\n")
        .filter((line) => line !== "");
      const delegated = lines.map((line) => JSON.parse(line) as HostResult["delegated"][number]);
      const kills = readFileSync(setup.deaths, "utf8").split("\n").length - 1;
      return { outcome, tasks: read("tasks.md"), progress: read(".progress.md"), delegated, kills };
    } finally {
      isOver = true;
      (worker as ChildProcess | null)?.kill("SIGKILL");
      await alive;
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  };

async function readerOf(
  pushed: { readonly workspace: string; readonly branch: string } | null,
  held: { readonly folder: string; readonly close: () => Promise<void> },
): Promise<(name: string) => string> {
  const [tasks, progress] = ["tasks.md", ".progress.md"].map((name) => readFileSync(join(held.folder, name), "utf8"));
  await held.close();
  if (pushed === null) return (name) => (name === "tasks.md" ? tasks : progress) ?? "";
  git(pushed.workspace, "fetch", "-q", "origin");
  return (name) => git(pushed.workspace, "show", `refs/remotes/origin/${pushed.branch}:${name}`);
}

/** An unattended run that waits for an answer about a stuck task is at a checkpoint. */
async function outcomeOf(queue: string, run: string): Promise<string> {
  for (;;) {
    const found = (await readFleet(queue)).runs.find((each) => each.run === run);
    if (found?.outcome != null) return found.outcome;
    const [question] = found?.questions ?? [];
    if (question !== undefined && question.task !== null) return "checkpoint";
    if (question !== undefined) throw new Error(`Expected no question, not: ${question.text}`);
    await setTimeout(100);
  }
}

function startWorker(setup: string): ChildProcess {
  const program = join(process.env["FIXPOINT_BUILD_UNDER_TEST"] ?? "", "test/testing/hosts/fleet-worker.js");
  return spawn(process.execPath, [program, setup], { stdio: ["ignore", "ignore", "inherit"] });
}

function makeRepository(folder: string, { tasks, checks = {} }: HostTask): string {
  const workspace = join(folder, "repository");
  const remote = join(folder, "remote.git");
  const runs = join(folder, "runs");
  for (const path of [workspace, runs]) mkdirSync(path);
  writeFileSync(join(workspace, "tasks.md"), tasks);
  for (const [name, results] of Object.entries(checks)) {
    results.forEach(({ exitCode, stdout }, run) => {
      writeFileSync(join(workspace, `${name}-${run}`), `cat <<'END'\n${stdout}END\nexit ${exitCode}\n`);
    });
  }
  writeFileSync(join(workspace, "check"), checkScript(runs), { mode: 0o755 });
  git(folder, "init", "-q", "--bare", "-b", "main", remote);
  git(workspace, "init", "-q", "-b", "main");
  git(workspace, "remote", "add", "origin", remote);
  git(workspace, "add", "-A");
  git(workspace, "commit", "-q", "-m", "A spec");
  git(workspace, "push", "-q", "origin", "main");
  return workspace;
}

const checkScript = (folder: string): string => `#!/bin/sh
run=0
while ! mkdir "${folder}/$1-$run" 2>/dev/null; do run=$((run + 1)); done
[ ! -e "$1-$run" ] || . "./$1-$run"
`;

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@test.invalid", ...args], {
    ...{ cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  });

function fileIn(folder: string, name: string): string {
  const path = join(folder, name);
  writeFileSync(path, "");
  return path;
}
