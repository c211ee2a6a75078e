import { commandLine } from "../model/command-line.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import type { FailureKind } from "../model/failure.ts";
import { attemptOf, type DeniedAct } from "../model/reply.ts";
import { roleOf } from "../model/task.ts";
import { candidatesFor, numbersOf } from "./executor-chain.ts";
import { findTask } from "./find-task.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

const everything = ["--permissions", "full"];

const mendings: Readonly<Partial<Record<FailureKind, string>>> = {
  auth: "Log in to the executor",
  startup: "Correct the command line of the executor, or install what it needs",
};

/**
 * Wait until an executor can work again. If only a person can help, ask a person; the next start then assumes that the
 * person has helped.
 */
export async function wait(
  ports: WholePorts,
  { key, task, reason, error, until, since = null, rung = null, denied }: EffectInput<"wait">,
  signal: AbortSignal,
): Promise<Answer<"wait">> {
  const { attempts, clock, executors } = ports;
  if (until === null) {
    const { live } = await attempts.recall(attemptOf(key));
    if (!live) return { kind: "waited" };
    const line = (...options: string[]): string => commandLine(addressIn(ports), "run", { options });
    if (denied !== undefined) {
      return {
        kind: "gate",
        reason: `The executor of task ${task} was not allowed to use ${denied.tool}: ${denied.act}`,
        hint: allowing(denied, line),
      };
    }
    if (since !== null) {
      const waited = hoursAndMinutes(attempts.availability.waitedSince(since, clock.now()));
      return {
        ...{ kind: "gate", ofRun: true },
        reason: `The executor could not work on task ${task} for ${waited} (${reason}): ${error}`,
        hint: `Wait until the executor can work, then continue: ${line()}\nOr let the run wait as long as it takes: ${line("--max-wait", "off")}`,
      };
    }
    return {
      ...{ kind: "gate", ofRun: true },
      reason: `The executor cannot work on task ${task} (${reason}): ${error}`,
      hint: `${mendings[reason] ?? "Provide what the executor needs"}, then continue: ${line()}`,
    };
  }
  const role = roleOf(await findTask(ports, task));
  const free = attempts.availability.nextFree(role, numbersOf(candidatesFor(executors, role, rung)), clock.now());
  // If the clock was set back, an executor may be free earlier.
  await sleepUntil(ports, Math.min(until, free ?? until), signal);
  return { kind: "waited" };
}

/** Instructions to allow a denied act, one per line. */
function allowing({ allow, words = [] }: DeniedAct, line: (...options: string[]) => string): string {
  if (words.length === 0) return `${allow ?? "Allow this in the executor's settings"}, then continue: ${line()}`;
  const isAll = words.join(" ") === everything.join(" ");
  return [
    `${allow}: ${line(...words)}`,
    ...(isAll ? [] : [`Or allow the tool to do everything: ${line(...everything)}`]),
  ].join("\n");
}

function hoursAndMinutes(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])];
  return parts.length === 0 ? "less than a minute" : parts.join(" ");
}

/** Sleep, with the working time of the run paused. */
export async function sleepUntil(
  { attempts, clock }: Pick<WholePorts, "attempts" | "clock">,
  time: number,
  signal: AbortSignal,
): Promise<void> {
  // Compute the rest of the wait first: `pause` writes records, and the wall clock may be set meanwhile.
  const left = time - clock.now();
  const resume = attempts.pause();
  try {
    await clock.sleepUntil(clock.now() + left, signal);
  } finally {
    resume();
  }
}
