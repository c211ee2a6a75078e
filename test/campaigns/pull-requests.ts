import type { Batch, BatchResult, Campaign } from "./campaign.ts";
import { playSeed } from "./pull-requests/random-world.ts";

/** Campaign with pull requests over a simulated forge, with people, slow and flaky checks, and kills. */
export const pullRequestsCampaign: Campaign = {
  name: "pull-requests",
  about: "runs that bring a branch to a pull request, in worlds with people, slow and flaky checks, and lost answers",
  counts: "worlds",
  // CI has no trials, because the tests try some worlds.
  trials: [{ name: "worlds", full: 10_000, short: 0, batch: 50, run: playBatch }],
};

async function playBatch({ seed, from, count }: Batch): Promise<BatchResult> {
  const counts: Record<string, number> = { worlds: 0, starts: 0, tasks: 0, answers: 0 };
  const add = (what: string, more: number): void => {
    counts[what] = (counts[what] ?? 0) + more;
  };
  const violations: string[] = [];
  for (let number = from; number < from + count; number++) {
    const own = (Math.imul(seed, 0x9e3779b1) + number) >>> 0;
    const { wrongs, played, world } = await playSeed(own);
    add("worlds", 1);
    add("starts", played.starts);
    add("tasks", played.records.filter(({ type }) => type === "addition").length);
    add("answers", world.told.answers.size);
    for (const wrong of wrongs) {
      violations.push(
        `${wrong} in world ${number}\nAgain: npm run campaign -- pull-requests --from ${number} --runs 1 --seed ${seed}`,
      );
    }
  }
  return { counts, violations };
}
