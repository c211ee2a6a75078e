import type { RunEvent } from "../../../model/event.ts";
import type { Task } from "../../../model/task.ts";
import type { TaskId } from "../../../model/task-id.ts";
import { countOf } from "../count-of.ts";

/** One task as the tree shows it. */
export interface TreeRow {
  readonly id: TaskId;
  readonly title: string;
  /** Generations of fixes above it. */
  readonly depth: number;
  readonly state: "open" | "running" | "passed" | "failed";
  /** What there is to say about it; may be empty. */
  readonly note: string;
}

/** The rows of a plan before anything happens. */
export function plantTree(tasks: readonly Task[]): readonly TreeRow[] {
  const depths = new Map<TaskId, number>();
  return tasks.map(({ id, title, done, fixOf }) => {
    const depth = fixOf === null ? 0 : (depths.get(fixOf) ?? -1) + 1;
    depths.set(id, depth);
    return { id, title, depth, state: done ? "passed" : "open", note: "" };
  });
}

/** The rows after an event: a fix task appears below the task it repairs and the fixes that task already has. */
export function growTree(rows: readonly TreeRow[], event: RunEvent): readonly TreeRow[] {
  switch (event.type) {
    case "task.delegated":
      return change(event.task, { title: event.title, state: "running", note: `attempt ${event.attempt}` });
    case "task.rejected":
      return change(event.task, { state: "failed", note: `rejected by ${event.layer}: ${event.reason}` });
    case "task.failed":
      return change(event.task, { state: "failed", note: event.failure.error });
    case "task.passed": {
      const fixes = event.fixes.length === 0 ? [] : [countOf(event.fixes.length, "fix", "fixes")];
      const note = [countOf(event.attempts, "attempt", "attempts"), ...fixes].join(", ");
      return change(event.task, { state: "passed", note });
    }
    case "fix.inserted":
      return insertFix(rows, event.task, event.fix);
    case "run.ended":
      return rows.map((row) => (row.state === "running" ? { ...row, state: "open" } : row));
    case "run.started":
    case "notice":
      return rows;
  }

  function change(id: TaskId, changes: Partial<TreeRow>): readonly TreeRow[] {
    return rows.map((row) => (row.id === id ? { ...row, ...changes } : row));
  }
}

function insertFix(rows: readonly TreeRow[], task: TaskId, fix: TaskId): readonly TreeRow[] {
  const at = rows.findIndex(({ id }) => id === task);
  if (rows.some(({ id }) => id === fix)) return rows;
  const depth = rows[at]?.depth ?? -1;
  const behind = rows.slice(at + 1).findIndex((row) => row.depth <= depth);
  const row: TreeRow = { id: fix, title: `fix of ${task}`, depth: depth + 1, state: "open", note: "" };
  return rows.toSpliced(behind === -1 ? rows.length : at + 1 + behind, 0, row);
}
