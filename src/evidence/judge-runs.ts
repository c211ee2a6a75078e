import { type Before, type KnownRun, type RedCheck, redCheck } from "../model/check-run.ts";
import type { Proof } from "../model/evidence.ts";
import { type EndedRun, type OutputDigest, setOfRun } from "../model/failure-set.ts";
import { countOf } from "../model/text.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import { turnsFailures } from "./may-recheck.ts";

export interface GreenRun {
  readonly before: Before | null;
  /** Whether the task's purpose is to check: a `[VERIFY]` task, a checkpoint, a goal verification. */
  readonly checks: boolean;
  /** Whether the workspace is as before the task's first attempt; null if unknown. */
  readonly unchanged: boolean | null;
  readonly made: readonly string[] | null;
  /** Files that earlier `[RED]` tasks made as the proof of this task. */
  readonly given?: readonly string[];
  /** Number of checks run; null or not given if unknown. */
  readonly ran?: number | null;
  /** Number of failed checks that the output reports although the command passed. */
  readonly failed?: number | undefined;
  /** Checks whose result changed twice without a reason: they prove nothing. */
  readonly flaky?: ReadonlySet<string>;
}

/**
 * Judge what a green Verify proves about the work, given the result before the work.
 *
 * @see docs/verification.md
 */
export function judgeGreen(run: GreenRun): Proof {
  const { before, checks, unchanged, made, ran, failed = 0, given = [], flaky = new Set() } = run;
  if (ran === 0) return { kind: "unproven", reason: "no check ran" };
  const passesOnFailure = before !== null && turnsFailures(before.command);
  if (failed > 0 && !passesOnFailure) {
    return { kind: "unproven", reason: `the output reports ${countOf(failed, "failed check")}` };
  }
  if (before === null || before.red === null) {
    if (checks) return { kind: "checked" };
    const why = before?.why;
    return { kind: "unproven", reason: `no result from before the work${why === undefined ? "" : ` (${why})`}` };
  }
  if (!before.red) return checks ? { kind: "checked" } : { kind: "unproven", reason: "green before the work" };
  if (unchanged === true) return { kind: "unproven", reason: "turned green without a change" };
  if (made !== null && isOwn(before, made, given)) return { kind: "unproven", reason: "the task wrote its own checks" };
  if (losesReds(before, ran)) return { kind: "unproven", reason: `fewer checks ran than before (now ${ran})` };
  const { reds, failing } = before;
  const isAll = failing !== null && failing.count === reds.length;
  if (isAll && reds.every(({ name }) => flaky.has(name))) return { kind: "unproven", reason: "its checks are flaky" };
  return { kind: "proven" };
}

/** Whether as many checks are missing after the work as failed before it: the failed ones may be gone. */
function losesReds({ failing, counts }: Before, ran: number | null = null): boolean {
  const was = failing?.ran ?? counts?.ran ?? null;
  return failing !== null && ran !== null && was !== null && ran <= was - failing.count;
}

/** Whether every red check is in a file made by the task itself. */
function isOwn({ command, reds, failing }: Before, made: readonly string[], given: readonly string[]): boolean {
  // The file of every failing check must be known.
  if (reds.length === 0 || failing === null || failing.count > reds.length) return false;
  const own = made.filter((path) => !command.includes(path) && !given.includes(path));
  return reds.every(({ file }) => file !== null && own.some((path) => isSameFile(file, path)));
}

/** Whether a path printed by a tool means this path of the workspace. */
export const isSameFile = (told: string, path: string): boolean => told === path || told.endsWith(`/${path}`);

/**
 * Whether a red run completes a `[RED]` task: new checks fail, and every check that failed before still fails.
 *
 * @param now The currently failing checks.
 */
export function addsFailures(before: Before | null, run: EndedRun, now: readonly RedCheck[]): boolean {
  const set = setOfRun(run);
  if (before === null || before.red === null || set === null) return false;
  const were = before.failing?.count ?? 0;
  const isFewer = set.ran !== null && before.failing?.ran != null && set.ran < before.failing.ran;
  if (isFewer) return false;
  const names = new Set(now.map(({ name }) => name));
  return set.count > were && before.reds.every(({ name }) => names.has(name));
}

/** The result before the work, without excused checks. */
export function without(before: Before | null, excused: ReadonlySet<string>): Before | null {
  if (before === null || excused.size === 0 || before.failing?.ids == null) return before;
  const reds = before.reds.filter(({ name }) => !excused.has(name));
  const count = before.failing.count - (before.reds.length - reds.length);
  if (count === 0) return { ...before, reds, red: false, failing: null };
  const ids = before.failing.ids.filter((id) => !excused.has(id));
  return { ...before, reds, failing: { ...before.failing, count, ids } };
}

const mostReds = 200;

export function knownRun({ name, result, digest, tree = null, counts }: VerifyRun): KnownRun {
  return {
    name,
    passed: digest === null,
    tree,
    failing: setOfRun({ ...result, digest }),
    reds: digest === null ? [] : redsIn(digest),
    counts: counts ?? null,
    durationMs: result.durationMs,
  };
}

function redsIn({ source, failures }: OutputDigest): RedCheck[] {
  if (source !== "tools") return [];
  return failures.slice(0, mostReds).map(redCheck);
}

/** Number of failed checks in a run; null if its tool does not report it. */
export function failingIn(run: VerifyRun): number | null {
  const { passed, failing } = knownRun(run);
  return passed ? 0 : (failing?.count ?? null);
}

/** Whether a run passed and its tool did not report zero checks. */
export const hasShown = ({ passed, counts }: Pick<KnownRun, "passed" | "counts">): boolean =>
  passed && counts?.ran !== 0;

/** The result of a run before the work; a run without any check counts as red. */
export const beforeOf = (command: string, known: KnownRun): Before => ({
  command,
  red: !hasShown(known),
  ...{ failing: known.failing, reds: [...known.reds], counts: known.counts },
});

/** The result before the work, if the command cannot run yet. */
export const notThere = (command: string): Before => ({
  ...{ command, red: true, failing: null, reds: [], counts: null },
});

export const unknownBefore = (command: string, why: string): Before => ({
  ...{ command, red: null, why, failing: null, reds: [], counts: null },
});
