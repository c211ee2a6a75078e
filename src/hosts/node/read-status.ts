import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { readJournal } from "../../adapters/journal.ts";
import { isAlive } from "../../adapters/process-identity.ts";
import { readPlan } from "../../markdown/read-plan.ts";
import { type SpentByTask, spentOn } from "../../model/ledger.ts";
import { nextTask } from "../../model/plan.ts";
import type { RunRecord } from "../../model/record.ts";
import { effectOf, taskOf } from "../../model/reply.ts";
import type { RunStatus } from "../../model/status.ts";
import { recallRun } from "./recall-run.ts";
import { tasksAtWork } from "./tasks-at-work.ts";

/**
 * Where every task of a spec stands, from its plan and its journal. Changes nothing.
 *
 * @param folder Folder of the spec.
 * @throws {InputError} `journal-corrupt`, `journal-newer`
 */
export function readStatus(folder: string): RunStatus {
  const plan = readPlan(readFileSync(join(folder, "tasks.md"), "utf8"));
  const journal = readJournal(join(folder, ".fixpoint"));
  const memory = recallRun(journal);
  const last = journal.segments.at(-1);
  const end = journal.records.at(-1);
  const ended = end?.type === "ended" ? end.ending : null;
  const here = last !== undefined && last.header.host === hostname() && isAlive(last.header);
  const held = here && ended === null && end?.type !== "released";
  const tasks: SpentByTask = memory?.ledger.tasks ?? {};
  const next = nextTask(plan);
  const inBatch = (memory?.batch.length ?? 0) > 0;
  const atWork = held && inBatch ? tasksAtWork(journal.records) : new Set(held && next !== null ? [next.current] : []);
  return {
    spec: folder.split(/[\\/]/).at(-1) ?? folder,
    total: plan.tasks.length,
    completed: plan.tasks.filter(({ done }) => done).length,
    iterations: memory?.ledger.iterations ?? 0,
    outcome: ended?.outcome ?? null,
    running: held ? { pid: last.header.pid } : null,
    tasks: plan.tasks.map(({ id, title, done, line, fixOf }) => {
      const { attempts, fixes } = spentOn(tasks, id);
      const failed = ended?.outcome === "limit" && next?.current === id;
      const state = atWork.has(id) ? "running" : done ? "passed" : failed ? "failed" : "open";
      const depth = fixOf === null ? 0 : depthOf(id, plan.tasks);
      return { id, title, state, line, depth, attempts, fixes, lastError: lastErrorOf(journal.records, id) };
    }),
  };
}

/** What the last failed or rejected attempt on a task ended with. */
function lastErrorOf(records: readonly RunRecord[], task: string): string | null {
  const record = records.findLast(
    (candidate) =>
      candidate.type === "answered" &&
      taskOf(candidate.key) === task &&
      (effectOf(candidate.key) === "readFailure" || isRejection(candidate.answer)),
  );
  if (record?.type !== "answered") return null;
  const { error, reason } = record.answer as { error?: string; reason?: string };
  return error ?? reason ?? null;
}

const isRejection = (answer: unknown): boolean => (answer as { kind?: string }).kind === "rejected";

/** Generations of fixes above a fix task; markers that run in a circle end where they began. */
function depthOf(id: string, tasks: readonly { id: string; fixOf: string | null }[]): number {
  const above = new Map(tasks.map((task) => [task.id, task.fixOf]));
  const seen = new Set<string>();
  for (let at = above.get(id) ?? null; at !== null && !seen.has(at); at = above.get(at) ?? null) seen.add(at);
  return seen.size;
}
