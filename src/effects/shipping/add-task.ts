import { findPrPhase } from "../../markdown/find-pr-phase.ts";
import { readVerify } from "../../markdown/tasks/read-verify.ts";
import type { Answer, EffectInput } from "../../model/effect.ts";
import type { NewTask } from "../../model/new-task.ts";
import type { Check, Look } from "../../model/pull-request.ts";
import { type Cause, isSameCause } from "../../model/pull-request-book.ts";
import { counted } from "../../recover/judge-pull-request.ts";
import { freeId, placeFor } from "../../recover/place-task.ts";
import { taskForCheck, taskForConflict, taskForThread } from "../../recover/pull-request-task.ts";
import { pathsIn } from "../../recover/read-check-failure.ts";
import type { WholePorts } from "../with-memory.ts";
import { asAnswer, ask, type ShippingPorts, shipping } from "./outside.ts";
import { isSame, readRedCheck } from "./read-red-check.ts";

type Added = Answer<"addPullRequestTask">;
type Input = EffectInput<"addPullRequestTask">;

/** A task as it is to stand in the plan, without its id. */
interface Draft {
  readonly make: (id: string) => NewTask;
  /** Checks that it is for. */
  readonly checks: readonly string[];
}

/**
 * Write a task for a red check, a review thread or a conflict into the plan. It is recorded first, so that a repetition
 * after a crash finishes that very insertion.
 */
export async function addPullRequestTask(whole: WholePorts, input: Input, signal: AbortSignal): Promise<Added> {
  const ports = shipping(whole);
  const { attempts, plan } = ports;
  const recorded = attempts.addition(input.key);
  if (recorded !== null) {
    await plan.exclusively(() => plan.change(recorded.change));
    return inserted(recorded.change.tasks[0] as NewTask, recorded.checks);
  }
  const before = Object.entries(input.book.tasks).find(([, task]) => isSameCause(input.cause, task));
  const here = (await plan.known()).plan.tasks;
  if (before !== undefined && here.some(({ id }) => id === before[0])) {
    return ask(
      `Task ${before[0]} was made for this and is not done`,
      `Do task ${before[0]}, or see to it by hand, then run again`,
    );
  }
  const draft = await draftFor(ports, input, signal);
  if ("kind" in draft) return draft;
  return plan.exclusively(async () => {
    const known = await plan.known();
    const inside = findPrPhase(known.text, known.plan)?.inside ?? [];
    const place = placeFor(known.plan.tasks, inside);
    if (place === null)
      return ask("The plan has no task that one could be written beside", "Write a task into it, then run again");
    const task = draft.make(before?.[0] ?? freeId(known.plan.tasks, place));
    const change = { task: place, place: "behind", tasks: [task] } as const;
    const { key, cause } = input;
    attempts.record([{ type: "addition", key, cause, checks: [...draft.checks], plan: change }]);
    await plan.change(change);
    return inserted(task, draft.checks);
  });
}

const inserted = ({ id, title }: NewTask, checks: readonly string[]): Added => ({
  kind: "inserted",
  task: id,
  title,
  checks: [...checks],
});

async function draftFor(ports: ShippingPorts, input: Input, signal: AbortSignal): Promise<Draft | Added> {
  const { cause, policy, number } = input;
  if (cause.kind === "conflict") {
    return { make: (id) => taskForConflict(id, cause.base, policy.remote), checks: [] };
  }
  const seen = await ports.forge.look(number, signal);
  if (seen.kind !== "look") return asAnswer(seen);
  const { look } = seen;
  if (cause.kind === "check") return draftForCheck(ports, { input, cause, look }, signal);
  const thread = look.threads.find(({ id }) => id === cause.thread);
  const comment = [...(thread?.comments ?? []), ...look.reviews].find(({ id }) => id === cause.comment);
  if (comment === undefined) return { kind: "changed" };
  return { make: (id) => taskForThread(id, comment, thread?.path ?? null), checks: [] };
}

async function draftForCheck(
  { forge, branch, plan }: ShippingPorts,
  {
    input,
    cause,
    look,
  }: { readonly input: Input; readonly cause: Extract<Cause, { kind: "check" }>; readonly look: Look },
  signal: AbortSignal,
): Promise<Draft | Added> {
  const { policy, finalVerify } = input;
  const red = counted(look.checks, policy).filter(({ state }) => state === "failed" || state === "blocked");
  const check = red.find(({ id }) => id === cause.check);
  if (check === undefined || look.checksOf !== cause.head) return { kind: "changed" };
  const failure = await readRedCheck(forge, check, signal);
  if (failure.kind !== "read") return failure;
  const ahead = await branch.ahead({ remote: policy.remote, base: look.base }, signal);
  if (ahead.kind !== "ahead") return asAnswer(ahead);
  if (check.state === "blocked" && !ahead.paths.some((path) => path.startsWith(".github/"))) {
    return ask(
      `The check \`${check.id}\` did not begin`,
      `See what it waits for${check.url === null ? "" : ` (${check.url})`}, then run again`,
    );
  }
  if (!policy.fixBase) {
    const base = await forge.lookAtBase(look.base, signal);
    if (base.kind !== "base") return asAnswer(base);
    const same = base.look.checks.find(({ id, state }) => id === check.id && state === "failed");
    if (same !== undefined && isSame(failure, await readRedCheck(forge, same, signal))) {
      return ask(
        `The check \`${check.id}\` fails on \`${look.base}\` as well: ${failure.error}`,
        `Fix \`${look.base}\` first, or have it fixed here: run again with --fix-base`,
      );
    }
  }
  const alike = await alikeTo(red.filter((other) => other !== check).slice(0, mostRead));
  const verify = finalVerify !== null && (await isInPlan(finalVerify)) ? finalVerify : null;
  const files = pathsIn(failure.output, ahead.paths);
  const make = (id: string): NewTask =>
    taskForCheck(id, { check: check.id, others: alike, error: failure.error, files, verify });
  return { make, checks: [check.id, ...alike] };

  /** Checks that fail with the same error are seen to together. */
  async function alikeTo(others: readonly Check[]): Promise<string[]> {
    const same: string[] = [];
    for (const other of others) {
      if (failure.kind === "read" && isSame(failure, await readRedCheck(forge, other, signal))) same.push(other.id);
    }
    return same;
  }

  /** A command that the owner has agreed to for the plan. */
  async function isInPlan(command: string): Promise<boolean> {
    const { tasks } = (await plan.known()).plan;
    return tasks.some(({ fields }) => {
      const read = readVerify(fields.verify);
      return read.kind === "command" && read.command === command;
    });
  }
}

/** Other red checks whose logs are read. */
const mostRead = 10;
