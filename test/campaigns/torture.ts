import type { Campaign } from "./campaign.ts";
import { seedOf } from "./property-trials.ts";
import { torture } from "./torture/property.ts";

/** Campaign of runs in memory with the real charts and state. Injects kills, full disks, failures and messages. */
export const tortureCampaign: Campaign = {
  name: "torture",
  about: "charts and state of whole runs, killed at any line: the same records, nothing performed again",
  counts: "runs",
  trials: [
    {
      name: "a run with faults writes what the undisturbed one writes",
      full: 20_000,
      short: 150,
      batch: 25,
      run: async ({ seed, from, count, path }) => {
        const run = { numRuns: count, seed: seedOf(seed, from, path), ...(path !== undefined && { path }) };
        const { counts, failure } = await torture(run);
        return { counts: { runs: count, ...counts }, violations: failure === null ? [] : [failure] };
      },
    },
  ],
};
