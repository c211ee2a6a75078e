import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { howToGetIt, type PrivatePostgres, privatePostgres } from "../../../examples/demo/fleet/postgres.mjs";
import { patient } from "../../../src/hosts/dbos/sdk.ts";
import type { Surroundings } from "../campaign.ts";

export interface Ground {
  readonly database: PrivatePostgres;
  readonly workspace: string;
  readonly folder: string;
  readonly start: () => ChildProcess;
  readonly killed: Set<number>;
  readonly ended: string[];
  kill(worker: ChildProcess): Promise<void>;
  git(...args: readonly string[]): string;
  executions(): readonly Execution[];
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  remove(): Promise<void>;
}

export interface Execution {
  readonly spec: string;
  readonly key: string;
  readonly pid: number;
  readonly worker: number;
  readonly began: number;
}

export interface Size {
  readonly specs: number;
  readonly tasks: number;
  readonly lastTasks?: number;
  readonly attemptS?: number;
  readonly batch?: number;
  readonly isDeadly?: true;
  readonly leaseS?: number;
  readonly slots?: number;
}

export const taskOf = ({ batch = 1 }: Pick<Size, "batch">, at: number): string =>
  batch === 1 ? `1.${at + 1}` : `${Math.floor(at / batch) + 1}.${(at % batch) + 1}`;

export async function openGround(
  { program }: Surroundings,
  { specs, attemptS, isDeadly, lastTasks, leaseS = 3, slots = 2, ...size }: Size,
): Promise<Ground> {
  const database = await privatePostgres();
  if (database === undefined) throw new Error(howToGetIt);
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-fleet-campaign-"));
  const workspace = join(folder, "repository");
  const [agent, log] = [join(folder, "agent"), join(folder, "executions")];
  writeFileSync(log, "");
  writeFileSync(agent, agentScript(log, isDeadly === true ? "kill -9 $PPID" : `sleep ${attemptS ?? anyTime}`), {
    mode: 0o755,
  });
  for (let spec = 1; spec <= specs; spec += 1) {
    mkdirSync(join(workspace, "specs", `s${spec}`), { recursive: true });
    writeFileSync(
      join(workspace, "specs", `s${spec}`, "tasks.md"),
      planOf(spec === specs ? { ...size, tasks: lastTasks ?? size.tasks } : size),
    );
  }
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@test.invalid", ...args], {
      ...{ cwd: workspace, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
    });
  git("init", "-q", "-b", "main");
  git("init", "-q", "--bare", "-b", "main", join(folder, "remote.git"));
  git("remote", "add", "origin", join(folder, "remote.git"));
  git("add", "-A");
  git("commit", "-q", "-m", "Specs");
  git("push", "-q", "origin", "main");
  const alive = new Set<ChildProcess>();
  const killed = new Set<number>();
  const ended: string[] = [];
  const start = (): ChildProcess => {
    const main = join(program, "src/hosts/cli/main.js");
    const place = ["--queue", database.url, "--executor", `agent=${agent}`, "--folder", join(folder, "work")];
    const how = ["--slots", `${slots}`, "--lease", `${leaseS}`, "--poll", "100"];
    const worker = spawn(process.execPath, [main, "worker", ...place, ...how], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    alive.add(worker);
    worker.once("exit", (code, signal) => {
      alive.delete(worker);
      if (!killed.has(worker.pid ?? 0)) ended.push(String(signal ?? code));
    });
    return worker;
  };
  const kill = async (worker: ChildProcess): Promise<void> => {
    killed.add(worker.pid ?? 0);
    worker.kill("SIGKILL");
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, "exit");
  };
  const pool = new pg.Pool({ connectionString: database.url });
  pool.on("error", () => {});
  const query = patient({ query: (sql, values = []) => pool.query(sql, [...values]) });
  return {
    ...{ database, workspace, folder, start, killed, ended, kill, git },
    query: async (sql, values) => (await query(sql, values)).rows,
    executions: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
          const [spec = "", key = "", pid, worker, began] = line.split(" ");
          return { spec, key, pid: Number(pid), worker: Number(worker), began: Number(began) };
        }),
    remove: async () => {
      await Promise.all([...alive].map(kill));
      await pool.end();
      database.remove();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const planOf = ({ tasks, batch = 1 }: Pick<Size, "tasks" | "batch">): string =>
  Array.from({ length: tasks }, (_, at) => {
    const id = taskOf({ batch }, at);
    const phase = batch > 1 && at % batch === 0 ? `## Phase ${at / batch + 1}\n\n` : "";
    return `${phase}- [ ] ${id} ${batch > 1 ? "[P] " : ""}Task ${id}\n  - **Verify**: \`test -s done-${id}\`\n`;
  }).join("\n");

const anyTime = "$(($$ % 4)).$(($$ % 10))";

const agentScript = (log: string, act: string): string => `#!/bin/sh
cat > /dev/null
echo "\${FIXPOINT_SPEC##*/} $FIXPOINT_KEY $$ $PPID $(date +%s%3N)" >> "${log}"
${act}
number=\${FIXPOINT_TASK_ID##*.}
case $FIXPOINT_KEY in *#1) [ $((number % 3)) = 0 ] && echo TASK_COMPLETE && exit ;; esac
echo "$$" > "done-$FIXPOINT_TASK_ID"
echo TASK_COMPLETE
`;
