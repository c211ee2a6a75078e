import { execFileSync } from "node:child_process";
import { randomFrom } from "../../src/model/random.ts";
import type { Batch, BatchResult, Campaign, Surroundings, Trials } from "./campaign.ts";
import { numberSeed, tryRepository } from "./repositories/try-repository.ts";

/** Campaign in which attempts are saved and restored in random repositories, and some restores are killed. */
export const repositoriesCampaign: Campaign = {
  name: "repositories",
  about:
    "attempts saved, restored and begun anew in random repositories: no file is lost, and git's own data stays as it is",
  counts: "repositories",
  trials: [trialsWith("undisturbed", 240, false), trialsWith("killed", 80, true)],
  hindrance: () => {
    try {
      execFileSync("git", ["--version"]);
      return null;
    } catch {
      return "it needs git";
    }
  },
};

function trialsWith(name: string, full: number, kills: boolean): Trials {
  return { name, full, short: 1, batch: 1, run: (batch, surroundings) => runBatch(batch, surroundings, kills) };
}

async function runBatch(
  { seed, from, count }: Batch,
  surroundings: Surroundings,
  kills: boolean,
): Promise<BatchResult> {
  const counts: Record<string, number> = { repositories: 0 };
  const violations: string[] = [];
  for (let number = from; number < from + count; number += 1) {
    const tried = await tryRepository(randomFrom(numberSeed(seed + Number(kills), number)), surroundings, kills);
    const { saved: _, ...made } = tried.counts;
    for (const [name, times] of Object.entries({ repositories: 1, ...made }))
      counts[name] = (counts[name] ?? 0) + times;
    const what = `number ${number}, seed ${seed} (${tried.ground.features.join(", ")})`;
    violations.push(...tried.violations.slice(0, 4).map((violation) => `${what}: ${violation}`));
  }
  return { counts, violations };
}
