import { blockOf } from "../markdown/document/find-task.ts";
import { laterCheck } from "../markdown/tasks/read-verify.ts";
import { commandLine } from "../model/command-line.ts";
import type { EffectInput } from "../model/effect.ts";
import { partsOf, type SpentByTask } from "../model/ledger.ts";
import { type AttemptKey, attemptKey, attemptOf, type Reply } from "../model/reply.ts";
import { partNumber, plannedTask, roleOf, type Task, wholeOf } from "../model/task.ts";
import { clamp } from "../model/text.ts";
import { claimOf } from "../parse/claim.ts";
import type { DelegationParts, Instructions, SetAside, TaskPart, ToldCollision } from "../ports/delegation-parts.ts";
import { maxProgress } from "../prompt/render-prompt.ts";
import { contextOf } from "./context-of.ts";
import { addressIn, progressFileOf, specName } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Restore the files to their state before the first attempt at a task. Files that someone else changed since the last
 * attempt stay. Snapshots keep the changes of attempts, so an interrupted restore can be repeated.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export async function startFresh(ports: WholePorts, task: Task, signal: AbortSignal): Promise<void> {
  const { attempts, trees, onProgress } = ports;
  const [base, last] = [attempts.foundFirst(task.id), attempts.leftIn(task.id)];
  // Do nothing without Git, which distinguishes work from build output and installed files.
  if (trees?.keeps !== true || base === null || last === null || base === last.content) return;
  const now = await trees.now(signal);
  if (now === null || now === base) return;
  const [changes, others] = await Promise.all([trees.changes(now, base), trees.changes(last.content, now)]);
  if (changes === null || others === null) return;
  // `others` may include files that an interrupted restore has restored already; those files need no change.
  const isOthers = new Set(others.map(({ path }) => path));
  const paths = changes.map(({ path }) => path).filter((path) => !isOthers.has(path));
  const left = paths.length === 0 ? [] : ((await trees.restore(now, base, paths))?.left ?? []);
  for (const { path, why } of left) {
    onProgress?.({ type: "notice", message: `Not restored for task ${task.id}: ${clamp(path, 200)}, ${why}` });
  }
}

async function leftBefore(ports: WholePorts, { id }: Task, key: AttemptKey): Promise<SetAside | null> {
  const { attempts, trees } = ports;
  const [base, last, found] = [attempts.foundFirst(id), attempts.leftIn(id), attempts.found(key)];
  if (trees?.keeps !== true || base === null || last === null || found === null || base === found) return null;
  const files = ((await trees.changes(base, found)) ?? []).map(({ path }) => path);
  return files.length === 0 ? null : { command: commandLine(addressIn(ports), "diff", { task: last.key }), files };
}

/**
 * List the files that were restored before this attempt, with a command that shows the removed changes; null if this
 * attempt continues from the files of the last attempt. A repeated call gives the same answer.
 */
async function setAside(ports: WholePorts, { id }: Task, key: AttemptKey): Promise<SetAside | null> {
  const { attempts, trees } = ports;
  const [base, last, found] = [attempts.foundFirst(id), attempts.leftIn(id), attempts.found(key)];
  if (trees?.keeps !== true || base === null || last === null || found === null) return null;
  const [changed, kept] = await Promise.all([trees.changes(last.content, found), trees.changes(base, found)]);
  const isKept = new Set(kept?.map(({ path }) => path));
  const files = (changed ?? []).map(({ path }) => path).filter((path) => !isKept.has(path));
  return files.length === 0 ? null : { command: commandLine(addressIn(ports), "diff", { task: last.key }), files };
}

export function promptFor(
  ports: WholePorts,
  input: EffectInput<"delegate">,
  task: Task,
): (instructions: Instructions) => Promise<DelegationParts> {
  const { documents, plan, attempts, spec = "" } = ports;
  const { requireExecutorTick, climb, escalation, escalates, adjustment, guidance } = input;
  const key = attemptOf(input.key);
  const folder = ports.apart?.copy ?? spec;
  return async (instructions) => ({
    instructions,
    role: roleOf(task),
    task,
    block: blockOf(await plan.known(), plannedTask(task.id)),
    part: partOf(attempts.spent(input.root), task),
    checkedLater: laterCheck(task, ports.check),
    spec: { name: specName(spec), folder },
    context: await contextOf(documents, await plan.known(), task.id),
    progress: await documents.progress(null, maxProgress + 1),
    progressFile: input.grouped ? progressFileOf(folder, input.root) : null,
    earlier: await attempts.earlier(key),
    collision: collisionOf(ports, input),
    setAside: input.fresh === true ? await setAside(ports, task, key) : null,
    left: input.fresh === true ? null : await leftBefore(ports, task, key),
    requireExecutorTick,
    permissions: input.permissions,
    committed: input.committed,
    original: plannedTask(task.id) === input.root ? null : blockOf(await plan.known(), input.root),
    maxEvidence: input.maxEvidence,
    tooLong: input.tooLong ?? 0,
    ...{ climb, escalation, escalates, adjustment, guidance },
  });
}

/**
 * Choose the next step for a reply: `replied` leads to the verdict, `requested` first changes the plan. Parts never
 * change the plan, since they are not in it.
 */
export function answerTo(task: Task, reply: Reply): "requested" | "replied" {
  return wholeOf(task.id) === null && claimOf(reply, roleOf(task)).request.kind !== "none" ? "requested" : "replied";
}

/** Hash of the files after an attempt; null or undefined if the files have no snapshot. */
export const treeLeft = async ({ trees }: WholePorts, signal: AbortSignal): Promise<string | null | undefined> =>
  trees?.keeps === true ? trees.now(signal) : undefined;

/** The reason why an accepted task is done again, with the command that shows the accepted work. */
function collisionOf(ports: WholePorts, { task, root, attempt }: EffectInput<"delegate">): ToldCollision | null {
  const collision = task === root ? ports.attempts.collision(root) : null;
  const last = attemptKey(root, attempt - 1);
  return collision && { ...collision, command: commandLine(addressIn(ports), "diff", { task: last }) };
}

function partOf(spent: SpentByTask, { id, title }: Task): TaskPart | null {
  const of = wholeOf(id);
  return of === null ? null : { of, number: partNumber(id), count: partsOf(spent, of).length, title };
}
