import type { EffectInput } from "../model/effect.ts";
import type { CompletionEvidence } from "../model/evidence.ts";
import { isOfSpec } from "../model/file-names.ts";
import type { GitEvidence, GitMark } from "../model/git-evidence.ts";
import { type BoxChange, withBoxes } from "../model/plan-parts.ts";
import { attemptOf } from "../model/reply.ts";
import { roleOf, type Task } from "../model/task.ts";
import { claimOf } from "../parse/claim.ts";
import type { AttemptRecord } from "../ports/attempt-record.ts";
import { besides, type Inspection } from "./unauthorized-edits.ts";
import type { WholePorts } from "./with-memory.ts";

interface Gathered extends Omit<CompletionEvidence, "before" | "after" | "restored"> {
  /** Plan changes that executors made and the run has already reverted; null if there are none. */
  readonly boxes: BoxChange | null;
}

export const claimIn = (
  { boxes, ...evidence }: Gathered,
  { known, found, restored }: Inspection,
): CompletionEvidence => ({
  ...evidence,
  restored,
  before: known.plan,
  after: boxes === null ? found.plan : withBoxes(found.plan, boxes),
});

/** Gather the claim and facts of an attempt. @param given The outcome, if not recorded yet. */
export async function gatherEvidence(
  { attempts, git, trees, branch, workspace = "", spec = "" }: WholePorts,
  { key, requireExecutorTick, requireCommit, ships, rejections, rules }: EffectInput<"verify">,
  task: Task,
  given?: Pick<AttemptRecord, "reply" | "mark" | "boxes" | "found" | "left">,
): Promise<Gathered> {
  const { reply, mark, boxes, found: before, left } = given ?? (await attempts.recall(attemptOf(key)));
  const { signal, question, contradiction } = claimOf(reply, roleOf(task));
  return {
    task,
    reply,
    signal,
    blocker: question,
    contradiction,
    boxes,
    requireExecutorTick,
    beside: besides(attempts, task),
    git: mark === null ? null : await since(mark),
    requireCommit,
    ...(ships !== undefined && branch !== undefined && { unshipped: await unshipped() }),
    verify: null,
    reality: null,
    review: null,
    madeFor: attempts.intended(task.id)?.madeFor ?? null,
    ...(rejections !== undefined && { rejections }),
    ...(rules !== undefined && { rules }),
  };

  /**
   * Changes since a mark, without the spec's own files, which are judged separately. Recorded contents decide which
   * files changed; without them, git counts a file that was written again with the same text.
   */
  async function since(mark: GitMark): Promise<GitEvidence | null> {
    const found = (await git?.since(mark)) ?? null;
    if (found === null) return null;
    const own = before === null || left === null ? null : await trees?.changes(before, left);
    const changed = own?.map(({ path }) => path) ?? found.changed;
    return { ...found, changed: changed.filter((path) => !isOfSpec(path, { workspace, spec })) };
  }

  async function unshipped(): Promise<NonNullable<CompletionEvidence["unshipped"]>> {
    const local = await (branch as NonNullable<typeof branch>).local();
    const cause = attempts.pullRequest().tasks[task.id]?.cause;
    // Compare with the head when the task was added, so that a commit of an earlier attempt counts.
    const stands = local.dirty.length === 0 && cause !== undefined && local.head === cause.head;
    // For a review thread, a reply is enough.
    const nothing = stands && cause.kind !== "thread";
    return { dirty: ships === "all" ? [] : local.dirty.slice(0, mostNamed), nothing };
  }
}

const mostNamed = 8;
