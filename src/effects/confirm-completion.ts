import { reachesOut } from "../evidence/reaches-out.ts";
import { readVerify } from "../markdown/tasks/read-verify.ts";
import { commandLine } from "../model/command-line.ts";
import type { EffectInput } from "../model/effect.ts";
import type { FixTask } from "../model/failure.ts";
import type { Question } from "../model/person-event.ts";
import type { Plan } from "../model/plan.ts";
import { asideIn, leftOut, lookAtPlan } from "../model/plan-parts.ts";
import { attemptOf } from "../model/reply.ts";
import { isChecking, kindOf, type Task } from "../model/task.ts";
import { countOf } from "../model/text.ts";
import type { AttemptFacts, Outcome } from "../ports/attempt-record.ts";
import { verifyError } from "../recover/verify-error.ts";
import { tellProof } from "../wording/tell-proof.ts";
import { type Broken, findBroken } from "./recheck.ts";
import { repairLate } from "./repair-late.ts";
import { runCheck } from "./run-check.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

type Input = EffectInput<"confirmCompletion">;
type Confirmed = Outcome<"confirmCompletion">;

/**
 * Look at the whole plan once more, at what has proven its tasks, and at the final check. Everything the coordinator
 * knows as ticked was accepted by this run, or ticked before it or by hand while it was stopped; the plan on the disk
 * must say the same, also after the commands have run. What fails gets a fix task, within the limits of its task.
 *
 * @see docs/verification.md
 */
export async function confirmCompletion(ports: WholePorts, input: Input, signal: AbortSignal): Promise<Confirmed> {
  const due = await dueFix(ports, input);
  if (due !== null) return insert(ports, due, {});
  const changed = await askAboutPlan(ports);
  if (changed !== null) return { answer: changed };
  const broken =
    (input.recheck === true ? await findBroken(ports, input, signal) : null) ?? (await checkAll(ports, input, signal));
  if (broken !== null && "run" in broken) return mend(ports, input, broken);
  const out = leftOut((await ports.plan.known()).plan, ports.attempts.skipped().keys());
  const facts: AttemptFacts = broken === null ? {} : broken.facts;
  const unproven = input.requireProof === true ? await askAboutProof(ports) : null;
  return { answer: (await askAboutPlan(ports)) ?? unproven ?? { kind: out.size > 0 ? "skipped" : "complete" }, facts };
}

/** The final check. Null where there is none; its facts where it has passed. */
async function checkAll(
  ports: WholePorts,
  { key, finalVerify, timeoutMs }: Input,
  signal: AbortSignal,
): Promise<Broken | { readonly facts: AttemptFacts } | null> {
  if (finalVerify === null) return null;
  const last = ports.attempts.lastRun(finalVerify);
  // The fix that was made for it has just shown it.
  if (last?.passed === true && last.tree !== null && last.tree === (await ports.trees?.now(signal))) return null;
  ports.onProgress?.({ type: "check.started", command: finalVerify });
  const run = await runCheck(ports, { command: finalVerify, name: key, timeoutMs }, signal);
  if (run.digest === null) return { facts: { verify: run } };
  return { run, task: null, since: last };
}

/** Write a fix task for what fails; a person sees to it where no limit allows that. */
async function mend(ports: WholePorts, input: Input, broken: Broken): Promise<Confirmed> {
  const { run, task } = broken;
  const facts = { verify: run };
  const fix = input.repair == null ? null : await repairLate(ports, input.repair, broken);
  if (fix !== null) return insert(ports, await ports.attempts.intend(attemptOf(input.key), fix), facts);
  const error = verifyError({ ...run.result, digest: run.digest });
  const reason =
    task === null ? error.replace("Verify", "The final check") : `${task} does not hold any more: ${error}`;
  return { answer: { kind: "gate", reason, hint: `Make \`${run.command}\` pass, then run again` }, facts };
}

/** The fix task that was recorded before a start was killed; null where none was, or it is done. */
async function dueFix({ plan, attempts }: WholePorts, { key }: Input): Promise<FixTask | null> {
  const fix = attempts.madeFor(attemptOf(key));
  if (fix === null) return null;
  const { tasks } = (await plan.known()).plan;
  return tasks.some(({ id, done }) => id === fix.id && done) ? null : fix;
}

async function insert({ plan }: WholePorts, fix: FixTask, facts: AttemptFacts): Promise<Confirmed> {
  await plan.exclusively(() => plan.insert(fix));
  const read = readVerify(fix.verify ?? undefined);
  const command = read.kind === "command" ? read.command : "";
  return { answer: { kind: "broken", task: fix.fixOf, fix: fix.id, command, error: fix.error }, facts };
}

/** Whether a task is one that a run before and behind it proves: a planned one that is not there to fail or to check. */
function mayBeProven(task: Task): boolean {
  if (task.fixOf !== null || kindOf(task) === "red" || isChecking(task)) return false;
  return !reachesOut(task.fields.verify ?? "");
}

/** Tasks that nothing has proven; null where there is none. */
async function askAboutProof(ports: WholePorts): Promise<Question | null> {
  const { tasks } = (await ports.plan.known()).plan;
  const planned = new Set(tasks.flatMap((task) => (mayBeProven(task) ? [task.id] : [])));
  const open = [...ports.attempts.proofs()].filter(
    ([task, { kind }]) => planned.has(task) && kind !== "proven" && kind !== "checked",
  );
  if (open.length === 0) return null;
  return {
    kind: "gate",
    reason: [
      `Nothing has proven ${countOf(open.length, "task", "tasks")} (--require-proof):`,
      ...open.map(([task, proof]) => `  ${task}: ${tellProof(proof)}`),
    ].join("\n"),
    hint: `When you have looked at them, go on: ${commandLine(addressIn(ports), "run", { options: ["--no-require-proof"] })}`,
  };
}

const groupsIn = ({ tasks }: Pick<Plan, "tasks">): string[] =>
  tasks.flatMap(({ id, isGroup }) => (isGroup === true ? [id] : []));

async function askAboutPlan({ plan, attempts }: WholePorts): Promise<Question | null> {
  const reading = await plan.read();
  const known = reading.known.plan;
  const found = reading.found.plan;
  const accounted = new Set(known.tasks.filter(({ done }) => done).map(({ id }) => id));
  const aside = asideIn(known.tasks, { optional: false, people: false });
  const out = new Set([...leftOut(known, [...attempts.skipped().keys(), ...aside]), ...groupsIn(known)]);
  const open = found.tasks.filter(({ id, done }) => !(done ? accounted : out).has(id)).map(({ id }) => id);
  const there = new Set(found.tasks.map(({ id }) => id));
  const gone = [...accounted].filter((id) => !there.has(id));
  if (found.tasks.length > 0 && open.length === 0 && gone.length === 0) return null;
  return {
    kind: "gate",
    reason: `The plan was changed at the end of the run: ${[...open, ...gone].join(", ") || "it has no task"}`,
    hint: lookAtPlan(", then run again", plan.keptAt),
  };
}
