import { setTimeout as sleep } from "node:timers/promises";
import { EnvironmentError } from "../model/errors.ts";
import { findProcesses, type Sought } from "./find-processes.ts";

/**
 * End all processes of a call: SIGTERM, and SIGKILL for what is left after the grace.
 *
 * A left-over executor of a killed coordinator is found by its mark alone, `FIXPOINT_SPEC` and `FIXPOINT_KEY`.
 *
 * @returns The ids of the processes that were ended; empty when there were none, and without `/proc` when no leader is
 *   given.
 * @throws {EnvironmentError} `processes-left`: some live on after SIGKILL.
 */
export async function endProcesses(sought: Sought, { graceMs = defaultGraceMs } = {}): Promise<number[]> {
  const begun = performance.now();
  const told = new Set<number>();
  let clearSince: number | undefined;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const { alive, unsettled } = findProcesses(sought);
    const now = performance.now();
    const elapsed = now - begun;
    clearSince = alive.length > 0 ? undefined : (clearSince ?? now);
    if (clearSince !== undefined && (!unsettled || now - clearSince >= settlingMs)) return [...told];
    if (elapsed > graceMs + dyingMs) throw processesLeft(alive);
    for (const pid of alive) {
      if (elapsed >= graceMs) send(pid, "SIGKILL");
      else if (!told.has(pid)) send(pid, "SIGTERM");
      told.add(pid);
    }
    await sleep(pauseMs);
  }
}

/** Kill all processes of a call at once, for when there is no time left to wait for their end. */
export function killProcesses(sought: Sought): void {
  for (const pid of findProcesses(sought).alive) send(pid, "SIGKILL");
}

/** How long a process may take to end by itself once it was told to. */
export const defaultGraceMs = 5000;

const longestPauseMs = 50;
/** Far longer than a process is without an environment, or a search takes. */
const settlingMs = 20;
/** How long a killed process may take to be gone. */
const dyingMs = 2000;

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile, or another user's: whether it is still there shows at the next look.
  }
}

const processesLeft = (pids: readonly number[]): EnvironmentError =>
  new EnvironmentError(`Cannot end processes \`${pids.join(", ")}\`, expected them to be gone after SIGKILL`, {
    code: "processes-left",
    hint: "End them by hand, then run again",
  });
