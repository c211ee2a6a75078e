import type { PlanDocument } from "../markdown/document/plan-document.ts";
import { applyChange, readProposedTask } from "../markdown/insert-tasks.ts";
import { readVerify } from "../markdown/tasks/read-verify.ts";
import { whyNoProgram } from "../model/doubtful-command.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import { InputError } from "../model/errors.ts";
import type { NewTask, PlanChange } from "../model/plan-change.ts";
import { attemptOf, type ModificationRequest } from "../model/reply.ts";
import type { PlannedChange } from "../model/turn.ts";
import { claimOf } from "../parse/claim.ts";
import type { ParsedRequest } from "../parse/parse-modification-request.ts";
import type { Outcome } from "../ports/attempt-record.ts";
import type { Shell } from "../ports/shell.ts";
import { checkChange, planChangeOf } from "../recover/check-plan-change.ts";
import { renderItems } from "../wording/render-items.ts";
import { findTask } from "./find-task.ts";
import { mayRun } from "./run-check.ts";
import { settleEdits } from "./unauthorized-edits.ts";
import type { WholePorts } from "./with-memory.ts";

type Changed = Answer<"changePlan">;

/**
 * Write the tasks that an executor requests into the plan, if the limits allow it and the owner agrees to their Verify
 * commands. The change is recorded first, so that a retry after a crash finishes the same change.
 */
export async function changePlan(ports: WholePorts, input: EffectInput<"changePlan">): Promise<Changed> {
  const { plan, attempts } = ports;
  const key = attemptOf(input.key);
  const recorded = attempts.planned(key);
  if (recorded !== null) await plan.exclusively(() => plan.change(recorded.change));
  const granted = recorded ?? (await grant(ports, input));
  if ("kind" in granted) return granted;
  const { type, change } = granted;
  const added = change.tasks.map(({ id }) => id);
  if (type === "ADD_FOLLOWUP") return { kind: "extended", change: type, added };
  return { kind: "replanned", change: type, added };
}

/** Record and make the requested change, or return a refusal or a question. */
async function grant(ports: WholePorts, input: EffectInput<"changePlan">): Promise<PlannedChange | Changed> {
  const { plan, attempts } = ports;
  const key = attemptOf(input.key);
  const { signal, request } = claimOf((await attempts.recall(key)).reply, "executor");
  const refuse = (reason: string): Changed => ({ kind: "refused", reason });
  const proposal = await readProposal(request, ports.shell);
  if ("reason" in proposal) return refuse(proposal.reason);
  const claimed = signal === "complete";
  const first = await fitChange(ports, input, proposal, claimed);
  if (typeof first === "string") return refuse(first);
  const consent = await mayRun(ports, { purpose: "verify", commands: proposal.commands });
  if (!consent.given) return askFor(input.task, proposal, consent.hint);
  return plan.exclusively(async () => {
    // Settle the executor's edits here. A request to do other tasks first makes no claim, so no verdict settles the
    // edits.
    const replans = proposal.request.type !== "ADD_FOLLOWUP";
    const question = replans ? await settleEdits(ports, await findTask(ports, input.task)) : null;
    if (question !== null) return question;
    // Plan the change again: the plan may have changed while the owner was asked.
    const planned = await fitChange(ports, input, proposal, claimed);
    if (typeof planned === "string") return refuse(planned);
    await attempts.plan(key, planned);
    await plan.change(planned.change);
    return planned;
  });
}

async function fitChange(
  { plan, attempts }: WholePorts,
  { task: id, root }: EffectInput<"changePlan">,
  { request, tasks: proposed, commands }: Proposal,
  claimed: boolean,
): Promise<PlannedChange | string> {
  const known = await plan.known();
  const task = await findTask({ plan, attempts }, id);
  const { count: changes, depth } = attempts.changesOf(id);
  const reason = checkChange({ request, task, root, plan: known.plan, proposed, changes, depth, claimed });
  if (reason !== null) return reason;
  const spent = proposed.find((each) => Object.keys(attempts.spent(each.id)).length > 0);
  if (spent !== undefined) return `the id ${spent.id} belonged to an earlier task of the plan`;
  const own = readVerify(task.fields.verify);
  if (request.type === "SPLIT_TASK" && own.kind === "command" && !commands.includes(own.command)) {
    return "one part of a split must keep the Verify of its task";
  }
  const change = planChangeOf(request.type, { task: id, root, tasks: proposed });
  return whyUnfit(known, change) ?? { type: request.type, change };
}

const askFor = (task: string, { commands }: Proposal, hint: string): Changed => ({
  kind: "gate",
  reason: `Task ${task} requests tasks with Verify commands that no one has approved:\n${renderItems(commands)}`,
  hint: `Read them; ${hint}`,
});

function whyUnfit(known: PlanDocument, change: PlanChange): string | null {
  try {
    applyChange(known, change);
    return null;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

interface Proposal {
  readonly request: ModificationRequest;
  readonly tasks: readonly NewTask[];
  readonly commands: readonly string[];
}

/**
 * Parse the tasks of a request, or return the reason to refuse it. Every task must be complete, and its Verify must be
 * able to run.
 */
async function readProposal(
  parsed: ParsedRequest,
  shell: Pick<Shell, "exists">,
): Promise<Proposal | { readonly reason: string }> {
  if (parsed.kind === "none") return { reason: "the message contains no request" };
  if (parsed.kind === "malformed") return { reason: parsed.reason };
  const tasks: NewTask[] = [];
  const commands: string[] = [];
  for (const markdown of parsed.request.proposedTasks) {
    const task = readProposedTask(markdown);
    if ("problem" in task) return { reason: task.problem };
    const verify = readVerify(task.fields.verify);
    if (verify.kind === "unrunnable")
      return { reason: `the Verify of task ${task.id} cannot be run: ${verify.reason}` };
    if (verify.word !== null && !(await shell.exists(verify.word))) {
      const { why } = whyNoProgram(verify.command, verify.word);
      return { reason: `the Verify of task ${task.id} cannot be run: ${why}` };
    }
    tasks.push(task);
    commands.push(verify.command);
  }
  return { request: parsed.request, tasks, commands };
}

/**
 * Combine the claims of a decomposed task's parts into one attempt on the whole task. The state before the first part
 * is the state before this attempt. If all parts were skipped, nothing is claimed.
 */
export async function gatherParts(
  ports: WholePorts,
  { task, parts, leftOut, trustExecutor }: EffectInput<"gatherParts">,
): Promise<Outcome<"gatherParts">> {
  const { attempts } = ports;
  const made = await Promise.all(parts.map((part) => attempts.recall(part)));
  const [first] = made;
  const { headBefore = null, mark = null, fileState = null } = first ?? {};
  const { fields } = await findTask(ports, task);
  const isChecked = !trustExecutor && readVerify(fields.verify).kind === "command";
  // If a part is skipped, only a Verify can show that the whole is done.
  const claims = leftOut === 0 || isChecked ? made : [];
  const text = claims.map(({ reply }) => reply.text).join("\n\n");
  const tree = made.at(-1)?.left;
  return { answer: { kind: "gathered" }, facts: { reply: { reply: { text }, headBefore, mark, fileState, tree } } };
}
