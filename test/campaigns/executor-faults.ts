import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { livingIn } from "../support/processes.ts";
import { randomNumbers } from "../support/random-numbers.ts";
import type { Campaign, Surroundings, Trials } from "./campaign.ts";
import { type Begun, begunUntil, type MachineFault, machineFaults } from "./executor-faults/faults.ts";
import { bringToEnd } from "./outside/bring-to-end.ts";
import { surroundingsOf } from "./outside/ground.ts";
import { judge, type Violation } from "./outside/judge.ts";
import type { Start } from "./outside/start.ts";

const limit = 2;

/** Machines that fail the programs of a run: what these cannot write, start or live through. */
export const executorFaultsCampaign: Campaign = {
  name: "executor-faults",
  about:
    "full disks, limits of files and descriptors, refused prints, killed shells, missing interpreters, for executors and Verify",
  counts: "faults",
  trials: machineFaults.map(kindOf),
  hindrance: () => (existsSync("/proc/self/environ") ? null : "it looks for processes in /proc, which is not there"),
};

function kindOf(fault: MachineFault): Trials {
  return {
    ...{ name: fault.name, full: 150, short: fault.isShort ? 1 : 0, batch: 2 },
    run: async ({ seed, from, count }, surroundings) => {
      const hindrance = fault.hindrance();
      if (hindrance !== null)
        return {
          counts: { skipped: count },
          violations: [],
          notes: [`${fault.name}: skipped, ${hindrance}`],
          exhausted: true,
        };
      const counts = { faults: 0, starts: 0 };
      const violations: string[] = [];
      for (let number = from; number < from + count; number++) {
        const next = randomNumbers(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35));
        const begun = fault.begin((most) => Math.floor(next() * most));
        const tried = await tryFault(begun, surroundings);
        counts.faults += 1;
        counts.starts += tried.starts;
        const again = `--only "${fault.name}" --seed ${seed} --from ${number} --runs 1`;
        for (const { kind, what } of tried.violations) violations.push(`${kind}: ${what} [${begun.name}] (${again})`);
      }
      return { counts, violations };
    },
  };
}

async function tryFault(
  begun: Begun,
  surroundings: Surroundings,
): Promise<{ starts: number; violations: Violation[] }> {
  const { ground, faulty, optionsOf, mend, isWorks = false } = begun;
  const plan = (): string => readFileSync(join(ground.spec, "tasks.md"), "utf8").replaceAll("[x]", "[ ]");
  try {
    const before = surroundingsOf(ground);
    let planned = plan();
    let isMended = false;
    const starts = await bringToEnd(ground, surroundings, {
      before: [],
      // What is the work's own fault is not tried for ever.
      again: isWorks ? [5] : [1, 2, 3, 5],
      optionsOf: (start) => {
        const { words = [], ...options } = optionsOf(start);
        // A fix task would be made of what is not the work's fault.
        const fixes = isWorks ? [] : ["--recovery-mode"];
        return { ...options, words: [...words, ...fixes, "--max-task-iterations", String(limit), "--yes"] };
      },
      arrange: (start) => {
        if (start < faulty || isMended) return;
        isMended = true;
        mend();
        planned = plan();
      },
    });
    const alive = livingIn(ground.folder);
    const story = { ground, starts, limit, before, damage: [], isMachines: true, isHarder: isWorks };
    return {
      starts: starts.length,
      violations: [
        ...judge(story),
        ...(begun.check?.(starts) ?? []),
        ...judgeMending(begun, starts, isWorks || plan() === planned),
        ...(alive.length === 0 ? [] : [{ kind: "left alive", what: `processes ${alive}` }]),
      ],
    };
  } finally {
    ground.remove();
  }
}

/** What the machine is to blame for costs nothing, is said, and is over when it is mended. */
function judgeMending(
  { ground, isKnownBefore = false, isWorks = false }: Begun,
  starts: readonly Start[],
  isPlanKept: boolean,
): Violation[] {
  const [first, second] = starts;
  const last = starts.at(-1);
  const found: Violation[] = [];
  if (first === undefined || last === undefined) return [{ kind: "no start", what: "nothing was started" }];
  const worked = begunUntil(ground, second?.from ?? Number.POSITIVE_INFINITY);
  if (isKnownBefore && first.exitCode !== 0 && worked > 0) {
    found.push({
      kind: "said too late",
      what: `${worked} executors worked before a start said ${JSON.stringify(first.said.slice(-300))}`,
    });
  }
  if (!isWorks && !isPlanKept)
    found.push({ kind: "bogus failure", what: "the plan has a task that was made of a fault of the machine" });
  if (!isWorks && first.exitCode === 1)
    found.push({
      kind: "bogus failure",
      what: `an attempt was failed for the machine's fault: ${JSON.stringify(first.said.slice(-300))}`,
    });
  if (!isWorks && last.exitCode !== 0) {
    found.push({
      kind: "does not go on",
      what: `ended with ${last.exitCode} after it was mended: ${JSON.stringify(last.said.slice(-400))}`,
    });
  }
  return found;
}
