import type { FixTask } from "../model/failure.ts";
import { attemptsOn, spentOn } from "../model/ledger.ts";
import { spokenBy } from "../model/person-event.ts";
import { joinBoxes } from "../model/plan-parts.ts";
import type { Collision, RunRecord } from "../model/record.ts";
import { attemptKey, attemptOf, taskOf } from "../model/reply.ts";
import { at, executorName, type RunState } from "../model/run-state.ts";
import { withSplice } from "../model/splice.ts";
import type { TaskId } from "../model/task.ts";
import { applyAnswer } from "./apply-answer.ts";
import { changeAttempt, noteCheck, noteOutcome, pass, settleBoxes } from "./attempts.ts";
import { follow } from "./follow.ts";
import { addToBook } from "./pull-request.ts";
import { addFix, chosenRoot, countDelegation, dropFix, spend } from "./spending.ts";
import {
  advise,
  begin,
  beginAnew,
  noteBase,
  noteBefore,
  noteCollision,
  noteLeft,
  noteMerged,
  refund,
  skip,
  treeOf,
} from "./trees.ts";
import { noteBegin, takeUp } from "./turn.ts";

type Delegated = Extract<RunRecord, { type: "delegated" }>;

/**
 * Reducer: apply a record to the state of its run, live or from the journal. Nothing else changes a state.
 *
 * @param state Changed in place, since a run may have very many tasks.
 */
export function apply(state: RunState, record: RunRecord & { readonly at?: number }): void {
  applyRecord(state, record);
  follow(state, record);
}

function applyRecord(state: RunState, record: RunRecord & { readonly at?: number }): void {
  const { turn } = state;
  switch (record.type) {
    case "delegated":
      applyDelegation(state, record);
      break;
    case "answered":
      applyAnswer(state, record);
      break;
    case "handedOut":
      break;
    case "judged":
      noteOutcome(state, record);
      changeAttempt(state, attemptOf(record.key), { concluded: record.answer });
      settleBoxes(state);
      break;
    case "boxes": {
      const { set, cleared } = record;
      const { boxes = null } = at(turn.attempts, record.key) ?? {};
      changeAttempt(state, record.key, { boxes: joinBoxes(boxes, { set, cleared }) });
      break;
    }
    case "planned": {
      const { key, change, plan } = record;
      const task = taskOf(key);
      turn.changes[key] = { type: change, change: plan };
      const depth = at(state.generations, task) ?? 0;
      countChange(state, task, 1);
      for (const { id } of plan.tasks) state.generations[id] = depth + 1;
      break;
    }
    case "shipping":
      break;
    case "planSeen":
      state.plan = withSplice(state.plan, record);
      break;
    case "addition":
      addToBook(state, record);
      break;
    case "withdrawn": {
      const planned = turn.changes[record.key];
      if (planned === undefined) break;
      delete turn.changes[record.key];
      countChange(state, taskOf(record.key), -1);
      for (const { id } of planned.change.tasks) delete state.generations[id];
      break;
    }
    case "intended":
      turn.fixes[record.key] = record.fix;
      state.fixes[record.fix.id] = {
        ...reasonOf(record.fix),
        madeAfter: attemptsOn(state.tasks, record.fix.fixOf),
      };
      addFix(state, record.fix);
      break;
    case "dropped": {
      const fix = Object.values(turn.fixes).find(({ id }) => id === record.fix);
      delete state.fixes[record.fix];
      dropFix(state, fix ?? { id: record.fix, fixOf: record.fix, supersedes: undefined });
      break;
    }
    case "closed":
      state.accepted[record.fix] = true;
      break;
    case "reached":
      for (const task of record.tasks) state.accepted[task] = true;
      break;
    case "refunded":
      refund(state, taskOf(record.key));
      break;
    case "passed":
      pass(state, taskOf(record.key), { commit: record.commit, grouped: true });
      break;
    case "mended":
      for (const { key, verify } of record.passes) {
        noteCheck(state, verify);
        pass(state, taskOf(key), { commit: null, grouped: true });
        // A person repaired the task in the workspace, so its worktree needs no merge.
        if (treeOf(state, taskOf(key)).apart === true) noteMerged(state, taskOf(key));
      }
      break;
    case "merged":
      for (const run of record.runs) noteCheck(state, run);
      for (const [task, collision] of Object.entries(record.collided)) reopen(state, task, collision);
      for (const task of record.tasks) if (!Object.hasOwn(record.collided, task)) noteMerged(state, task);
      break;
    case "flushed":
      for (const task of record.tasks) delete state.unflushed[task];
      break;
    case "reset":
      beginAnew(state, record.task);
      break;
    case "guided":
      advise(state, record.task, record.text);
      break;
    case "advised":
      state.advice = { text: record.text, ...spokenBy(record.by) };
      break;
    case "skipped":
      skip(state, record.task, record.justification);
      break;
    case "takenUp":
      takeUp(state, record.tasks);
      break;
    // Nothing to apply: user input takes effect through an answer or through delegations.
    case "said":
    case "unheard":
    case "left":
    case "continued":
    case "released":
      break;
    case "ended":
      state.elapsedMs = Math.max(state.elapsedMs, record.ending.durationMs);
      // Assume that a person has fixed the unavailable executors meanwhile.
      for (const [name, { until }] of Object.entries(state.blocked)) if (until === null) delete state.blocked[name];
      state.trouble = { what: null, tasks: [] };
  }
}

const reasonOf = ({ error, madeFor, late }: FixTask): RunState["fixes"][TaskId] => ({
  error,
  ...(madeFor !== undefined && { madeFor }),
  ...(late === true && { late }),
});

function countChange({ changes }: RunState, task: TaskId, by: number): void {
  changes[task] = (at(changes, task) ?? 0) + by;
}

function applyDelegation(state: RunState, delegated: Delegated): void {
  const { key, task, role, attempt, retries, executor = 0, level, baseline, elapsedMs } = delegated;
  const { turn } = state;
  if (delegated.verify !== undefined) noteCheck(state, delegated.verify);
  state.iterations += 1;
  state.elapsedMs = Math.max(state.elapsedMs, elapsedMs);
  countDelegation(state, delegated);
  if (role === "reviewer") {
    // A round repeated after a crash counts once.
    turn.rounds[key] = attempt;
    spend(state, task, ({ reviews = 0 }) => ({ reviews: Math.max(reviews, attempt) }));
    return;
  }
  turn.executors[key] = executorName(role, executor);
  if (role === "operator") return;
  if (!Object.hasOwn(turn.advised, key)) turn.advised[key] = treeOf(state, chosenRoot(state, task)).guidance ?? null;
  // Do not count again an attempt repeated after a crash: it was counted when it began.
  if (attempt > spentOn(state.tasks, task).attempts) begin(state, task, level);
  noteBegin(state, task, chosenRoot(state, task));
  // Keep the highest number: in a race, an unfinished attempt may begin again after later attempts.
  spend(state, task, (before) => ({ attempts: Math.max(before.attempts, attempt), retries }));
  turn.inFlight[task] = true;
  if (baseline !== undefined) turn.baselines[key] ??= baseline;
  const found = delegated.verify?.tree ?? delegated.tree;
  // Keep the first content: an attempt repeated after a crash would find its own work.
  if (found !== undefined && !Object.hasOwn(turn.found, key)) turn.found[key] = found;
  if (delegated.race !== undefined) turn.races[task] ??= { ...delegated.race, ended: {} };
  if (delegated.base !== undefined) noteBase(state, task, delegated.base);
  noteBefore(state, task, { before: delegated.before, content: delegated.tree });
}

/**
 * Reopen an accepted task whose worktree conflicts with other work. The task leaves the batch. The work of the task is
 * reused when the task resumes, unless the work was merged.
 */
function reopen(state: RunState, root: TaskId, collision: Collision): void {
  const content = at(state.contents, root) ?? null;
  for (const byTask of [state.accepted, state.proofs, state.contents, state.owed, state.unflushed]) delete byTask[root];
  state.sequential[root] = true;
  noteCollision(state, root, collision);
  if (content === null || collision.files.length === 0) return;
  noteLeft(state, attemptKey(root, spentOn(state.tasks, root).attempts), content);
}
