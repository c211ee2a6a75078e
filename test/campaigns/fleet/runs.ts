import { setTimeout } from "node:timers/promises";
import { sayToRun } from "../../../src/hosts/dbos/fleet.ts";
import { readSteps } from "../../../src/hosts/dbos/open-run.ts";
import { type ShownRun, workflows } from "../../../src/hosts/dbos/protocol.ts";
import { submitSpec } from "../../../src/hosts/dbos/submit.ts";
import { type Ground, type Size, taskOf } from "./ground.ts";

export async function submit({ database, workspace }: Ground, spec: string): Promise<string> {
  const how = { queue: database.url, workspace, spec, executors: { executor: "agent" } };
  return (await submitSpec({ ...how, agree: () => true })).run;
}

export async function submitAll(ground: Ground, { specs }: Pick<Size, "specs">): Promise<readonly string[]> {
  const runs: string[] = [];
  for (let spec = 1; spec <= specs; spec += 1) runs.push(await submit(ground, `s${spec}`));
  return runs;
}

export function executionsOf(ground: Ground): { readonly executions: number; readonly repeated: number } {
  const executions = ground.executions();
  const keys = new Set(executions.map(({ spec, key }) => `${spec} ${key}`));
  return { executions: executions.length, repeated: executions.length - keys.size };
}

export async function jobsOf(ground: Ground): Promise<readonly string[]> {
  const sql = "select workflow_uuid as id from dbos.workflow_status where started_at_epoch_ms > 0 and name = $1";
  const rows = await ground.query(`${sql} order by started_at_epoch_ms`, [workflows.job]);
  return rows.map(({ id }) => String(id));
}

const begun = async (ground: Ground): Promise<number> => {
  const sql = "select count(*) as n from dbos.workflow_status where started_at_epoch_ms > 0 and name = $1";
  return Number((await ground.query(sql, [workflows.job]))[0]?.["n"]);
};

const shownBy = async (ground: Ground): Promise<readonly (ShownRun & { readonly run: string })[]> =>
  (await ground.query("select id, shown from fixpoint.runs")).map(({ id, shown }) => {
    return { run: String(id), ...(shown as ShownRun) };
  });

const isDeadly = ({ text }: { readonly text: string }): boolean => /^\d+ workers have died while/.test(text);

export async function areOver(ground: Ground, runs: readonly string[]): Promise<boolean> {
  const found = await shownBy(ground);
  const asked = found.flatMap(({ run, questions }) => questions.map(({ text }) => ({ run, text })));
  // Random kills may hit the same job five times.
  for (const { run } of asked.filter(isDeadly)) {
    await sayToRun(ground.database.url, run, { type: "decision.made", decision: "retry" });
  }
  const questions = asked.filter((each) => !isDeadly(each)).map(({ run, text }) => `${run}: ${text}`);
  if (questions.length > 0) throw new Error(`Expected no question, not: ${questions.join("; ")}`);
  const ended = new Set(found.filter(({ outcome }) => outcome !== null).map(({ run }) => run));
  return runs.every((run) => ended.has(run));
}

export async function isUnderWay(ground: Ground, runs: readonly string[], further = 1): Promise<boolean> {
  const before = await begun(ground);
  while (!(await areOver(ground, runs))) {
    if ((await begun(ground)) >= before + further) return true;
    await setTimeout(200);
  }
  return false;
}

export const showOf = ({ git }: Ground, spec: string, file: string): string => {
  git("fetch", "-q", "origin");
  return git("show", `refs/remotes/origin/fixpoint/${spec}:${file}`);
};

export async function inspect(
  ground: Ground,
  { specs, tasks, batch = 1 }: Size,
  runs: readonly string[],
  crashes: readonly number[],
  suspended: readonly number[] = [],
): Promise<string[]> {
  const endings = (await shownBy(ground))
    .filter(({ outcome }) => outcome !== "complete")
    .map((run) => `${run.run} ended ${run.outcome}`);
  ground.git("fetch", "-q", "origin");
  const lost = Array.from({ length: specs }, (_, at) => `s${at + 1}`).flatMap((spec) => {
    const branch = `refs/remotes/origin/fixpoint/${spec}`;
    const plan = ground.git("show", `${branch}:specs/${spec}/tasks.md`);
    const ticked = plan.split("- [x] ").length - 1;
    const files = ground.git("ls-tree", "--format=%(objectsize) %(path)", branch).split("\n");
    const full = new Set(files.filter((line) => !line.startsWith("0 ")).map((line) => line.replace(/^\S+ /, "")));
    const isDone = Array.from({ length: tasks }).every((_unused, of) => full.has(`done-${taskOf({ batch }, of)}`));
    return plan.includes("[ ]") || !isDone || ticked < tasks ? [`${spec} has lost something:\n${plan}`] : [];
  });
  const passed = new Map<string, number>();
  for (const [at, run] of runs.entries()) {
    for (const { at: when, records = [] } of await readSteps(ground.database.url, run)) {
      for (const record of records) {
        if (record.type === "answered" && record.effect === "recordPass") {
          passed.set(`s${at + 1} ${record.key.replace(/#.*/, "")}`, when);
        }
      }
    }
  }
  const executions = ground.executions();
  const late = executions.filter(
    ({ spec, key, began }) => began > (passed.get(`${spec} ${key.replace(/#.*/, "")}`) ?? Number.POSITIVE_INFINITY),
  );
  const unexplained = executions.filter(({ spec, key, worker, began }, at) => {
    const again = executions.slice(at + 1).find((other) => other.spec === spec && other.key === key);
    if (again === undefined) return false;
    const isKilled = ground.killed.has(worker) || suspended.includes(worker);
    return !isKilled && !crashes.some((crash) => crash > began && crash < again.began);
  });
  return [
    ...endings,
    ...ground.ended.map((how) => `a worker has ended by itself: ${how}`),
    ...lost,
    ...late.map(({ spec, key }) => `${spec} ${key} was begun after its pass`),
    ...unexplained.map(({ spec, key }) => `${spec} ${key} was repeated though nothing was killed`),
  ];
}
/** Omits `judged` records: one comes before the answer only if another member changed the plan meanwhile. */
export async function recordsOf({ database }: Ground, run: string): Promise<ReadonlyMap<string, string>> {
  const steps = await readSteps(database.url, run);
  const records = steps.flatMap(({ records = [] }) => records).filter(({ type }) => type !== "judged");
  return new Map(
    records.map((record) => {
      const name = [record.type, "key" in record ? record.key : ""].join(" ");
      return [name, `${name}: ${JSON.stringify(record).slice(0, 500)}`];
    }),
  );
}

export const missingIn = (records: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
  [...records].filter(([name]) => !other.has(name)).map(([, text]) => text);
