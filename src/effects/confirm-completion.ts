import { reachesOut } from "../evidence/may-recheck.ts";
import { commandLine } from "../model/command-line.ts";
import type { EffectInput } from "../model/effect.ts";
import { renderProof } from "../model/evidence.ts";
import type { Question } from "../model/person-event.ts";
import type { Plan } from "../model/plan.ts";
import { asideIn, leftOut, lookAtPlan } from "../model/plan-parts.ts";
import { isChecking, kindOf, type Task } from "../model/task.ts";
import { countOf } from "../model/text.ts";
import type { AttemptFacts, Outcome } from "../ports/attempt-record.ts";
import { type Broken, findBroken } from "./recheck.ts";
import { completeRepair, fixDue } from "./repair-late.ts";
import { runCheck } from "./run-check.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

type Input = EffectInput<"confirmCompletion">;
type Confirmed = Outcome<"confirmCompletion">;

/**
 * Confirm the whole plan, the proofs of its tasks, and the final check. The plan on disk must have exactly the known
 * ticks, before and after the commands run. A failure gets a fix task, within the limits of its task.
 *
 * @see docs/verification.md
 */
export async function confirmCompletion(ports: WholePorts, input: Input, signal: AbortSignal): Promise<Confirmed> {
  const due = await fixDue(ports, input);
  if (due !== null) return { answer: due };
  const changed = await askAboutPlan(ports);
  if (changed !== null) return { answer: changed };
  const broken =
    (input.recheck === true ? await findBroken(ports, input, signal) : null) ?? (await checkAll(ports, input, signal));
  if (broken !== null && "run" in broken) return completeRepair(ports, input, broken);
  const out = leftOut((await ports.plan.known()).plan, ports.attempts.skipped().keys());
  const facts: AttemptFacts = broken === null ? {} : broken.facts;
  const unproven = input.requireProof === true ? await askAboutProof(ports) : null;
  return { answer: (await askAboutPlan(ports)) ?? unproven ?? { kind: out.size > 0 ? "skipped" : "complete" }, facts };
}

/**
 * Run the final check. Returns facts of the run if the check passes; null if there is no final check, or if the check
 * has already passed on the same content.
 */
async function checkAll(
  ports: WholePorts,
  { key, finalVerify, timeoutMs }: Input,
  signal: AbortSignal,
): Promise<Broken | { readonly facts: AttemptFacts } | null> {
  if (finalVerify === null) return null;
  const last = ports.attempts.lastRun(finalVerify);
  // The command has just passed on this content, as the Verify of a fix.
  if (last?.passed === true && last.tree !== null && last.tree === (await ports.trees?.now(signal))) return null;
  ports.onProgress?.({ type: "check.started", command: finalVerify });
  const run = await runCheck(ports, { command: finalVerify, name: key, timeoutMs }, signal);
  if (run.digest === null) return { facts: { verify: run } };
  return { run, task: null, since: last };
}

/**
 * Whether Verify runs before and after the work can prove a task. Such runs cannot prove a fix, a failing test, a
 * check, or an effect outside of the workspace.
 */
function mayBeProven(task: Task): boolean {
  if (task.fixOf !== null || kindOf(task) === "red" || isChecking(task)) return false;
  return !reachesOut(task.fields.verify ?? "");
}

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
      `No proof for ${countOf(open.length, "task", "tasks")} (--require-proof):`,
      ...open.map(([task, proof]) => `  ${task}: ${renderProof(proof)}`),
    ].join("\n"),
    hint: `After checking them, continue: ${commandLine(addressIn(ports), "run", { options: ["--no-require-proof"] })}`,
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
    reason: `The plan was changed at the end of the run: ${[...open, ...gone].join(", ") || "it has no task now"}`,
    hint: lookAtPlan(", then run again", plan.keptAt),
  };
}
