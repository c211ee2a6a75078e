import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { howToGetIt, privatePostgres } from "../../../examples/demo/fleet/postgres.mjs";
import type { Fleet } from "../../../src/hosts/dbos/fleet.ts";
import { cli } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { callCli } from "../cli/call-cli.ts";

type ShownRun = Fleet["runs"][number];

export const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@test.invalid", ...args], {
    ...{ cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  });

export const remoteOf = (workspace: string): string => join(workspace, "..", "remote.git");

export function makeRepository(name: string, { plan, agent }: { readonly plan: string; readonly agent: string }) {
  const folder = temporaryFolder();
  const workspace = join(folder, "repository");
  mkdirSync(join(workspace, "specs", name), { recursive: true });
  writeFileSync(join(workspace, "specs", name, "tasks.md"), plan);
  writeFileSync(join(folder, "agent"), `#!/bin/sh\ncat > /dev/null\n${agent}\n`, { mode: 0o755 });
  git(workspace, "init", "-q", "-b", "main");
  git(workspace, "init", "-q", "--bare", "-b", "main", join(folder, "remote.git"));
  git(workspace, "remote", "add", "origin", join(folder, "remote.git"));
  git(workspace, "add", "-A");
  git(workspace, "commit", "-q", "-m", "A spec");
  git(workspace, "push", "-q", "origin", "main");
  return workspace;
}

export async function openFleet() {
  const database = await privatePostgres();
  if (database === undefined) {
    process.stderr.write(`Fleets are not tried. ${howToGetIt}\n`);
    return null;
  }
  const queue = database.url;
  const pool = new pg.Pool({ connectionString: queue });
  pool.on("error", () => {});
  const workers = new Set<ChildProcess>();
  const look = async (words: readonly string[]): Promise<string> =>
    (await callCli("/", [...words, "--queue", queue])).out;
  const when = async (isThere: (fleet: Fleet) => boolean): Promise<Fleet> => {
    for (;;) {
      const fleet = JSON.parse(await look(["fleet", "--json"])) as Fleet;
      if (isThere(fleet)) return fleet;
      await setTimeout(100);
    }
  };
  const stopWorkers = async (): Promise<void> => {
    for (const worker of [...workers]) {
      workers.delete(worker);
      worker.kill("SIGKILL");
      if (worker.exitCode === null && worker.signalCode === null) await once(worker, "exit");
    }
  };
  return {
    queue,
    query: async (sql: string, ...values: readonly unknown[]) => (await pool.query(sql, [...values])).rows,
    look,
    when,
    runWhen: async (run: string, isThere: (shown: ShownRun) => boolean): Promise<ShownRun> => {
      const find = ({ runs }: Fleet) => runs.find((each) => each.run === run && isThere(each));
      return find(await when((fleet) => find(fleet) !== undefined)) as ShownRun;
    },
    startWorker: (
      workspace: string,
      executor: string,
      { env = {}, more = [], words: called = "" }: WorkerMore = {},
    ): ChildProcess => {
      const place = ["--folder", join(workspace, "..", "work"), "--lease", "3", "--poll", "50"];
      const words = [
        "worker",
        "--queue",
        queue,
        "--executor",
        `${executor}=${join(workspace, "..", "agent")} ${called}`.trim(),
        ...place,
      ];
      const worker = spawn(process.execPath, [cli, ...words, ...more], {
        env: { ...process.env, ...env },
        stdio: ["ignore", "ignore", "inherit"],
      });
      workers.add(worker);
      return worker;
    },
    stopWorkers,
    submit: async (workspace: string, executor: string, ...more: readonly string[]): Promise<string> => {
      const { out } = await callCli(workspace, ["submit", "--queue", queue, "--executor", executor, "--yes", ...more]);
      return /^Submitted (\S+):/.exec(out)?.[1] ?? out;
    },
    say: (run: string, ...words: readonly string[]) => callCli("/", ["say", run, ...words, "--queue", queue]),
    remove: async (): Promise<void> => {
      await stopWorkers();
      await pool.end();
      database.remove();
    },
  };
}

interface WorkerMore {
  readonly env?: NodeJS.ProcessEnv;
  readonly more?: readonly string[];
  readonly words?: string;
}
