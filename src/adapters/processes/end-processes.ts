import { setTimeout as sleep } from "node:timers/promises";
import { EnvironmentError } from "../../model/errors.ts";
import { type FoundProcess, type Search, type Sought, searchFor } from "./find-processes.ts";

/**
 * End all processes of a call, also stopped ones: with SIGTERM, and with SIGKILL after the grace period. If the
 * coordinator was killed, its executor is found only by `FIXPOINT_SPEC` and `FIXPOINT_KEY` in the environment.
 *
 * @returns Ids of the ended processes.
 * @throws {EnvironmentError} `processes-left`: some processes survive SIGKILL.
 */
export async function endProcesses(
  sought: Sought,
  { graceMs = defaultGraceMs, look = searchFor(sought) } = {},
): Promise<number[]> {
  const begun = performance.now();
  const told = new Map<number, string>();
  let clearSince: number | undefined;
  let clearLooks = 0;
  for (let pauseMs = 1; ; ) {
    const met = told.size;
    const elapsed = performance.now() - begun;
    const end = ({ pid, startedAt }: FoundProcess) => {
      if (elapsed >= graceMs) send(pid, "SIGKILL");
      else if (told.get(pid) !== startedAt) tell(pid);
      told.set(pid, startedAt);
    };
    // After the grace period, kill each process as soon as it is found, but not during the first search: descendants
    // are found only while their parents live.
    const hurries = elapsed >= graceMs && met > 0;
    const { alive, unsettled } = look(hurries ? end : undefined);
    if (!hurries) for (const process of alive) end(process);
    const now = performance.now();
    clearSince = alive.length > 0 ? undefined : (clearSince ?? now);
    clearLooks = alive.length > 0 ? 0 : clearLooks + 1;
    const settled = !unsettled || (clearLooks >= settlingLooks && now - (clearSince ?? now) >= settlingMs);
    if (alive.length === 0 && settled) return [...told.keys()];
    if (alive.length > 0 && elapsed > graceMs + dyingMs) throw processesLeft(alive);
    await sleep(pauseMs);
    // Search again at once while a process may have been missed, or new processes appear.
    pauseMs = alive.length === 0 || told.size > met ? 1 : Math.min(pauseMs * 2, longestPauseMs);
  }
}

export function killProcesses(sought: Sought, look: Search = searchFor(sought)): void {
  const killed = new Map<number, string>();
  // Repeat until a search finds no new process, since processes may start during a search.
  for (let [looks, met] = [0, -1]; looks < mostLooks && killed.size > met; looks++) {
    met = killed.size;
    for (const { pid, startedAt } of look().alive) {
      if (killed.get(pid) !== startedAt) send(pid, "SIGKILL");
      killed.set(pid, startedAt);
    }
  }
}

const mostLooks = 10;

export const defaultGraceMs = 5000;

const longestPauseMs = 50;
/**
 * Minimum time without a living process. Within this time, a search ends, and a starting process gets its environment.
 */
const settlingMs = 20;
/**
 * Minimum number of searches without a living process: enough to find a process that constantly restarts itself, even
 * on a busy machine.
 */
const settlingLooks = 10;
const dyingMs = 2000;

/** Sends SIGCONT too, since a stopped process handles SIGTERM only when it continues. */
function tell(pid: number): void {
  send(pid, "SIGTERM");
  send(pid, "SIGCONT");
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended, or belongs to another user. The next search shows which.
  }
}

const processesLeft = (left: readonly FoundProcess[]): EnvironmentError =>
  new EnvironmentError(
    `Cannot end processes \`${left.map(({ pid }) => pid).join(", ")}\`, expected them to be gone after SIGKILL`,
    {
      code: "processes-left",
      hint: "End them by hand, then run again",
    },
  );

const calls = new Set<Sought>();

/**
 * Kill the processes of a call if this program ends during the call.
 *
 * @returns A function that cancels the kill.
 */
export function killAtExit(call: Sought): () => void {
  // Use one listener for all calls, since Node warns about an eleventh one.
  if (calls.size === 0) process.on("exit", killAll);
  calls.add(call);
  return () => {
    calls.delete(call);
    if (calls.size === 0) process.off("exit", killAll);
  };
}

function killAll(): void {
  for (const call of calls) killProcesses(call);
}
