import { clamp } from "../model/clamp.ts";
import type { FailedCheck } from "../model/failed-check.ts";
import { type Failure, type FailureEvidence, type FailureField, madeForOf } from "../model/failure.ts";
import type { FailureSet } from "../model/failure-set.ts";
import { fingerprint } from "../model/fingerprint.ts";
import type { FixTask } from "../model/fix-task.ts";
import type { Task } from "../model/task.ts";
import { fixId, type TaskId } from "../model/task-id.ts";
import { classifyError } from "./classify-error.ts";
import { tellCheck } from "./verify-error.ts";

/** Code points of the summary, and of the error and the attempted fix. */
const maxSummary = 50;
const maxText = 500;

/** What of a failure a fix task is made from. */
export interface FixCause extends Pick<Failure, "kind" | "error" | "attemptedFix"> {
  /** Fields that hold fallbacks (none when not given). */
  readonly unstated?: readonly FailureField[] | undefined;
  readonly failing?: FailureSet | undefined;
  readonly evidence?: FailureEvidence | undefined;
  /** Told from the error when not given. */
  readonly fingerprint?: string | undefined;
}

/** What a fix task is made from. */
export interface FixTaskSource {
  /** The task that it repairs. A Verify that cannot be run is left out by the caller. */
  readonly task: Pick<Task, "id" | "title" | "fields">;
  readonly failure: FixCause;
  /** Number of the fix task among those of the task, from 1. */
  readonly attempt: number;
  /** Scope in the commit message; when not given the one in the task's own Commit, else the spec's name. */
  readonly scope?: string | null;
  readonly spec?: string;
  /** The fix task whose place it takes; null or not given when it takes none. */
  readonly supersedes?: TaskId | null;
}

/**
 * The task that repairs a failed one. Its texts are the executor's, cut but not encoded; its Files and Verify are
 * the failed task's own.
 *
 * @see docs/formats.md
 */
export function writeFixTask({ task, failure, attempt, scope, spec, supersedes = null }: FixTaskSource): FixTask {
  const command = failure.evidence?.command ?? null;
  const failures = command?.source === "tools" ? command.failures : [];
  const [first] = failure.failing === undefined ? [] : failures;
  // What was printed last says more than that Verify has failed.
  const last = command === null || command.source === "tools" || command.timedOut ? undefined : command.failures.at(-1);
  const error = first === undefined ? (last?.message ?? stated(failure, "error")) : tellCheck(first);
  const type =
    failure.kind === "timeout"
      ? "timeout"
      : classifyError(first === undefined ? (error ?? "") : `${first.tool}: ${error}`);
  const area = [scope, scopeOf(task.fields.commit), spec].find((name) => filled(name) !== null) ?? "recovery";
  return {
    id: fixId(task.id, attempt),
    fixOf: task.id,
    summary: clamp(
      filled(error?.slice(0, 20 * maxSummary).replace(/\s+/g, " ")) ?? `task ${task.id} failure`,
      maxSummary,
    ).trimEnd(),
    error: clamp(error ?? "Task execution failed", maxText),
    attemptedFix: clamp(stated(failure, "attemptedFix") ?? fallbackFor(supersedes), maxText),
    doneWhen: clamp(doneWhen(error ?? "Task execution failed", failure, failures), maxText),
    files: filled(task.fields.files) ?? folderOf(task),
    verify: filled(task.fields.verify),
    commit: `fix(${area}): address ${type} from task ${task.id}`,
    madeFor: madeForOf({ ...failure, fingerprint: failure.fingerprint ?? fingerprint(failure.error) }),
    ...(supersedes !== null && { supersedes }),
  };
}

/** Checks that are named in what a fix task is to come to. */
const mostNamed = 8;

/** What is to hold when a fix is done: its first failure is gone and nothing came instead, or the error is gone. */
function doneWhen(error: string, { failing }: FixCause, failures: readonly FailedCheck[]): string {
  const [first, ...others] = failures.map(({ id }) => clamp(id, maxText / mostNamed));
  if (failing === undefined || first === undefined) return `Error "${clamp(error, maxText - 40)}" no longer occurs`;
  const named = others.slice(0, mostNamed - 1);
  const more = failing.count - 1 - named.length;
  const rest = [...named, ...(more > 0 ? [`and ${more} more`] : [])];
  return `${first} no longer fails, and no other check fails${rest.length === 0 ? "" : ` except: ${rest.join("; ")}`}`;
}

/** What is told of earlier fixes where the executor has not. */
const fallbackFor = (supersedes: TaskId | null): string =>
  supersedes === null ? "No previous fix attempted" : `Fix task ${supersedes} was not enough`;

const stated = (failure: FixCause, field: "error" | "attemptedFix"): string | null =>
  failure.unstated?.includes(field) === true ? null : filled(failure[field]);

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
