import type { EffectInput } from "../model/effect.ts";
import type { CompletionEvidence } from "../model/evidence.ts";
import { type BoxChange, withBoxes } from "../model/plan-parts.ts";
import { attemptOf } from "../model/reply.ts";
import { roleOf, type Task } from "../model/task.ts";
import { claimOf } from "../parse/claim.ts";
import type { AttemptRecord } from "../ports/attempt-record.ts";
import { besides, type Inspection } from "./unauthorized-edits.ts";
import type { WholePorts } from "./with-memory.ts";

/** What is known of an attempt but for the plan, before any command is run for it. */
interface Gathered extends Omit<CompletionEvidence, "before" | "after" | "restored"> {
  /** What executors had changed of the plan that is taken back already; null when nothing. */
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

/** What an attempt claims, and what is known of it. @param given What it has come to, where that is not recorded yet. */
export async function gatherEvidence(
  { attempts, git, branch }: WholePorts,
  { key, requireExecutorTick, requireCommit, ships, rejections, rules }: EffectInput<"verify">,
  task: Task,
  given?: Pick<AttemptRecord, "reply" | "mark" | "boxes">,
): Promise<Gathered> {
  const { reply, mark, boxes } = given ?? (await attempts.recall(attemptOf(key)));
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
    git: mark === null ? null : ((await git?.since(mark)) ?? null),
    requireCommit,
    ...(ships !== undefined && branch !== undefined && { unshipped: await unshipped() }),
    verify: null,
    reality: null,
    review: null,
    madeFor: attempts.intended(task.id)?.madeFor ?? null,
    ...(rejections !== undefined && { rejections }),
    ...(rules !== undefined && { rules }),
  };

  async function unshipped(): Promise<NonNullable<CompletionEvidence["unshipped"]>> {
    const local = await (branch as NonNullable<typeof branch>).local();
    const cause = attempts.pullRequest().tasks[task.id]?.cause;
    // What an attempt before this one has committed counts as well.
    const stands = local.dirty.length === 0 && cause !== undefined && local.head === cause.head;
    // An answer is enough for a reviewer.
    const nothing = stands && cause.kind !== "thread";
    return { dirty: ships === "all" ? [] : local.dirty.slice(0, mostNamed), nothing };
  }
}

/** Paths that are named. */
const mostNamed = 8;
