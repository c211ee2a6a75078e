// Measures a worker of a fleet, or the same workflow without fixpoint. Started by `fleet.mjs`; prints one line of JSON.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import { childrenCpuMs } from "./children-cpu.mjs";

const { subject, queue, folder, tasks, first = 0, all = tasks } = JSON.parse(process.argv[2]);
console.info = () => {};
const pollMs = 100;
const pool = new pg.Pool({ connectionString: queue });
const run = await { host: startHost, bare: startBare }[subject]();
const begin = { cpu: process.cpuUsage(), children: childrenCpuMs(), at: performance.now() };
await run.over();
const { user, system } = process.cpuUsage(begin.cpu);
const facts = {
  ...{ cpuMs: (user + system) / 1000, childrenMs: childrenCpuMs() - begin.children },
  ...{ wallMs: performance.now() - begin.at, ...(await figures(run.id)) },
};
await run.stop();
await pool.end();
process.stdout.write(`${JSON.stringify(facts)}\n`);
process.exit();

async function startHost() {
  const { startWorker, submitSpec } = await import("../dist/doors/dbos.js");
  const workspace = join(folder, "repository");
  const git = (...words) =>
    execFileSync("git", ["-c", "user.name=Bench", "-c", "user.email=bench@test.invalid", ...words], { cwd: workspace });
  mkdirSync(join(workspace, "specs", "work"), { recursive: true });
  const isOpen = (at) => at >= first && at < first + tasks;
  const line = (_, at) =>
    `- [${isOpen(at) ? " " : "x"}] 1.${at + 1} Do part ${at + 1}\n  - **Verify**: \`test -s done-1.${at + 1}\`\n`;
  writeFileSync(join(workspace, "specs", "work", "tasks.md"), Array.from({ length: all }, line).join("\n"));
  git("init", "-q", "-b", "main");
  git("init", "-q", "--bare", join(folder, "remote.git"));
  git("remote", "add", "origin", join(folder, "remote.git"));
  for (let at = 0; at < all; at += 1) if (!isOpen(at)) writeFileSync(join(workspace, `done-1.${at + 1}`), "done\n");
  git("add", "-A");
  git("commit", "-q", "-m", "A plan");
  git("push", "-q", "origin", "main");
  const agent = async ({ workspace: where, taskId }) => {
    writeFileSync(join(where, `done-${taskId}`), "done\n");
    return "TASK_COMPLETE";
  };
  const worker = await startWorker({ queue, executors: { agent }, folder: join(folder, "work"), pollMs, slots: 1 });
  const { run: id } = await submitSpec({
    queue,
    workspace,
    spec: "work",
    executors: { executor: "agent" },
    agree: () => true,
  });
  const over = async () => {
    for (;;) {
      await sleep(1000);
      const { rows } = await pool.query("select shown from fixpoint.runs where id = $1", [id]);
      const { outcome = null, questions = [] } = rows[0]?.shown ?? {};
      if (outcome === "complete") return;
      if (outcome !== null || questions.length > 0) throw new Error(`A run ended with ${outcome ?? questions[0].text}`);
    }
  };
  return { id, over, stop: worker.stop };
}

/** Must have as many steps, bytes, jobs and answers as the run of a worker, because the figures are compared. */
async function startBare() {
  const [run, job, jobsATask] = ["run", "job", 4];
  await DBOS.migrate(queue);
  const client = await DBOSClient.create({ systemDatabaseUrl: queue });
  DBOS.setConfig({ name: "bench", systemDatabaseUrl: queue, listenQueues: [run, job], logLevel: "error" });
  const text = "x".repeat(330);
  const step = () => DBOS.runStep(async () => ({ at: Date.now(), text }), { name: "happening" });
  DBOS.registerWorkflow(
    async () => {
      for (let task = 0; task < tasks; task += 1) {
        for (let part = 0; part < jobsATask; part += 1) {
          for (let count = 0; count < 2; count += 1) await step();
          const workflowID = `${DBOS.workflowID}/${task}/${part}`;
          const enqueue = async () => {
            const how = { workflowName: job, queueName: job, workflowID };
            await client.enqueue(how, { run: DBOS.workflowID, text });
          };
          await DBOS.runStep(enqueue, { name: "happening" });
          await DBOS.recv("answers", { timeoutSeconds: 86_400 });
        }
      }
    },
    { name: run },
  );
  DBOS.registerWorkflow(
    async (given) => {
      const answer = await DBOS.runStep(async () => ({ job: DBOS.workflowID, text: text.slice(0, 160) }), {
        name: job,
      });
      await DBOS.send(given.run, answer, "answers");
    },
    { name: job },
  );
  for (const name of [run, job])
    await client.registerQueue(name, { minPollingIntervalMs: pollMs, workerConcurrency: 1 });
  await DBOS.launch();
  const handle = await client.enqueue({ workflowName: run, queueName: run, workflowID: "bench" });
  const stop = async () => {
    await DBOS.shutdown();
    await client.destroy();
  };
  return { id: "bench", over: () => handle.getResult(), stop };
}

async function figures(id) {
  const sizes = "select count(*)::int as steps, sum(length(output))::int as bytes from dbos.operation_outputs";
  const { rows } = await pool.query(`${sizes} where workflow_uuid = $1 and function_name = 'happening'`, [id]);
  const largest = "select max(length(inputs))::int as job from dbos.workflow_input where workflow_uuid <> $1";
  return { ...rows[0], ...(await pool.query(largest, [id])).rows[0] };
}
