import type { Setback } from "../model/decision.ts";
import type { Answer } from "../model/effect.ts";
import { spentOn } from "../model/ledger.ts";
import type { Answered } from "../model/record.ts";
import { attemptOf, taskOf } from "../model/reply.ts";
import type { RunState } from "../model/run-state.ts";
import { leftOutByPerson } from "../model/stuck-report.ts";
import { partId, plannedTask, repairedBy, type TaskId, wholeOf } from "../model/task.ts";
import type { ChosenTree } from "../model/turn.ts";
import { chosenRoot, rootOf } from "./spending.ts";
import { escalationOf, noteEscalation, refund, treeOf } from "./trees.ts";

/** Begin a turn with the chosen task or batch. The attempts and results of a turn are kept until the next turn. */
export function choose(state: RunState, answer: Answer<"chooseTask">): void {
  leaveParked(state);
  if (answer.kind === "batch") for (const { root, current } of answer.members) state.turn.chosen[root] = { current };
  if (answer.kind !== "task") return;
  const { root, current, alwaysFixed } = answer;
  state.turn.chosen[root] = { current, ...(alwaysFixed === true && { alwaysFixed }) };
}

/** Begin a cleanup; it runs once, whatever the task has spent before. */
export function chooseCleanup(state: RunState, root: TaskId): void {
  const { attempts, waits = 0 } = spentOn(state.tasks, root);
  state.turn.chosen[root] = { current: root, cleanup: { attempts, waits } } satisfies ChosenTree;
  untry(state, root);
}

export const setBack = ({ turn }: RunState, task: TaskId, setback: Setback): void => {
  turn.setbacks[task] = setback;
};

function untry({ turn }: RunState, task: TaskId, remedy: "fix" | "repair" | null = null): void {
  turn.setbacks[task] = null;
  turn.remedies[task] = remedy;
}

export function noteDecision(state: RunState, task: TaskId, { kind }: Answer<"decide">): void {
  const { turn } = state;
  const root = chosenRoot(state, task);
  switch (kind) {
    case "retry":
      turn.retried[task] = true;
      // A rejected claim does not change the remedy.
      if (turn.setbacks[task]?.failure != null) turn.remedies[task] = "retry";
      break;
    case "fix":
      turn.remedies[task] = "fix";
      break;
    case "pivot":
    case "research":
    case "race":
      turn.climbs[root] = kind;
      turn.remedies[task] = kind;
      break;
    case "checkpoint":
      turn.climbs[root] = kind;
      break;
    case "exhausted":
      stop(state, root);
      break;
    case "begin":
    case "repair":
    case "ask":
      break;
  }
}

export function stop({ turn }: RunState, root: TaskId): void {
  turn.exhausted = [...turn.exhausted, root];
}

export function noteBegin({ turn }: RunState, task: TaskId, root: TaskId): void {
  delete turn.retried[task];
  delete turn.climbs[root];
  delete turn.taken[task];
}

export const goToFix = (state: RunState, fix: TaskId): void => untry(state, fix);

export function goBack(state: RunState, task: TaskId): void {
  if (wholeOf(task) !== null || chosenRoot(state, task) === task) return;
  untry(state, repairedBy(task) as TaskId, "fix");
}

export const goToPart = (state: RunState, part: TaskId): void => untry(state, part);

export const goToWhole = (state: RunState, whole: TaskId): void => untry(state, whole, "repair");

export function noteDirective(state: RunState, task: TaskId, directive: Directive): void {
  const { turn } = state;
  turn.remedies[task] = "repair";
  if (directive.strategy === "decompose") goToPart(state, partId(task, 1));
  if (directive.strategy !== "prune") return;
  const root = chosenRoot(state, task);
  // A part can be skipped alone, a fix only with its planned task.
  leaveOut(state, root, { task: wholeOf(task) === null ? root : task, by: "operator", ...directive });
  const escalation = escalationOf(state, task);
  if (escalation.asked) noteEscalation(state, rootOf(state, task), { ...escalation, asked: false });
}

type Directive = Extract<Answer<"askOperator">, { kind: "directed" }>["directive"];

function leaveOut(
  { turn }: RunState,
  root: TaskId,
  { task, justification, by }: { task: TaskId; justification: string; by: "operator" | "person" },
): void {
  turn.leftOut[root] = [...(turn.leftOut[root] ?? []), { task, justification, by }];
  delete turn.troubles[root];
}

export function noteAnswer(state: RunState, task: TaskId, answer: Answer<"askPerson">): void {
  const root = chosenRoot(state, task);
  const decision = answer.kind === "decided" ? answer.decision : null;
  if (answer.kind === "guided" || decision === "retry") reset(state, root, task);
  if (decision !== "skip" && decision !== "skip-task") return;
  const isWhole = decision === "skip-task" || escalationOf(state, task).level === "checkpoint";
  leaveOut(state, root, { task: isWhole ? root : task, justification: leftOutByPerson, by: "person" });
}

function reset(state: RunState, root: TaskId, asked: TaskId): void {
  const { turn } = state;
  const isIn = (task: TaskId): boolean => chosenRoot(state, task) === root;
  for (const task of [
    ...Object.keys(turn.setbacks),
    ...Object.keys(turn.remedies),
    turn.chosen[root]?.current ?? root,
  ]) {
    if (isIn(task)) untry(state, task);
  }
  untry(state, plannedTask(asked));
  delete turn.climbs[root];
  delete turn.leftOut[root];
  delete turn.troubles[root];
}

export const noteTrouble = (state: RunState, task: TaskId, trouble: string): void => {
  state.turn.troubles[chosenRoot(state, task)] = trouble;
};

/** What was tried after a second answer of the operator that could not be used. */
export const refusedTwice = (reason: string): string =>
  `the repair operator, whose two answers could not be used (${reason})`;

/** Note a directive that could not be followed; after the second such directive, a person is asked. */
export function noteRefusal(state: RunState, key: string, task: TaskId, reason: string): void {
  const attempt = attemptOf(key);
  const isSecond = Object.hasOwn(state.turn.refusals, attempt);
  state.turn.refusals[attempt] = reason;
  if (!isSecond) return;
  const root = rootOf(state, task);
  const tree = treeOf(state, root);
  const directive = { strategy: "escalate", tried: refusedTwice(reason), decision: "" } as const;
  state.trees[root] = { ...tree, repairs: [...(tree.repairs ?? []), { task, directive }] };
  state.turn.remedies[task] = "repair";
}

/** Effects whose questions abandon an attempt before it is judged. */
const unjudged: ReadonlySet<Answered["effect"]> = new Set(["changePlan", "verify", "review"]);

/** Park a task with its question. An attempt that was not judged does not count. */
export function park(state: RunState, { effect, key, answer }: Answered): void {
  if (!isParked(answer)) return;
  const { reason, hint } = answer;
  const task = taskOf(key);
  state.parked[chosenRoot(state, task)] = { key, reason, hint };
  if (unjudged.has(effect)) refund(state, task);
}

/** Whether the answer of an effect is a gate that parks its task: the question waits, and other tasks continue. */
export const isParked = (answer: Answered["answer"]): answer is Extract<Answered["answer"], { kind: "gate" }> =>
  answer.kind === "gate" && answer.parked === true;

/** Resume parked tasks; they stay parked until the next choice. */
export function takeUp({ parked }: RunState, tasks: readonly TaskId[]): void {
  for (const task of tasks) {
    const waiting = parked[task];
    if (waiting !== undefined) parked[task] = { ...waiting, again: true };
  }
}

function leaveParked({ parked }: RunState): void {
  for (const [task, { again }] of Object.entries(parked)) if (again === true) delete parked[task];
}
