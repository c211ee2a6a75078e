import type { PolicyInput } from "../../../src/model/policy.ts";
import { randomNumbers } from "../../support/random-numbers.ts";
import { judgeWorld } from "./judge-world.ts";
import { type ExecutorKind, type Mutant, type Played, playWorld, replays } from "./play-world.ts";
import { type PullRequestWorld, pullRequestWorld, type WorldKind } from "./world.ts";

const minute = 60_000;

function worldOf(
  seed: number,
  numbers: () => number,
): { kind: WorldKind; executor: ExecutorKind; policy: PolicyInput } {
  const one = <Value>(...values: readonly Value[]): Value => values[Math.floor(numbers() * values.length)] as Value;
  const calm = seed % 4 === 0;
  const rate = (most: number): number => (calm ? 0 : one(0, most / 4, most));
  return {
    kind: {
      checks: ["test", "lint", "build"].slice(0, one(1, 2, 3)).map((id) => ({
        id,
        behaves: one("passes", "passes", "broken", "broken", "flaky", seed % 10 === 0 ? "never ends" : "passes"),
        takes: one(minute, 20 * minute, 3 * 60 * minute),
      })),
      chances: {
        ...{ hindered: rate(0.1), pushes: rate(0.03), forces: rate(0.01), closes: rate(0.005), merges: rate(0.005) },
        ...{ comments: rate(0.05), outsiders: rate(0.1), resolves: rate(0.1), lost: one(0, 0.02, 0.1) },
      },
    },
    executor: { mends: one(0, 0.5, 1), idles: one(0, 0.3) },
    policy: {
      maxTaskIterations: 2,
      pullRequest: {
        ...{
          maxCycles: one(2, 5, 20),
          maxFixesPerCheck: one(1, 3),
          maxTasksPerThread: one(1, 3),
          reruns: one(0, 1, 1),
        },
        ...{ maxTime: one(2, 24, 48) * 60 * minute, checkStall: one(1, 8, 480) * 60 * minute },
      },
    },
  };
}

export async function playSeed(
  seed: number,
  mutant: Mutant = {},
): Promise<{ readonly wrongs: readonly string[]; readonly played: Played; readonly world: PullRequestWorld }> {
  const numbers = randomNumbers(seed);
  const { kind, executor, policy } = worldOf(seed, numbers);
  const world = pullRequestWorld(kind, numbers, mutant);
  const played = await playWorld(world, executor, policy, numbers, mutant);
  const differences =
    Object.keys(mutant).length > 0 ? [] : replays(played, policy).map(({ what }) => `replay differs: ${what}`);
  return { wrongs: [...judgeWorld(world, played, policy), ...differences], played, world };
}
