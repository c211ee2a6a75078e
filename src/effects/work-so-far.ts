import { judgeGreen } from "../evidence/judge-runs.ts";
import type { Before, CheckCounts } from "../model/check-run.ts";
import type { Proof } from "../model/evidence.ts";
import { isChecking, type Task } from "../model/task.ts";
import type { TreeChange } from "../ports/git.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Changes by the attempts of a whole task; null if unknown.
 *
 * @param tree Name of the current workspace content.
 */
export async function changesSoFar(
  { attempts, trees }: WholePorts,
  task: Task,
  tree: string | null | undefined,
): Promise<readonly TreeChange[] | null> {
  const content = attempts.contentBefore(task.id);
  if (tree == null || content === null) return null;
  return content === tree ? [] : ((await trees?.changes(content, tree)) ?? null);
}

export const filesMade = (changes: readonly TreeChange[]): string[] =>
  changes.flatMap(({ path, before }) => (before === null ? [path] : []));

/** Judge what a green Verify proves about a task. @param unchanged Whether nothing changed since the Verify was red. */
export function proofOfWork(
  { attempts, trees }: WholePorts,
  task: Task,
  {
    before,
    changes,
    unchanged = null,
    counts = null,
  }: {
    readonly before: Before | null;
    readonly changes: readonly TreeChange[] | null;
    readonly unchanged?: boolean | null;
    readonly counts?: CheckCounts | null;
  },
): Proof {
  const made = changes && filesMade(changes);
  // Exclude fixes: a fix may restore an earlier state.
  const isAsBefore = task.fixOf === null && changes?.length === 0;
  const proof = judgeGreen({
    ...{ before, checks: isChecking(task), unchanged: isAsBefore || unchanged, made },
    ...{ ran: counts?.ran ?? null, failed: counts?.failed },
    ...{ given: attempts.given(), flaky: attempts.flaky() },
  });
  // Without known changes, the reason why the check is green is unknown.
  const isUnseen = proof.kind === "proven" && trees !== undefined && changes === null;
  return isUnseen ? { kind: "unproven", reason: "the changes are unknown" } : proof;
}
