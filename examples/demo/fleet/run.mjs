import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { git, ownRepository } from "../git.mjs";
import { howToGetIt, privatePostgres } from "./postgres.mjs";

const specs = ["invoice-totals", "invoice-totals-2", "invoice-totals-3"];
/** Lease in seconds, polling interval in milliseconds. */
const pace = ["--lease", "3", "--poll", "100"];

/** Runs three specs with two workers over a private Postgres, and kills one worker during its work. */
export async function runFleet({ folder, cli, exec }) {
  const database = await privatePostgres();
  if (database === undefined) {
    process.stderr.write(`${howToGetIt}\n`);
    return 2;
  }
  const { url } = database;
  const workers = [];
  const call = (...args) => {
    const env = { ...ownRepository(), XDG_STATE_HOME: join(folder, ".git", "demo", "state") };
    return spawn(process.execPath, [cli, ...args, "--queue", url], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
  };
  const look = async () => JSON.parse(await outputOf(call("fleet", "--json")));
  try {
    share(folder);
    for (const name of ["one", "two"]) workers.push(await startWorker(name, call, { folder, exec }));
    for (const spec of specs) {
      process.stdout.write(await outputOf(call("submit", spec, "--executor", "demo", "--recovery-mode", "--yes")));
    }
    let shown = "";
    let isKilled = false;
    for (;;) {
      const { runs, jobs } = await look();
      const line = runs
        .map(({ run, done, total, outcome }) => `${run} ${done} of ${total}${outcome === null ? "" : `, ${outcome}`}`)
        .join("; ");
      if (line !== shown) process.stdout.write(`${line}\n`);
      shown = line;
      const atWork = jobs.demo?.atWork ?? 0;
      if (!isKilled && atWork > 0 && runs.some(({ done }) => done > 0)) {
        workers[0].kill("SIGKILL");
        isKilled = true;
        process.stdout.write("Worker one is killed: the other one continues its work\n");
      }
      if (runs.length === specs.length && runs.every(({ outcome }) => outcome !== null))
        return end(folder, runs, isKilled);
      await setTimeout(250);
    }
  } finally {
    for (const worker of workers) {
      worker.kill("SIGTERM");
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, "exit");
    }
    database.remove();
  }
}

function share(folder) {
  for (const spec of specs.slice(1))
    cpSync(join(folder, "specs", specs[0]), join(folder, "specs", spec), { recursive: true });
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message=Two more specs");
  const remote = join(folder, ".git", "demo", "remote.git");
  mkdirSync(join(folder, ".git", "demo"), { recursive: true });
  git(folder, "clone", "--quiet", "--bare", ".", remote);
  git(folder, "remote", "add", "origin", remote);
}

async function startWorker(name, call, { folder, exec }) {
  const place = join(folder, ".git", "demo", `worker-${name}`);
  const worker = call("worker", "--executor", `demo=${exec}`, "--slots", "2", "--folder", place, ...pace);
  for await (const line of createInterface({ input: worker.stdout })) {
    process.stdout.write(`${line} (${name})\n`);
    if (line.endsWith("is ready")) break;
  }
  return worker;
}

async function outputOf(child) {
  let text = "";
  for await (const piece of child.stdout) text += piece;
  if (child.exitCode === null) await once(child, "exit");
  if (child.exitCode !== 0) throw new Error(`fixpoint has ended with ${child.exitCode}`);
  return text;
}

function end(folder, runs, isKilled) {
  const isGreen = isKilled && runs.every(({ outcome }) => outcome === "complete");
  git(folder, "fetch", "--quiet", "origin");
  for (const { branch } of runs)
    process.stdout.write(`\n${branch}:\n${git(folder, "log", "--oneline", `origin/${branch}`)}\n`);
  git(folder, "merge", "--quiet", "--ff-only", `origin/${runs[0].branch}`);
  if (isGreen) process.stdout.write("\nALL_TASKS_COMPLETE\n");
  return isGreen ? 0 : 1;
}
