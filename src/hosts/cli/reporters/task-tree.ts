import type { TaskProgress, TimedRunEvent } from "../../../model/event.ts";
import type { Proof } from "../../../model/evidence.ts";
import type { Counted } from "../../../model/plan-parts.ts";
import { isPartOf, type Task, type TaskId, wholeOf } from "../../../model/task.ts";
import { countOf } from "../../../model/text.ts";
import { levelName, renderProgress, renderWait } from "../../../wording/render-progress.ts";
import { roleWords } from "../../../wording/role-words.ts";

export function plantTree(tasks: readonly Task[]): readonly TreeRow[] {
  const depths = new Map<TaskId, number>();
  return tasks.map(({ id, title, done, fixOf, isGroup, aside }) => {
    const depth = fixOf === null ? 0 : (depths.get(fixOf) ?? -1) + 1;
    depths.set(id, depth);
    const kind = { fixOf, ...(isGroup !== undefined && { isGroup }), ...(aside !== undefined && { aside }) };
    return { id, title, ...kind, depth, state: done ? "passed" : "open", level: "", note: "", work: null };
  });
}

/**
 * Update the rows by an event. A fix task appears below the repaired task and its earlier fixes. Requested tasks appear
 * before or after their planned task. Parts appear below their task until the task is done.
 */
export function growTree(rows: readonly TreeRow[], event: TimedRunEvent): readonly TreeRow[] {
  switch (event.type) {
    case "run.started": {
      const superseded = new Set(event.superseded);
      return rows.map((row) => (superseded.has(row.id) ? { ...row, state: "superseded" } : row));
    }
    case "task.delegated":
      return changeRow(withPart(rows, event), event.task, {
        title: event.title,
        state: "running",
        note: `${roleWords[event.role].attempt} ${event.attempt}`,
        work: { stage: "work", since: Date.parse(event.at), act: "", output: event.output ?? null },
      });
    case "task.progress":
      return rows.map((row) => (row.id === event.task ? { ...row, ...workIn(row, event) } : row));
    case "task.rejected":
      return change(event.task, { state: "failed", note: `rejected by ${event.layer}: ${event.reason}` });
    case "task.failed":
      return change(event.task, { state: "failed", note: failureNote(event) });
    case "waiting":
      return change(event.task, { state: "waiting", note: renderWait(event) });
    case "task.passed": {
      const fixes = event.fixes.length === 0 ? [] : [countOf(event.fixes.length, "fix", "fixes")];
      const note = [countOf(event.attempts, "attempt", "attempts"), ...fixes].join(", ");
      const passed = { state: "passed", level: "", note: `${note}${shownBy(event.proof)}` } as const;
      return changeRow(withoutParts(rows, event.task), event.task, passed);
    }
    case "work.checked":
      return rows.map((row) => {
        const proof = Object.hasOwn(event.proofs, row.id) ? event.proofs[row.id] : undefined;
        return proof === undefined ? row : { ...row, note: row.note.replace(/, unverified$/, shownBy(proof)) };
      });
    case "level.changed":
      return change(event.task, { level: levelName(event) });
    case "repair.chosen":
      return changeRow(withoutParts(rows, event.task), event.task, { note: `repair: ${event.strategy}`, work: null });
    case "task.skipped":
      return changeRow(withoutParts(rows, event.task), event.task, {
        state: "skipped",
        level: "",
        note: event.justification,
      });
    case "person.asked":
      // The task starts over after the answer, so its level is empty.
      return change(event.task, { state: "waiting", level: "", note: asks[event.about] });
    case "fix.inserted": {
      const { fix, supersedes } = event;
      const before = supersedes === null ? rows : changeRow(rows, supersedes, replacedBy(fix));
      return insertRows(before, event.task, "below", [{ id: fix, title: `fix of ${event.task}` }]);
    }
    case "plan.changed":
      return changePlan(rows, event);
    case "run.ended":
      return rows.map((row) => settle(row, event.skipped));
    default:
      return rows;
  }

  function change(id: TaskId, changes: Partial<TreeRow>): readonly TreeRow[] {
    return changeRow(rows, id, changes);
  }
}

function workIn(
  { state, work }: TreeRow,
  { at, stage, seconds, tool, line }: Extract<TimedRunEvent, { type: "task.progress" }>,
): Pick<TreeRow, "work"> {
  if (state !== "running" || work === null) return { work };
  const since = work.stage === stage ? work.since : Date.parse(at) - seconds * 1000;
  const act = [tool, line].filter((text) => text !== null && text !== "").join(" ");
  return { work: { ...work, stage, since, act } };
}

const failureNote = ({ progress, failure }: Extract<TimedRunEvent, { type: "task.failed" }>): string =>
  progress === null ? failure.error : renderProgress(progress);

const asks = {
  repair: "waiting for a person: retry, skip or stop",
  checkpoint: "checkpoint: waiting for a person",
  blocked: "waiting for a person: the executor has a question",
  environment: "waiting for a person: the environment has a problem",
  guard: "waiting for a person: the proof of the task was changed",
} as const;

function withPart(
  rows: readonly TreeRow[],
  { task, title }: Extract<TimedRunEvent, { type: "task.delegated" }>,
): readonly TreeRow[] {
  const whole = wholeOf(task);
  return whole === null ? rows : insertRows(rows, whole, "below", [{ id: task, title }]);
}

/** Finish a row at the end of a run. A task skipped in an earlier start counts as skipped, too. */
function settle(row: TreeRow, skipped: readonly TaskId[]): TreeRow {
  if (row.state !== "passed" && skipped.includes(row.id)) return { ...row, state: "skipped" };
  return isBusy(row) ? { ...row, state: "open" } : row;
}

const replacedBy = (fix: TaskId) => ({ state: "superseded", note: `superseded by ${fix}` }) as const;

function changePlan(
  rows: readonly TreeRow[],
  { task, change, added }: Extract<TimedRunEvent, { type: "plan.changed" }>,
): readonly TreeRow[] {
  const names = added.join(", ");
  const titled = (title: string) => added.map((id) => ({ id, title }));
  switch (change) {
    case "SPLIT_TASK": {
      const split = changeRow(rows, task, { state: "passed", note: `split into ${names}` });
      return insertRows(split, task, "behind", titled(`part of ${task}`));
    }
    case "ADD_PREREQUISITE": {
      const put = changeRow(rows, task, { state: "open", note: `after ${names}` });
      return insertRows(put, rootOf(rows, task), "before", titled(`needed for ${task}`));
    }
    case "ADD_FOLLOWUP":
      return insertRows(rows, rootOf(rows, task), "behind", titled(`follows from ${task}`));
  }
}

export interface TreeRow extends Omit<Counted, "done"> {
  readonly id: TaskId;
  readonly title: string;
  /** Nesting level: 0 for a planned task, 1 for its fixes. */
  readonly depth: number;
  readonly state: "open" | "running" | "waiting" | "passed" | "failed" | "skipped" | "superseded";
  /** Escalation level, such as `pivot 1/3`; empty if not stuck. */
  readonly level: string;
  readonly note: string;
  /** Current work while the task is `running`; null if there is none. */
  readonly work: Work | null;
}

export interface Work {
  readonly stage: TaskProgress["stage"];
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The last action seen; empty before the first action. */
  readonly act: string;
  /** Path of the file that receives the output of the executor; null for a function. */
  readonly output: string | null;
}

export const isBusy = ({ state }: TreeRow): boolean => state === "running" || state === "waiting";

export const isPart = ({ id }: TreeRow): boolean => wholeOf(id) !== null;

const changeRow = (rows: readonly TreeRow[], id: TaskId, changes: Partial<TreeRow>): readonly TreeRow[] =>
  rows.map((row) => (row.id === id ? { ...row, ...changes } : row));

/** Insert rows of open tasks: `before` a task, `behind` the task and its fixes, or `below` the task as its fixes. */
function insertRows(
  rows: readonly TreeRow[],
  task: TaskId,
  place: "before" | "behind" | "below",
  tasks: readonly Pick<TreeRow, "id" | "title">[],
): readonly TreeRow[] {
  const at = rows.findIndex(({ id }) => id === task);
  const depth = rows[at]?.depth ?? -1;
  const fixOf = place === "below" ? task : null;
  const ownDepth = place === "below" ? depth + 1 : Math.max(0, depth);
  const behind = rows.slice(at + 1).findIndex((row) => row.depth <= depth);
  const end = behind === -1 ? rows.length : at + 1 + behind;
  const fresh = tasks
    .filter(({ id }) => rows.every((row) => row.id !== id))
    .map((each): TreeRow => ({ ...each, fixOf, depth: ownDepth, state: "open", level: "", note: "", work: null }));
  return rows.toSpliced(place === "before" && at >= 0 ? at : end, 0, ...fresh);
}

/** Render how a task was verified, for the end of its row; empty if proven, the usual case. */
const shownBy = ({ kind }: Proof): string => (kind === "proven" ? "" : `, ${kind}`);

const withoutParts = (rows: readonly TreeRow[], task: TaskId): readonly TreeRow[] =>
  rows.filter(({ id }) => !isPartOf(id, task));

function rootOf(rows: readonly TreeRow[], task: TaskId): TaskId {
  const at = rows.findIndex(({ id }) => id === task);
  return rows.slice(0, at + 1).findLast(({ depth }) => depth === 0)?.id ?? task;
}

export function checkOfAll(before: TreeRow | null, event: TimedRunEvent): TreeRow | null {
  if (event.type === "notice" || event.type === "task.progress") return before;
  if (event.type !== "check.started") return null;
  const work = { stage: "verify", since: Date.parse(event.at), act: event.command, output: null } as const;
  const note = event.ofProject === true ? "check of the project" : "final check";
  return { id: "the plan", title: "", fixOf: null, depth: 0, state: "running", level: "", note, work };
}
