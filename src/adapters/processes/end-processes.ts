import { setTimeout as sleep } from "node:timers/promises";
import { EnvironmentError } from "../../model/errors.ts";
import { type FoundProcess, findProcesses, type Sought } from "./find-processes.ts";

/**
 * End all processes of a call: SIGTERM, also for those that are stopped, and SIGKILL for what is left after the grace.
 *
 * A left-over executor of a killed coordinator is found by its mark alone, `FIXPOINT_SPEC` and `FIXPOINT_KEY`.
 *
 * @returns The ids of the processes that were ended; empty when there were none, and without `/proc` when no leader is
 *   given.
 * @throws {EnvironmentError} `processes-left`: some live on after SIGKILL.
 */
export async function endProcesses(
  sought: Sought,
  { graceMs = defaultGraceMs, find = findProcesses } = {},
): Promise<number[]> {
  const begun = performance.now();
  // Those that have left the group and lost their mark are found as descendants, for as long as their parents live.
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
    // At first after the search: descendants are only found while their parents live. Then at once.
    const hurries = elapsed >= graceMs && met > 0;
    const { alive, unsettled } = find(sought, told, hurries ? end : undefined);
    if (!hurries) for (const process of alive) end(process);
    const now = performance.now();
    clearSince = alive.length > 0 ? undefined : (clearSince ?? now);
    clearLooks = alive.length > 0 ? 0 : clearLooks + 1;
    const settled = !unsettled || (clearLooks >= settlingLooks && now - (clearSince ?? now) >= settlingMs);
    if (alive.length === 0 && settled) return [...told.keys()];
    if (alive.length > 0 && elapsed > graceMs + dyingMs) throw processesLeft(alive);
    await sleep(pauseMs);
    // While one may have been missed, or others keep coming, look again at once.
    pauseMs = alive.length === 0 || told.size > met ? 1 : Math.min(pauseMs * 2, longestPauseMs);
  }
}

/** Kill all processes of a call at once, for when there is no time left to wait for their end. */
export function killProcesses(sought: Sought, find = findProcesses): void {
  const killed = new Map<number, string>();
  // Until a look meets none that is new: others may have been started meanwhile.
  for (let [looks, met] = [0, -1]; looks < mostLooks && killed.size > met; looks++) {
    met = killed.size;
    for (const { pid, startedAt } of find(sought, killed).alive) {
      if (killed.get(pid) !== startedAt) send(pid, "SIGKILL");
      killed.set(pid, startedAt);
    }
  }
}

const mostLooks = 10;

/** How long a process may take to end by itself once it was told to. */
export const defaultGraceMs = 5000;

const longestPauseMs = 50;
/** Far longer than a process is without an environment, or a search takes. */
const settlingMs = 20;
/** Far more than it takes to meet one that starts itself anew all the time, on a machine that lets us wait. */
const settlingLooks = 10;
/** How long a killed process may take to be gone. */
const dyingMs = 2000;

/** A process that is stopped hears of it when it goes on. */
function tell(pid: number): void {
  send(pid, "SIGTERM");
  send(pid, "SIGCONT");
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile, or another user's: whether it is still there shows at the next look.
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
 * See to it that a program that ends in the middle of a call leaves nothing of it behind.
 *
 * @returns What takes that back.
 */
export function killAtExit(call: Sought): () => void {
  // One listener for all: Node warns of the eleventh.
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
