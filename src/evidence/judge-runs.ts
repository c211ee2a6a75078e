import type { Before } from "../model/check-run.ts";
import type { Proof } from "../model/evidence.ts";

/** A green Verify run, and facts from before the work. */
export interface GreenRun {
  /** The Verify result before the work; null if it was not run. */
  readonly before: Before | null;
  /** Whether the task's purpose is to check: a `[VERIFY]` task, a checkpoint, a goal verification. */
  readonly checks: boolean;
  /** Whether the workspace is as before the task's first attempt; null if unknown. */
  readonly unchanged: boolean | null;
  /** Files made by the attempts of the task; null if unknown. */
  readonly made: readonly string[] | null;
  /** Files that earlier `[RED]` tasks made as the proof of this task. */
  readonly given?: readonly string[];
  /** Number of checks run; null or not given if unknown. */
  readonly ran?: number | null;
  /** Checks whose result changed twice without a reason: they prove nothing. */
  readonly flaky?: ReadonlySet<string>;
}

/**
 * Judge what a green Verify proves about the work, given the result before.
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
  if (made !== null && isOwn(before, made, given)) return { kind: "unproven", reason: "the task wrote its own checks" };
  const { reds, failing } = before;
  const isAll = failing !== null && failing.count === reds.length;
  if (isAll && reds.every(({ name }) => flaky.has(name))) return { kind: "unproven", reason: "its checks are flaky" };
  return { kind: "proven" };
}

/** Whether every red check is in a file made by the task itself. */
function isOwn({ command, reds, failing }: Before, made: readonly string[], given: readonly string[]): boolean {
  // The files of some failing checks are unknown.
  if (reds.length === 0 || failing === null || failing.count > reds.length) return false;
  const own = made.filter((path) => !command.includes(path) && !given.includes(path));
  return reds.every(({ file }) => file !== null && own.some((path) => isSameFile(file, path)));
}

/** Whether a path printed by a tool is this path of the workspace. */
export const isSameFile = (told: string, path: string): boolean => told === path || told.endsWith(`/${path}`);
