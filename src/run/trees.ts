import type { Before, RedCheck } from "../model/check-run.ts";
import type { Directive } from "../model/directive.ts";
import type { Answer } from "../model/effect.ts";
import { type Escalation, type Level, noEscalation, type Tried } from "../model/escalation.ts";
import type { FailureDigest, FailureLeft } from "../model/failure.ts";
import { oneRepair } from "../model/ledger.ts";
import type { Collision, TaskBase } from "../model/record.ts";
import { type AttemptKey, type DeniedAct, nameOfAct, taskOf } from "../model/reply.ts";
import { at, type RunState, type Tree } from "../model/run-state.ts";
import { type TaskId, wholeOf } from "../model/task.ts";
import {
  afterAcceptance,
  afterClimb,
  afterFailure,
  afterLoss,
  afterPass,
  afterProgress,
  afterRefund,
  afterRejection,
  afterReset,
  afterRunBefore,
  afterSkip,
  isNewMinimum,
} from "../recover/escalation.ts";
import { forgive, rootOf, spend, startOver } from "./spending.ts";

const untouched: Tree = {};

export const treeOf = ({ trees }: Pick<RunState, "trees">, root: TaskId): Tree =>
  Object.hasOwn(trees, root) ? (trees[root] as Tree) : untouched;

export const escalationOf = (state: RunState, task: TaskId): Escalation =>
  treeOf(state, rootOf(state, task)).escalation ?? noEscalation;

function change(state: RunState, root: TaskId, more: Partial<Tree>): void {
  state.trees[root] = { ...treeOf(state, root), ...more };
}

export const noteEscalation = (state: RunState, root: TaskId, escalation: Escalation): void =>
  change(state, root, { escalation });

function move(state: RunState, task: TaskId, step: (before: Escalation) => Escalation): void {
  const root = rootOf(state, task);
  change(state, root, { escalation: step(escalationOf(state, root)) });
}

/** Note that a layer other than `signal` and `verify` has rejected a task. */
export function hold(state: RunState, task: TaskId): void {
  const root = rootOf(state, task);
  change(state, root, { held: { ...treeOf(state, root).held, [task]: true } });
}

const mostReds = 500;

export function noteReds(state: RunState, task: TaskId, reds: readonly RedCheck[]): void {
  if (reds.length === 0) return;
  const root = rootOf(state, task);
  const known = treeOf(state, root).reds ?? [];
  const names = new Set(known.map(({ name }) => name));
  const more = reds.filter(({ name }) => !names.has(name));
  if (more.length > 0) change(state, root, { reds: [...known, ...more].slice(0, mostReds) });
}

/**
 * Note the state before an attempt.
 *
 * @param before Result of the Verify before the work; undefined if the result is already recorded, or if there is no
 * Verify.
 * @param content Hash of the workspace files; undefined if it is not read.
 */
export function noteBefore(
  state: RunState,
  task: TaskId,
  { before, content }: { readonly before: Before | undefined; readonly content: string | null | undefined },
): void {
  const root = rootOf(state, task);
  const tree = treeOf(state, root);
  if (content !== undefined && tree.content === undefined) change(state, root, { content });
  if (before === undefined) return;
  change(state, root, { befores: { ...tree.befores, [task]: before } });
  noteReds(state, task, before.reds);
  if (before.red === true) move(state, task, (escalation) => afterRunBefore(escalation, before.failing));
}

/** Move the tree of a task to another base; its changes are measured from that base. */
export function noteBase(state: RunState, task: TaskId, { apart, content }: TaskBase): void {
  const root = rootOf(state, task);
  const { content: _, apart: _apart, merged: _merged, ...tree } = treeOf(state, root);
  state.trees[root] = { ...tree, ...(content !== undefined && { content }), ...(apart && { apart }) };
}

export const noteMerged = (state: RunState, root: TaskId): void => change(state, root, { merged: true });

/** Note the end of an attempt or of its Verify. @param content Hash of the workspace files afterwards. */
export const noteLeft = (state: RunState, key: AttemptKey, content: string): void =>
  change(state, rootOf(state, taskOf(key)), { left: { key, content } });

/** Redo an accepted task on top of other work, whatever its Verify reports. */
export function noteCollision(state: RunState, root: TaskId, collision: Collision): void {
  const { passed: _, ...tree } = treeOf(state, root);
  state.trees[root] = { ...tree, collision };
  hold(state, root);
}

export function begin(state: RunState, task: TaskId, level: Level = "normal"): void {
  closeQuestion(state, rootOf(state, task));
  state.turn.levels[task] = level;
  if (level !== "normal") move(state, task, (before) => afterClimb(before, level));
}

export function refund(state: RunState, task: TaskId): void {
  spend(state, task, ({ waits = 0 }) => ({ waits: waits + 1 }));
  const level = at(state.turn.levels, task) ?? "normal";
  // Keep the level of a race, which has several attempts to undo.
  state.turn.levels[task] = level === "race" ? level : "normal";
  if (level !== "normal") move(state, task, (before) => afterRefund(before, level));
}

/** Note a question from a task's executor. The delegation that asked does not count as an attempt. */
export function ask(state: RunState, task: TaskId, text: string, covers?: readonly string[]): void {
  refund(state, task);
  change(state, rootOf(state, task), { question: { task, text, ...(covers !== undefined && { covers }) } });
}

function closeQuestion(state: RunState, root: TaskId): void {
  const { question, ...tree } = treeOf(state, root);
  if (question !== undefined) state.trees[root] = tree;
}

export const noteLost = (state: RunState, task: TaskId, tried?: Tried): void =>
  move(state, task, (before) => afterLoss(before, task, tried));

export function fail(state: RunState, task: TaskId, failure: FailureDigest): void {
  move(state, task, (before) => afterFailure(before, task, failure, at(state.turn.levels, task)));
  forgetPass(state, task);
  startOverAtMinimum(state, task);
}

/** Note an attempt whose claim was rejected. */
export function reject(state: RunState, task: TaskId, reason: string): void {
  move(state, task, (before) => afterRejection(before, reason));
  forgetPass(state, task);
}

function forgetPass(state: RunState, task: TaskId): void {
  const root = rootOf(state, task);
  if (root === task) {
    const { passed: _, ...tree } = treeOf(state, root);
    state.trees[root] = tree;
  }
}

/** Accept a claim. @param left Remaining failures; null if no known failure remains. */
export function accept(state: RunState, task: TaskId, left: FailureLeft | null): void {
  if (treeOf(state, rootOf(state, task)).escalation === undefined) return;
  move(state, task, (before) => afterAcceptance(before, left));
  if (left !== null) startOverAtMinimum(state, task);
}

function startOverAtMinimum(state: RunState, task: TaskId): void {
  if (isNewMinimum(escalationOf(state, task))) startOver(state, rootOf(state, task));
}

/** Note that a task, fix or part has passed. If a person reopens a passed planned task, its limits start afresh. */
export function settle(state: RunState, task: TaskId): void {
  if (rootOf(state, task) !== task) {
    move(state, task, wholeOf(task) === null ? afterProgress : afterPass);
    return;
  }
  if (treeOf(state, task) === untouched) return;
  const {
    escalation: _,
    repairs: _repairs,
    question: _question,
    held: _held,
    left: _left,
    collision: _collision,
    ...tree
  } = treeOf(state, task);
  if (Object.keys(tree).length > 0) state.trees[task] = { ...tree, passed: true };
  else delete state.trees[task];
}

export function direct(state: RunState, task: TaskId, directive: Directive): void {
  const root = rootOf(state, task);
  change(state, root, { repairs: [...(treeOf(state, root).repairs ?? []), { task, directive }] });
  if (directive.strategy !== "retry" && directive.strategy !== "decompose") return;
  spend(state, task, oneRepair);
  if (directive.strategy === "decompose") spend(state, task, () => ({ parts: directive.parts }));
}

export function beginAnew(state: RunState, root: TaskId): void {
  forgive(state, root);
  const { repairs: _, question: _question, ...tree } = treeOf(state, root);
  state.trees[root] = tree;
  move(state, root, afterReset);
}

/** Apply a person's answer about a planned task, or note that no one answered. */
export function hear(state: RunState, root: TaskId, answer: Answer<"askPerson">): void {
  if (answer.kind === "gate") move(state, root, (before) => ({ ...before, asked: true }));
  if (answer.kind === "guided" && answer.text !== "") change(state, root, { guidance: answer.text });
  const decision = answer.kind === "decided" ? answer.decision : null;
  if (decision === "accept") {
    const { allowed = [], question } = treeOf(state, root);
    closeQuestion(state, root);
    change(state, root, { allowed: [...allowed, ...(question?.covers ?? [])] });
  }
  // The rest of the tree continues.
  if (decision === "skip" || decision === "skip-task") {
    closeQuestion(state, root);
    move(state, root, afterSkip);
  }
  if (answer.kind === "guided" || decision === "retry") beginAnew(state, root);
}

export const advise = (state: RunState, root: TaskId, guidance: string): void => change(state, root, { guidance });

/** Skip a task. @param justification Null: undo the skip, and start the task afresh. */
export function skip(state: RunState, task: TaskId, justification: string | null): void {
  if (justification !== null) {
    state.skipped[task] = justification;
    return;
  }
  delete state.skipped[task];
  beginAnew(state, rootOf(state, task));
}

export function report(state: RunState, task: TaskId, path: string): void {
  move(state, task, (before) => afterClimb(before, "checkpoint"));
  state.reports[rootOf(state, task)] = path;
}

/** Note that a person is asked about a denied act; once per planned task. */
export function askAboutAct(state: RunState, task: TaskId, denied: DeniedAct): void {
  const root = rootOf(state, task);
  const acts = treeOf(state, root).denied ?? [];
  change(state, root, { denied: [...new Set([...acts, nameOfAct(denied)])] });
}
