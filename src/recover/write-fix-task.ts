import type { Failure, FailureField } from "../model/failure.ts";
import type { FixTask } from "../model/fix-task.ts";
import type { Task } from "../model/task.ts";
import { fixId } from "../model/task-id.ts";
import { clamp } from "./clamp.ts";
import { classifyError } from "./classify-error.ts";

/** Code points of the summary, and of the error and the attempted fix. */
const maxSummary = 50;
const maxText = 500;

/** The Verify of a fix task whose original has none. */
export const noVerify = "echo 'Verify manually'";

/** What a fix task is made from. */
export interface FixTaskSource {
  /** The task that failed. */
  readonly task: Pick<Task, "id" | "title" | "fields">;
  readonly failure: Failure;
  /** Number of the fix task among those of the task, from 1. */
  readonly attempt: number;
  /** Scope in the commit message; when not given the one in the task's own Commit, else the spec's name. */
  readonly scope?: string | null;
  readonly spec?: string;
}

/**
 * The task that repairs a failed one. Its texts are the executor's, cut but not encoded; its Files and Verify are
 * the failed task's own.
 *
 * @see docs/formats.md
 */
export function writeFixTask({ task, failure, attempt, scope, spec }: FixTaskSource): FixTask {
  const error = stated(failure, "error");
  const type = failure.kind === "timeout" ? "timeout" : classifyError(error ?? "");
  const area = [scope, scopeOf(task.fields.commit), spec].find((name) => filled(name) !== null) ?? "recovery";
  return {
    id: fixId(task.id, attempt),
    fixOf: task.id,
    summary: clamp(
      filled(error?.slice(0, 20 * maxSummary).replace(/\s+/g, " ")) ?? `task ${task.id} failure`,
      maxSummary,
    ).trimEnd(),
    error: clamp(error ?? "Task execution failed", maxText),
    attemptedFix: clamp(stated(failure, "attemptedFix") ?? "No previous fix attempted", maxText),
    files: filled(task.fields.files) ?? folderOf(task),
    verify: filled(task.fields.verify) ?? noVerify,
    commit: `fix(${area}): address ${type} from task ${task.id}`,
  };
}

const stated = (failure: Failure, field: FailureField): string | null =>
  failure.unstated.includes(field) ? null : filled(failure[field]);

function filled(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" ? null : trimmed;
}

/** `parser` of a Commit such as `feat(parser): add parser`. */
const scopeOf = (commit: string | undefined): string | undefined =>
  /^[`*\s]*[A-Za-z]{1,20}\(([^()\r\n`]{1,50})\)!?:/.exec(commit ?? "")?.[1];

/** The folder of the first file the task names by its path, `.` when it names none. */
function folderOf({ title, fields }: Pick<Task, "title" | "fields">): string {
  const words = [fields.do, fields.doneWhen, title].join(" ").split(/[\s`'"()[\]<>,;*]+/);
  const file = words.find((word) => word.length <= 300 && /^[\w@.-]*(?:\/[\w@.-]+)+\.[A-Za-z]\w{0,9}[.:]?$/.test(word));
  return file === undefined ? "." : file.slice(0, Math.max(file.lastIndexOf("/"), 1));
}
