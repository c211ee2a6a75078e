import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { livingIn } from "../../support/processes.ts";
import type { Children } from "./children.ts";
import { type Started, start } from "./start.ts";
import type { Way } from "./way.ts";
import { makeWorkspace, mend, outcomeIn } from "./workspace.ts";

export interface SeenEnd {
  readonly processes: number;
  readonly orphans: number;
  readonly faults: readonly string[];
}

const longestEndMs = 10_000;
/** Shorter than the grace period of 5 s, because another signal must end that period. */
const atOnceMs = 3000;
const longestRunMs = 60_000;

export async function tryEnd(way: Way, children: Children, program: string, chance: () => number): Promise<SeenEnd> {
  const workspace = makeWorkspace(way, children);
  try {
    const begun = start(way, program, workspace);
    const processes = await reachTrigger(way, workspace, begun, chance);
    const told = performance.now();
    const faults = await trigger(way, begun, chance);
    const end = await within(longestRunMs, begun.end);
    const tookMs = performance.now() - told;
    if (end === null) faults.push(`has not ended ${longestRunMs} ms later`);
    else if (way.ends?.includes(end) === false) faults.push(`ended with ${end}, not ${way.ends.join(" or ")}`);
    if (way.trigger.kind !== "none" && tookMs > longestEndMs) faults.push(`took ${Math.round(tookMs)} ms to end`);
    if (way.ends?.[0] === "SIGKILL") faults.push(...(await startAnew(workspace, program)));
    const orphans = await countOrphans(workspace);
    if (orphans > 0) faults.push(`${orphans} processes are alive ${longestEndMs} ms after the end`);
    if (way.interrupted === true && outcomeIn(workspace) !== "interrupted") faults.push("is not interrupted on record");
    return { processes, orphans, faults };
  } finally {
    for (const pid of livingIn(workspace)) kill(pid);
    rmSync(workspace, { recursive: true, force: true });
  }
}

async function reachTrigger({ trigger }: Way, workspace: string, { end }: Started, chance: () => number) {
  if (trigger.kind === "early") await sleep(chance() * 1000);
  else {
    let isOver = false;
    void end.then(() => {
      isOver = true;
    });
    const limit = performance.now() + longestRunMs;
    while (!isOver && !existsSync(join(workspace, "started")) && performance.now() < limit) await sleep(20);
  }
  if (trigger.kind === "signals") await sleep(chance() * 200);
  return livingIn(workspace).length;
}

async function trigger({ trigger }: Way, { child, end }: Started, chance: () => number): Promise<string[]> {
  if (trigger.kind === "terminal closed") child.kill("SIGKILL");
  if (trigger.kind === "early") child.kill(trigger.signal);
  if (trigger.kind !== "signals") return [];
  const [first, second] = trigger.signals;
  child.kill(first);
  if (second === undefined) return [];
  await sleep(100 + chance() * 400);
  child.kill(second);
  return (await within(atOnceMs, end)) === null ? [`lives ${atOnceMs} ms after the second signal`] : [];
}

async function startAnew(workspace: string, program: string): Promise<string[]> {
  mend(workspace);
  const end = await within(longestRunMs, start({}, program, workspace).end);
  return end === 0 ? [] : [`the next start ended with ${end}`];
}

async function countOrphans(workspace: string): Promise<number> {
  const limit = performance.now() + longestEndMs;
  while (livingIn(workspace).length > 0 && performance.now() < limit) await sleep(200);
  return livingIn(workspace).length;
}

function within<Value>(ms: number, promise: Promise<Value>): Promise<Value | null> {
  const waiting = new AbortController();
  const late = sleep(ms, null, { signal: waiting.signal }).catch(() => null);
  return Promise.race([promise, late]).finally(() => waiting.abort());
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has just ended by itself.
  }
}
