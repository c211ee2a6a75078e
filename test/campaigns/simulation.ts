import type { PolicyInput } from "../../src/model/policy.ts";
import type { FaultRun } from "../simulation/fault-run.ts";
import type { FaultOptions } from "../simulation/options.ts";
import { calmFaults } from "../simulation/rates.ts";
import { simulateFaults } from "../simulation/simulate-faults.ts";
import type { Batch, BatchResult, Campaign, Trials } from "./campaign.ts";

type Kind = (seed: number) => Omit<FaultOptions, "seed">;

const quiet = { ...calmFaults, loss: 0, complaint: 0 } as const;
const remedies: readonly NonNullable<PolicyInput["recovery"]>[] = [
  ["retry"],
  ["fix"],
  ["retry", "fix"],
  ["fix", "retry"],
];

const limits = (seed: number): PolicyInput => ({
  recovery: [...(remedies[seed % 4] ?? [])],
  maxTaskIterations: 1 + (seed % 3),
  maxFixTasksPerOriginal: seed % 4,
  maxFixTaskDepth: seed % 3,
});

const kinds: Readonly<Record<string, { readonly full: number; readonly short: number; readonly options: Kind }>> = {
  recovery: {
    full: 60_000,
    short: 10,
    options: (seed) => ({ plan: shortPlan(seed), policy: limits(seed), rates: { ...quiet, asks: 0, tampers: 0 } }),
  },
  ladder: {
    full: 40_000,
    short: 10,
    options: (seed) => ({
      plan: shortPlan(seed),
      policy: {
        ...limits(seed),
        recovery: ["retry", "fix", "repair", "pivot", "research", "checkpoint"],
        ...{ repairBudget: 1, maxPivotAttempts: 1, maxResearchAttempts: 1 },
      },
      rates: { ...quiet, asks: 0, fails: 40, away: 0.3 },
    }),
  },
  batches: {
    full: 40_000,
    short: 10,
    options: (seed) => ({
      plan: batchPlan(seed),
      policy: { ...limits(seed), maxParallel: 3 },
      rates: { ...quiet, asks: 12, tampers: 8 },
    }),
  },
  kills: {
    full: 80_000,
    short: 10,
    options: (seed) => ({
      ...(seed % 3 > 0 && { plan: shortPlan(seed) }),
      policy: limits(seed),
      compare: true,
      rates: { kill: 0.02, refuse: 0.005, jump: 0.005 },
    }),
  },
  checks: {
    full: 20_000,
    short: 0,
    options: () => ({
      compare: true,
      rates: { kill: 0.03, refuse: 0.01, names: 1, mends: 60 },
      roughStarts: 12,
      policy: { recovery: ["fix"] },
    }),
  },
  everything: { full: 80_000, short: 10, options: () => ({}) },
};

/** Campaign that runs the real coordinator over simulated ports. */
export const simulationCampaign: Campaign = {
  name: "simulation",
  about: "whole runs on a virtual clock, in which executors, ports, people and the coordinator fail at random",
  counts: "runs",
  trials: Object.entries(kinds).map(([name, { full, short, options }]) => trialsOf(name, full, short, options)),
};

function trialsOf(name: string, full: number, short: number, options: Kind): Trials {
  return {
    ...{ name, full, short, batch: 50 },
    run: async ({ seed, from, count }: Batch): Promise<BatchResult> => {
      const counts: Record<string, number> = { runs: 0, starts: 0 };
      const violations: string[] = [];
      for (let number = from; number < from + count; number++) {
        const own = seedOf(seed, number);
        const made = await simulateFaults({ seed: own, ...options(own) });
        counts["runs"] = (counts["runs"] ?? 0) + 1;
        counts["starts"] = (counts["starts"] ?? 0) + made.starts.length;
        counts["delegations"] = (counts["delegations"] ?? 0) + delegationsIn(made);
        for (const what of told) counts[what] = (counts[what] ?? 0) + (made.counts[what] ?? 0);
        for (const { invariant, what } of made.violations) {
          violations.push(
            `${invariant} in ${name} ${number}, which is simulateFaults({ seed: ${own}, … }): ${what}\n${again(name, number, seed)}`,
          );
        }
      }
      return { counts, violations };
    },
  };
}

const told = ["kill", "refuse", "jump", "abort", "edit"] as const;

const again = (name: string, number: number, seed: number): string =>
  `Again: npm run campaign -- simulation --only "${name}" --from ${number} --runs 1 --seed ${seed}`;

/** Campaigns with different seeds must share few seeds of runs. */
const seedOf = (seed: number, number: number): number => (Math.imul(seed, 0x9e3779b1) + number) >>> 0;

const delegationsIn = ({ records }: FaultRun): number => records.filter(({ type }) => type === "delegated").length;

const shortPlan = (seed: number): string =>
  ["## Phase 1: Short\n", ...["1.1", "1.2"].slice(0, 1 + (seed % 2)).map((id) => block(seed, id, "Short"))].join("\n");

function batchPlan(seed: number): string {
  const members = ["1.1", "1.2", "1.3"].slice(0, 2 + (seed % 2));
  const last = seed % 3 === 0 ? [block(seed, "1.4", "[VERIFY] All")] : [];
  return ["## Phase 1: Beside each other\n", ...members.map((id) => block(seed, id, "[P] Beside")), ...last].join("\n");
}

const block = (seed: number, id: string, title: string): string =>
  `- [ ] ${id} ${title}\n  - **Files**: src/${seed % 5 === 0 ? "shared" : id}.ts\n  - **Verify**: \`check ${id}\`\n`;
