import { spawnSync } from "node:child_process";
import { randomFrom } from "../../src/model/random.ts";
import type { Campaign, Trials } from "./campaign.ts";
import { tryCut } from "./power-cuts/try-cut.ts";
import { scenarios } from "./scenarios/index.ts";

const names = [
  "lifecycle: two phases",
  "fixes: one",
  "batches: a member that needs a fix",
  "changes: a task needs another one first",
];
const cutScenarios = scenarios.filter(({ name }) => names.includes(name));

/**
 * Campaign in which the trial's number selects the scenario; seed and number determine the moments of the power cuts.
 */
export const powerCutsCampaign: Campaign = {
  name: "power-cuts",
  about: "power cuts, at every step and between steps, while the spec is on a disk that keeps only synced data",
  counts: "cuts",
  trials: [cutTrials()],
  hindrance: () => {
    if (process.getuid?.() !== 0) return "only root may mount a disk";
    if (spawnSync("losetup", ["--find"]).status !== 0) return "there is no loop device";
    return spawnSync("unshare", ["--mount", "true"]).status === 0 ? null : "no other mounts may be made";
  },
};

function cutTrials(): Trials {
  return {
    name: "acknowledged steps are kept",
    full: 250,
    short: 2,
    batch: 2,
    run: async ({ seed, from, count }, surroundings) => {
      const counts = { cuts: 0, projects: 0 };
      const violations: string[] = [];
      for (let number = from; number < from + count; number++) {
        const scenario = cutScenarios[number % cutScenarios.length];
        if (scenario === undefined) throw new Error("Cannot find a scenario to cut");
        const random = randomFrom(Math.imul(seed, 0x9e3779b1) + number).next;
        const tried = await tryCut(scenario, random, surroundings);
        counts.cuts += tried.cuts.length;
        counts.projects += 1;
        const where = `--seed ${seed} --from ${number} --runs 1, ${scenario.name}`;
        violations.push(...tried.violations.map((violation) => `${where}: ${violation}`));
      }
      return { counts, violations };
    },
  };
}
