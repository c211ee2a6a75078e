import { isCheckedLater } from "../markdown/tasks/read-verify.ts";
import type { Repair } from "../model/directive.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import { firstLevel } from "../model/escalation.ts";
import type { FixTask } from "../model/failure.ts";
import { attemptOf } from "../model/reply.ts";
import type { LevelRung } from "../model/rung.ts";
import { type Task, type TaskId, wholeOf } from "../model/task.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import { closeFixes } from "./close-fixes.ts";
import { commitSpec, commitWork } from "./commit-work.ts";
import { findTask } from "./find-task.ts";
import { takeOver } from "./merge-work.ts";
import { repairKnown } from "./repair-late.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Tick an accepted task and log it in the progress log. Idempotent.
 *
 * @param flushesLater Whether the host flushes the documents later, and restores writes lost in a power cut when it
 * resumes.
 */
export async function recordPass(
  ports: WholePorts,
  input: EffectInput<"recordPass">,
  { flushesLater }: { readonly flushesLater: boolean },
  signal: AbortSignal,
): Promise<Answer<"recordPass">> {
  const { documents, attempts, plan, git } = ports;
  const { fixes, grouped, keepOpen, repair, leftOut, proof } = input;
  if (repair === null) await summarizeClimb(ports, input.task);
  else await summarizeRepair(ports, repair, leftOut);
  if (wholeOf(input.task) !== null) {
    return { kind: "recorded" };
  }
  const task = await findTask(ports, input.task);
  const { id } = task;
  if (keepOpen) {
    await plan.exclusively(() => plan.tick(id, false));
    return { kind: "recorded", open: true };
  }
  const key = attemptOf(input.key);
  // No attempt was made in this turn if Verify showed before the delegation that the task is done.
  const isAttempted = attempts.knows(key);
  const { headBefore, judgement, verify } = isAttempted
    ? await attempts.recall(key)
    : { headBefore: null, judgement: null, verify: null };
  // Commits wait until the batch ends. If a person accepted the task after the batch, its worktree is merged here.
  if (!grouped && attempts.apart(id) !== null) await takeOver(ports, id, false, signal);
  const own = input.commit === "all" && !grouped ? await commitWork(ports, [task], key) : null;
  const head = (await git?.head()) ?? null;
  const made = judgement?.evidence.git?.commits ?? [];
  // For a pull request, the commits of all attempts since the task was added are included.
  const since = attempts.pullRequest().tasks[id]?.cause.head ?? headBefore;
  const isNew = head !== null && since?.startsWith(head) !== true && (isAttempted || own !== null || since !== null);
  const commit = grouped ? commitOf(task, made) : isNew ? head : null;
  const pending = flushesLater && documents.flush !== undefined;
  const fix = judgement?.kind === "accepted" ? await fixForKnown(ports, input, task, verify) : null;
  await plan.exclusively(async () => {
    await closeFixes(ports, id);
    await plan.tick(id, true, { durable: !pending });
    if (fix !== null) await plan.insert(fix);
    if (grouped) return;
    await logPass(ports, { task, commit, fixes, durable: !pending });
    // Also merge the task's notes from a batch in which the task did not pass.
    await documents.merge([id]);
  });
  if (input.commit !== false && !grouped) await commitSpec(ports, [id]);
  if (grouped && attempts.rootOf(id) === id) ports.worktrees?.close(id);
  return {
    ...{ kind: "recorded", commit },
    ...(grouped && { grouped }),
    proof,
    ...(proof.kind === "unverified" && laterIn(ports, task)),
    ...(pending && { pending }),
    ...(fix !== null && { fix: fix.id }),
  };
}

function laterIn({ check }: Pick<WholePorts, "check">, task: Task): Pick<Answer<"recordPass">, "later"> {
  return check == null || check.every === "task" || !isCheckedLater(task, check) ? {} : { later: check.every };
}

/** The fix task for checks that were red before the run, recorded before it is written; null if no fix task is due. */
async function fixForKnown(
  ports: WholePorts,
  { key, repairKnown: limits }: EffectInput<"recordPass">,
  task: Task,
  run: VerifyRun | null,
): Promise<FixTask | null> {
  if (limits === undefined) return null;
  const attempt = attemptOf(key);
  const made = ports.attempts.madeFor(attempt);
  if (made !== null) return made.late === true ? made : null;
  const fix = await repairKnown(ports, limits, task, run);
  return fix && ports.attempts.intend(attempt, fix);
}

async function summarizeRepair(
  { documents, plan }: WholePorts,
  { task, directive }: Repair,
  leftOut: number,
): Promise<void> {
  if (directive.strategy === "retry") {
    await plan.exclusively(() => documents.summarize({ kind: "retried", task, adjustment: directive.adjustment }));
  }
  if (directive.strategy === "decompose") {
    const parts = directive.parts.length;
    await plan.exclusively(() => documents.summarize({ kind: "decomposed", task, parts, leftOut }));
  }
}

async function summarizeClimb(ports: WholePorts, task: TaskId): Promise<void> {
  const level = firstLevel(ports.attempts.escalation(task));
  if (level === null) return;
  await summarizeRetries(ports, { repairs: ports.attempts.repairs(task), tasks: [task], level });
}

/** Find the commit of a task among the commits of batch members, by its commit message. */
function commitOf({ fields }: Task, commits: readonly { readonly hash: string; readonly subject: string }[]) {
  const message = fields.commit?.replaceAll("`", "").trim();
  return commits.find(({ subject }) => subject === message)?.hash ?? null;
}

interface Pass {
  readonly task: Pick<Task, "id" | "title">;
  readonly commit: string | null;
  readonly fixes: readonly TaskId[];
  readonly durable?: boolean;
}

export async function logPass(
  { documents, attempts }: Pick<WholePorts, "documents" | "attempts">,
  { task, commit, fixes, durable = true }: Pass,
): Promise<void> {
  await documents.append({ kind: "completed", task: task.id, title: task.title, commit }, { durable });
  const superseded = [...attempts.superseded().keys()];
  await documents.append({ kind: "fixes", task: task.id, fixes, superseded, final: "PASS" }, { durable });
}

/** Summarize, for each task, the retries that a repair operator chose in vain. @param level The next stuck level. */
export async function summarizeRetries(
  { documents, plan }: WholePorts,
  {
    repairs,
    tasks,
    level,
  }: {
    readonly repairs: readonly Repair[];
    readonly tasks: readonly TaskId[];
    readonly level: LevelRung | null;
  },
): Promise<void> {
  const retried = repairs
    .filter(({ task, directive }) => directive.strategy === "retry" && tasks.includes(task))
    .map(({ task }) => task);
  for (const task of new Set(retried)) {
    const attempts = retried.filter((other) => other === task).length;
    await plan.exclusively(() => documents.summarize({ kind: "exhausted", task, attempts, level }));
  }
}
