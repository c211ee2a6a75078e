import { addressBy, type SpecAddress } from "../../../model/command-line.ts";
import { noEscalation } from "../../../model/escalation.ts";
import { lastAttempt, type SpentByTask, spentOn } from "../../../model/ledger.ts";
import { nextTask } from "../../../model/plan.ts";
import { choiceOf, countDone, leftOut } from "../../../model/plan-parts.ts";
import type { RunRecord, TimedRunRecord } from "../../../model/record.ts";
import { taskOf } from "../../../model/reply.ts";
import type { RunState } from "../../../model/run-state.ts";
import { selectWork } from "../../../model/select-work.ts";
import type { PullRequestStatus, RunStatus } from "../../../model/status.ts";
import { lineageOf } from "../../../model/task.ts";
import { progressOf } from "../../../recover/escalation.ts";

import { unendedStart } from "../../../run/previous-start.ts";
import { isBroken, openQuestions, questionOf } from "../../../runtime/open-questions.ts";
import { specAddress } from "../find-spec.ts";
import { readRun, recallRun } from "../read-run.ts";
import { holderElsewhere, holderOf, startsIn } from "./recorded-starts.ts";

/** Options for reading a run. */
export interface StatusOptions {
  /** Number of the run; the latest when not given. */
  readonly run?: number | undefined;
  /** Address of the spec in command lines of hints; by default from the current folder. */
  readonly address?: SpecAddress;
}

/**
 * Read the state of every task of a spec from its plan and its journal. Read-only, so it is safe while the run is in
 * progress.
 *
 * @param folder Folder of the spec.
 * @throws {InputError} `tasks-missing`, `run-missing`, `plan-too-large`, `plan-too-deep`, `journal-corrupt`,
 * `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export function readStatus(
  folder: string,
  { run, address = specAddress({ folder, name: nameOf(folder) }) }: StatusOptions = {},
): RunStatus {
  const found = readRun(folder, run, address);
  const { plan, journal, isLatest } = found;
  const memory = recallRun(journal);
  const last = journal.segments.at(-1);
  const ended = memory?.state.ended?.ending ?? null;
  const holder = ended === null && isLatest ? holderOf(found) : null;
  const held = holder !== null;
  const tasks: SpentByTask = memory?.ledger.tasks ?? {};
  const skipped = memory?.skipped() ?? new Map<string, string>();
  const out = leftOut(plan, skipped.keys());
  const superseded = memory?.superseded() ?? new Map<string, string>();
  const isOut = (id: string): boolean => out.has(id) || superseded.has(id);
  const optional = last?.header.policy.optional ?? false;
  const work = { ...plan, tasks: plan.tasks.map((task) => (isOut(task.id) ? { ...task, done: true } : task)) };
  const next = nextTask(selectWork(work, { optional, people: true }));
  const inBatch = (memory?.batch.length ?? 0) > 0;
  const handedOut = (isLatest && memory?.state.turn.handedOut) || {};
  const paused = held && memory?.state.paused === true;
  // Outside of a batch, the current task is shown as running even between two delegations, unless the run is paused.
  const atWork =
    held && (inBatch || paused)
      ? new Set(Object.keys(memory?.state.turn.atWork ?? {}))
      : new Set(held && next !== null ? [next.current] : Object.keys(handedOut).map(taskOf));
  const asked = isBroken(ended) ? openQuestions(startsIn(journal), memory?.state) : [];
  const waiting = new Set(asked.map(({ task }) => task));
  const lastErrors = lastErrorsIn(journal.records);
  const proofs = memory?.proofs();
  const repaired = new Map(plan.tasks.map((task) => [task.id, task.fixOf]));
  return {
    spec: nameOf(folder),
    ...countDone(plan.tasks, choiceOf(last?.header.policy)),
    run: journal.run,
    iterations: memory?.ledger.iterations ?? 0,
    spent: {
      elapsedMs: memory?.state.elapsedMs ?? 0,
      costUsd: memory?.ledger.costUsd ?? 0,
      tokens: memory?.ledger.tokens ?? 0,
    },
    outcome: ended?.outcome ?? null,
    killed: !held && unendedStart(journal) !== null && holderElsewhere(found) === null,
    running: held ? { pid: holder.pid } : null,
    paused,
    resumable: isLatest && last !== undefined && ended?.outcome !== "complete",
    handedOut: Object.entries(handedOut).map(([key, { since }]) => ({ key, since: new Date(since).toISOString() })),
    unheard: unheardIn(journal.records),
    question: questionOf({ ended, asked, held }, addressBy(address, memory?.state)),
    pullRequest: pullRequestStatus(memory?.state, journal.records),
    damaged: journal.damaged ?? null,
    tasks: plan.tasks.map(({ id, title, done, line, fixOf }) => {
      const { fixes } = spentOn(tasks, id);
      const failed = ended?.outcome === "limit" && next?.current === id;
      const open = out.has(id) ? "skipped" : failed ? "failed" : "open";
      // `superseded` takes precedence, since the box of a superseded fix task is ticked, too.
      const settled = superseded.has(id) && !out.has(id) ? "superseded" : done ? "passed" : open;
      const escalation = (fixOf === null && memory?.escalation(id)) || noEscalation;
      const { level, pivots, researches, races } = escalation;
      return {
        id,
        title,
        state: atWork.has(id) && !waiting.has(id) ? "running" : settled,
        line,
        depth: lineageOf(id, (fix) => repaired.get(fix)).length - 1,
        attempts: lastAttempt(tasks, id),
        level,
        pivots,
        researches,
        races,
        fixes,
        progress: progressOf(escalation),
        proof: (done && proofs?.get(id)) || null,
        lastError: lastErrors.get(id) ?? null,
        justification: out.has(id) ? (skipped.get(id) ?? null) : null,
      };
    }),
  };
}

const nameOf = (folder: string): string => folder.split(/[\\/]/).at(-1) ?? folder;

const unheardIn = (records: readonly TimedRunRecord[]): RunStatus["unheard"] =>
  records.flatMap((record) => {
    if (record.type !== "unheard") return [];
    const { at, word, key, by } = record;
    return [{ at: new Date(at).toISOString(), word, key, by }];
  });

function lastErrorsIn(records: readonly RunRecord[]): ReadonlyMap<string, string | null> {
  const errors = new Map<string, string | null>();
  for (const record of records) {
    if (record.type !== "answered") continue;
    const { effect, key, answer } = record;
    if (effect === "readFailure") errors.set(taskOf(key), answer.error);
    if (effect === "verify" && answer.kind === "rejected") errors.set(taskOf(key), answer.reason);
  }
  return errors;
}

function pullRequestStatus(state: RunState | undefined, records: readonly RunRecord[]): PullRequestStatus | null {
  const book = state?.pullRequest;
  if (book === undefined || book.number === null || book.url === null) return null;
  const { number, url, head, green } = book;
  const causes = Object.values(book.tasks).map(({ cause }) => cause.kind);
  const count = (kind: (typeof causes)[number]): number => causes.filter((each) => each === kind).length;
  return {
    ...{ number, url, head, green },
    waiting: state?.ended === null ? waitIn(records) : null,
    added: { checks: count("check"), threads: count("thread"), conflicts: count("conflict") },
  };
}

/** The current wait for the forge; null if the last answer led to no wait. */
function waitIn(records: readonly RunRecord[]): PullRequestStatus["waiting"] {
  const last = records.findLast((record) => record.type === "answered");
  if (last === undefined) return null;
  const { answer } = last;
  if (answer.kind !== "pending" && answer.kind !== "hindered") return null;
  return "until" in answer && "reason" in answer && typeof answer.until === "number"
    ? { reason: answer.reason, until: answer.until }
    : null;
}
