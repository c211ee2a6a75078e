import { findPrPhase } from "../../markdown/find-pr-phase.ts";
import type { Answer, EffectName } from "../../model/effect.ts";
import { InputError } from "../../model/errors.ts";
import type { Question } from "../../model/person-event.ts";
import { type Milestone, milestoneIn } from "../../model/pull-request.ts";
import type { TaskId } from "../../model/task.ts";
import type { Branch } from "../../ports/branch.ts";
import type { Forge, Hindered, Refused } from "../../ports/forge.ts";
import { shippingLine } from "../../wording/render-pull-request.ts";
import type { WholePorts } from "../with-memory.ts";

export type ShippingPorts = WholePorts & { readonly forge: Forge; readonly branch: Branch };

/**
 * Require the ports of a pull request.
 *
 * @throws {InputError} `port-missing`
 */
export function shipping(ports: WholePorts): ShippingPorts {
  const { forge, branch } = ports;
  if (forge !== undefined && branch !== undefined) return { ...ports, forge, branch };
  throw new InputError("Cannot make a pull request without the ports forge and branch, expected both", {
    code: "port-missing",
    hint: "docs/pull-requests.md describes both",
  });
}

/** Turn a failure of an outside service into the answer for the chart. A refusal becomes a question to a person. */
export const asAnswer = (other: Hindered | Refused): Hindered | Question =>
  other.kind === "hindered" ? other : ask(other.reason, other.hint);

export const ask = (reason: string, hint: string): Question => ({ kind: "gate", reason, hint });

/**
 * Write the line for an answer about the pull request to the progress log, unless the log already has the line, or the
 * answer has no line.
 */
export async function renderShipping(
  { documents, attempts, plan }: WholePorts,
  { head }: { readonly head?: string | null },
  answer: Answer<EffectName>,
): Promise<void> {
  const text = shippingLine(answer, head ?? null);
  if (text === null) return;
  const number = answer.kind === "opened" ? answer.number : attempts.pullRequest().number;
  await plan.exclusively(() => documents.append({ kind: "pull-request", number, text }));
}

/** Open tasks that are about the pull request itself, each with the event that completes it. */
export async function openMilestones({ plan, attempts }: WholePorts): Promise<Map<TaskId, Milestone>> {
  const known = await plan.known();
  const open = new Set(findPrPhase(known.text, known.plan)?.phase.open ?? []);
  const added = attempts.pullRequest().tasks;
  const found = known.plan.tasks.flatMap(({ id, title, fixOf }) => {
    const milestone = open.has(id) && fixOf === null && !Object.hasOwn(added, id) ? milestoneIn(title) : null;
    return milestone === null ? [] : [[id, milestone] as const];
  });
  return new Map(found);
}

/**
 * Tick reached milestones. The milestones are recorded first, so that a start after a kill does not mistake these ticks
 * for ticks by a person.
 */
export async function tickMilestones(ports: WholePorts, ...reached: readonly Milestone[]): Promise<void> {
  const due = [...(await openMilestones(ports))].flatMap(([id, milestone]) =>
    reached.includes(milestone) ? [id] : [],
  );
  if (due.length === 0) return;
  ports.attempts.record([{ type: "reached", tasks: due }]);
  for (const id of due) await ports.plan.exclusively(() => ports.plan.tick(id, true));
}
