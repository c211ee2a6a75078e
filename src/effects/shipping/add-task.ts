import { findPrPhase } from "../../markdown/find-pr-phase.ts";
import { readVerify } from "../../markdown/tasks/read-verify.ts";
import type { Answer, EffectInput } from "../../model/effect.ts";
import type { NewTask } from "../../model/plan-change.ts";
import { type Cause, type Check, type Comment, isSameCause, type Look, tasksFor } from "../../model/pull-request.ts";
import { counted } from "../../recover/judge-pull-request.ts";
import { isHeard } from "../../recover/open-threads.ts";
import { freeId, placeFor, taskForCheck, taskForConflict, taskForThread } from "../../recover/pull-request-tasks.ts";
import { pathsIn, renderTried } from "../../recover/red-check.ts";
import type { WholePorts } from "../with-memory.ts";
import { writersIn } from "./look-and-judge.ts";
import { isWithin, readRedCheck, renderRedCheck } from "./red-check.ts";
import { asAnswer, ask, type ShippingPorts, shipping } from "./shipping-ports.ts";

type Added = Answer<"addPullRequestTask">;
type Input = EffectInput<"addPullRequestTask">;

interface Draft {
  readonly make: (id: string) => NewTask;
  readonly checks: readonly string[];
}

/**
 * Write a task for a red check, a review thread or a conflict into the plan. The task is recorded first, so that a
 * retry after a crash finishes the same insertion.
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
      `Task ${before[0]} was added for the same cause and is not done`,
      `Do task ${before[0]}, or solve it by hand, then run again`,
    );
  }
  const draft = await draftFor(ports, input, signal);
  if ("kind" in draft) return draft;
  return plan.exclusively(async () => {
    const known = await plan.known();
    const inside = findPrPhase(known.text, known.plan)?.inside ?? [];
    const place = placeFor(known.plan.tasks, inside);
    if (place === null)
      return ask("The plan has no task after which to add a new one", "Write a task into the plan, then run again");
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
  const writers = await writersIn(ports.forge, look, signal);
  if ("kind" in writers) return asAnswer(writers);
  const isOurs = ({ author }: Comment): boolean => author !== null && author === look.viewer;
  const isTold = isHeard(look, writers, policy.trustedReviewers);
  const earlier = thread?.comments.slice(0, Math.max(0, thread.comments.indexOf(comment as Comment))) ?? [];
  // Never put text by strangers into a task.
  const before = earlier.filter((each) => isOurs(each) || isTold(each));
  const { path = null, line = null } = thread ?? {};
  return { make: (id) => taskForThread(id, { comment, before, path, line }), checks: [] };
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
  const reds = counted(look.checks, policy).filter(({ state }) => state === "failed" || state === "blocked");
  const check = reds.find(({ id }) => id === cause.check);
  if (check === undefined || look.checksOf !== cause.head) return { kind: "changed" };
  const failure = await readRedCheck(forge, check, signal);
  if (failure.kind !== "read") return failure;
  const ahead = await branch.ahead({ remote: policy.remote, base: look.base }, signal);
  if (ahead.kind !== "ahead") return asAnswer(ahead);
  if (check.state === "blocked" && !ahead.paths.some((path) => path.startsWith(".github/"))) {
    return ask(
      `The check \`${check.id}\` did not start`,
      `Find out what the check waits for${check.url === null ? "" : ` (${check.url})`}, then run again`,
    );
  }
  if (!policy.fixBase) {
    const base = await forge.lookAtBase(look.base, signal);
    if (base.kind !== "base") return asAnswer(base);
    const same = base.look.checks.find(({ id, state }) => id === check.id && state === "failed");
    if (same !== undefined && isWithin(failure, await readRedCheck(forge, same, signal))) {
      return ask(
        `The check \`${check.id}\` fails on \`${look.base}\` as well: ${failure.error}`,
        `Fix \`${look.base}\` first, or have this run fix the check: run again with --fix-base`,
      );
    }
  }
  const alike = await alikeTo(reds.filter((other) => other !== check).slice(0, mostRead));
  const verify = finalVerify !== null && (await isInPlan(finalVerify)) ? finalVerify : null;
  const files = pathsIn(failure.output, ahead.paths);
  const { tasks } = (await plan.known()).plan;
  const quotes = [
    { label: "What failed:", text: renderRedCheck(failure) },
    { label: "Earlier attempts at this check:", text: renderTried(tasksFor(input.book, cause), tasks) },
  ];
  const red = { check: check.id, others: alike, error: failure.error, url: check.url, files, verify, quotes };
  const make = (id: string): NewTask => taskForCheck(id, red);
  return { make, checks: [check.id, ...alike] };

  /** Checks that fail in the same way, for the same task. */
  async function alikeTo(others: readonly Check[]): Promise<string[]> {
    const same: string[] = [];
    for (const other of others) {
      if (isWithin(await readRedCheck(forge, other, signal), failure)) same.push(other.id);
    }
    return same;
  }

  async function isInPlan(command: string): Promise<boolean> {
    const { tasks } = (await plan.known()).plan;
    return tasks.some(({ fields }) => {
      const read = readVerify(fields.verify);
      return read.kind === "command" && read.command === command;
    });
  }
}

/** Maximum number of other red checks whose logs are read. */
const mostRead = 10;
