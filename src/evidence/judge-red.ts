import type { Before, RedCheck } from "../model/check-run.ts";
import type { EndedRun } from "../model/failure-set.ts";
import { setOfRun } from "../model/failure-set.ts";

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
