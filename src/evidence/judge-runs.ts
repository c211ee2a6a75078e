import type { Before } from "../model/check-run.ts";
import type { Proof } from "../model/evidence.ts";

/** A green run of a task's Verify, and what is known of the work before it. */
export interface GreenRun {
  /** What the Verify said before the work; null where it was not looked at. */
  readonly before: Before | null;
  /** Whether the task's purpose is to check: a `[VERIFY]` task, a checkpoint, a goal verification. */
  readonly checks: boolean;
  /** Whether the workspace is as it was before the task's first attempt; null where that cannot be told. */
  readonly unchanged: boolean | null;
  /** Files that the attempts of the task have made; null where that cannot be told. */
  readonly made: readonly string[] | null;
  /** Files that `[RED]` tasks before it have made: they were made to prove this one. */
  readonly given?: readonly string[];
  /** How many checks it says that it has run; null or not given where it does not. */
  readonly ran?: number | null;
  /** Checks that have twice passed or failed without a reason: they show nothing. */
  readonly flaky?: ReadonlySet<string>;
}

/**
 * Judge what a green Verify says of the work, by what it said before.
 *
 * @see docs/verification.md
 */
export function judgeGreen({ before, checks, unchanged, made, ran, given = [], flaky = new Set() }: GreenRun): Proof {
  if (ran === 0) return { kind: "unproven", reason: "no check ran" };
  if (before === null || before.red === null) {
    if (checks) return { kind: "checked" };
    const why = before?.why;
    return { kind: "unproven", reason: `no run before${why === undefined ? "" : ` (${why})`}` };
  }
  if (!before.red) return checks ? { kind: "checked" } : { kind: "unproven", reason: "green before the work" };
  if (unchanged === true) return { kind: "unproven", reason: "turned green without a change" };
  if (made !== null && isOwn(before, made, given)) return { kind: "unproven", reason: "its checks are its own" };
  const { reds, failing } = before;
  const isAll = failing !== null && failing.count === reds.length;
  if (isAll && reds.every(({ name }) => flaky.has(name))) return { kind: "unproven", reason: "its checks are flaky" };
  return { kind: "proven" };
}

/** Whether every check that was red stands in a file that the task itself has made. */
function isOwn({ command, reds, failing }: Before, made: readonly string[], given: readonly string[]): boolean {
  // Of some of them the file is not known.
  if (reds.length === 0 || failing === null || failing.count > reds.length) return false;
  const own = made.filter((path) => !command.includes(path) && !given.includes(path));
  return reds.every(({ file }) => file !== null && own.some((path) => isSameFile(file, path)));
}

/** Whether a path as a tool writes it is a path of the workspace. */
export const isSameFile = (told: string, path: string): boolean => told === path || told.endsWith(`/${path}`);
