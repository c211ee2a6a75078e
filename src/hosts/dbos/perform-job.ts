import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { redactSecrets } from "../../adapters/processes/redact-secrets.ts";
import type { Environment } from "../../adapters/processes/run-command.ts";
import { shell } from "../../adapters/shell.ts";
import { replyOf } from "../../effects/dispatch.ts";
import { openPlan } from "../../markdown/document/plan-document.ts";
import { InputError } from "../../model/errors.ts";
import { readPolicy } from "../../model/policy.ts";
import type { Reply } from "../../model/reply.ts";
import type { Executor } from "../../ports/executor.ts";
import type { Shell } from "../../ports/shell.ts";
import { classifyFailure } from "../../recover/classify-failure.ts";
import { hashOf, verifyCommands } from "../node/consent/verify-commands.ts";
import { redactResults } from "../node/executors/redact-replies.ts";
import { resolveExecutors } from "../node/executors/resolve-executors.ts";
import type { ExecutorChoice } from "../node/run-options.ts";
import type { Checkout, Checkouts } from "./checkout.ts";
import {
  type FleetAnswer,
  type FleetJob,
  type FleetRun,
  type FleetSaid,
  fleetErrorOf,
  mostSaidBytes,
  workspaceMark,
} from "./protocol.ts";

export interface JobPlace {
  readonly checkouts: Checkouts;
  /** Absolute folder for outputs. */
  readonly folder: string;
  /** Variables by which the processes of the worker's jobs are found after its death. */
  readonly mark: Environment;
  readonly executors: Readonly<Record<string, ExecutorChoice>>;
  readonly purse: Purse;
}

export interface Purse {
  /**
   * Time before which the executor must not begin work, in milliseconds since 1970, and the reason; null if the
   * executor may begin now.
   */
  held(executor: string): Promise<{ readonly until: number; readonly why: string } | null>;
  hold(executor: string, until: number, why: string): Promise<void>;
  spend(executor: string, usd: number): Promise<void>;
}

/** Pause of an executor whose rate limit does not say when it ends, in milliseconds. */
const unsaidMs = 60_000;

/** Do a job. An error becomes the answer of the job, and does not end the worker. */
export async function performJob(
  id: string,
  { job, run }: { readonly job: FleetJob; readonly run: FleetRun },
  place: JobPlace,
  signal: AbortSignal,
): Promise<FleetAnswer> {
  try {
    const checkout = await place.checkouts.take(job.repo);
    try {
      await checkout.place(job.base, job.ref);
      const said = await sayOf({ job, run, checkout, ...place }, signal);
      signal.throwIfAborted();
      const text = JSON.stringify(said).replaceAll(checkout.folder, workspaceMark);
      const isCheck = job.work.kind !== "execute";
      if (isCheck && Buffer.byteLength(text) <= mostSaidBytes) return { job: id, said: JSON.parse(text) as FleetSaid };
      // Files written by a check are not work, so they are not committed.
      const commit = await (isCheck
        ? checkout.commit((await checkout.read(job.base)).tree, job.base, text)
        : checkout.snapshot(text));
      // Each execution of a job pushes to a ref of its own; only the ref in the answer is used.
      const ref = `refs/fixpoint/${id}/${ownName()}`;
      await checkout.share(commit, ref);
      return { job: id, left: { commit, ref } };
    } finally {
      place.checkouts.leave(checkout);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    return { job: id, error: fleetErrorOf(error) };
  }
}

type Here = JobPlace & { readonly job: FleetJob; readonly run: FleetRun; readonly checkout: Checkout };

async function sayOf(here: Here, signal: AbortSignal): Promise<FleetSaid> {
  const { work } = here.job;
  if (work.kind === "execute") return { kind: "execute", reply: await executeFor(here, work, signal) };
  if (work.kind === "check") return { kind: "check", result: await check(here, work, signal) };
  return { kind: "find", exists: await shellIn(here).exists(work.program) };
}

type Work<Kind> = Extract<FleetJob["work"], { kind: Kind }>;

function check(here: Here, { command, timeoutMs }: Work<"check">, signal: AbortSignal) {
  if (!here.run.agreed.includes(hashOf(command))) {
    throw new InputError(`Refused to run \`${command}\`, expected a command that was agreed to at submission`, {
      code: "command-not-agreed",
      hint: "Remove it from the plan, or stop this run and submit the spec again to agree to it",
    });
  }
  return redactResults(shellIn(here), redactSecrets(process.env)).run(command, { timeoutMs }, signal);
}

function shellIn({ run, checkout, mark }: Here): Shell {
  const { passEnv, maxOutput } = readPolicy(run.policy);
  const limit = maxOutput === null ? {} : { outputCapBytes: maxOutput };
  return shell({ workspace: checkout.folder, env: mark, passEnv: passEnv ?? [], ...limit });
}

async function executeFor(
  { job, run, checkout, folder, mark, executors, purse }: Here,
  { key, role, taskId, attempt, prompt, progressFile }: Work<"execute">,
  signal: AbortSignal,
): Promise<Reply> {
  const choice = executors[job.executor];
  if (choice === undefined) {
    throw new InputError(`Cannot do ${key}: this worker has no executor \`${job.executor}\``, {
      code: "executor-unknown",
      hint: `Start a worker that has this executor: fixpoint worker --queue … --executor ${job.executor}`,
    });
  }
  const held = await purse.held(job.executor);
  if (held !== null) {
    return { text: "", exitCode: 1, problem: { kind: "rate-limit", message: held.why, until: held.until } };
  }
  const spec = join(checkout.folder, job.spec);
  const commands = await agreedIn(spec, run);
  const where = { workspace: checkout.folder, outputFolder: join(folder, "outputs"), env: mark };
  const { executor } = resolveExecutors(
    { executor: choice },
    readPolicy(run.policy),
    () => commands,
    where,
    () => {},
  );
  const [execute] = (typeof executor === "function" ? [executor] : executor) as readonly [Executor];
  const delegation = {
    ...{ key, role, taskId, attempt, spec, workspace: checkout.folder },
    prompt: prompt.replaceAll(workspaceMark, checkout.folder),
    progressFile: join(checkout.folder, progressFile),
  };
  const reply = await replyOf(() => execute(delegation, signal, () => {}), taskId);
  if (reply.usage?.costUsd !== undefined) await purse.spend(job.executor, reply.usage.costUsd);
  const { kind, until, message } = classifyFailure({ reply, failure: { kind: "task" } }, Date.now());
  if (kind === "rate-limit") await purse.hold(job.executor, until ?? Date.now() + unsaidMs, message ?? "rate limit");
  return reply;
}

const ownName = (): string => randomUUID().slice(0, 8);

/** The commands of the plan that the owner of the run has agreed to. */
async function agreedIn(spec: string, run: FleetRun): Promise<readonly string[]> {
  const path = join(spec, "tasks.md");
  if (!existsSync(path)) return [];
  const { plan } = openPlan(readFileSync(path, "utf8"));
  const { commands } = await verifyCommands(plan, { progress: async () => "" }, readPolicy(run.policy).verify);
  return commands.filter((command) => run.agreed.includes(hashOf(command)));
}
