import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { randomFrom } from "../../src/model/random.ts";
import type { Batch, BatchResult, Campaign, Surroundings, Trials } from "./campaign.ts";
import { type Fault, faultsAt, tellFault } from "./syscalls/fault.ts";
import { type Ground, type GroundPlan, prepareGround } from "./syscalls/ground.ts";
import { groundPlans } from "./syscalls/ground-plans.ts";
import { tryFault } from "./syscalls/try-fault.ts";

/** Campaign that injects every possible fault into system calls of one start. The seed only shuffles the faults. */
export const syscallsCampaign: Campaign = {
  name: "syscalls",
  about: "the coordinator is killed, or gets each errno once or permanently, at every system call on files of its spec",
  counts: "faults",
  trials: groundPlans.map(trialsOn),
  hindrance: () => {
    if (process.platform !== "linux") return "strace is for Linux";
    const tried = spawnSync("strace", ["-f", "-qq", "-e", "trace=none", "--detach-on=execve", "true"], {
      encoding: "utf8",
    });
    return tried.status === 0 ? null : `strace cannot be used here: ${tried.error?.message ?? tried.stderr.trim()}`;
  },
};

function trialsOn(plan: GroundPlan & { readonly name: string }, index: number): Trials {
  return {
    name: plan.name,
    full: 250,
    short: index === 0 ? 4 : 0,
    batch: 2,
    run: async ({ seed, from, count }: Batch, surroundings) => {
      const ground = await groundOf(plan, surroundings);
      const faults = shuffled(faultsAt(ground.trace.calls), seed);
      const counts: Record<string, number> = { faults: 0 };
      const violations: string[] = [];
      for (const [at, fault] of faults.slice(from, from + count).entries()) {
        const tried = await tryFault(fault, ground, surroundings);
        const kind = !tried.isHit ? "missed" : fault.kind === "kill" ? "kills" : fault.errno;
        counts[kind] = (counts[kind] ?? 0) + 1;
        if (tried.isHit) counts["faults"] = (counts["faults"] ?? 0) + 1;
        const where = `--only "${plan.name}" --seed ${seed} --from ${from + at} --runs 1, ${tellFault(fault)}`;
        violations.push(...tried.violations.map((violation) => `${where}: ${violation}`));
      }
      return { counts, violations, ...(from + count >= faults.length && { exhausted: true }) } satisfies BatchResult;
    },
  };
}

const grounds = new Map<string, Promise<Ground>>();
const folders: string[] = [];

function groundOf(plan: GroundPlan & { readonly name: string }, surroundings: Surroundings): Promise<Ground> {
  const found = grounds.get(plan.name) ?? prepareGround(plan, surroundings);
  if (grounds.size === 0) process.once("exit", () => folders.forEach(remove));
  if (!grounds.has(plan.name)) {
    grounds.set(plan.name, found);
    void found.then(({ project }) => folders.push(project.folder));
  }
  return found;
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true });

function shuffled(faults: readonly Fault[], seed: number): Fault[] {
  const random = randomFrom(seed).next;
  const keyed = faults.map((fault) => ({ fault, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ fault }) => fault);
}
