import { randomNumbers } from "../support/random-numbers.ts";
import type { Campaign } from "./campaign.ts";
import { checkWorld } from "./evidence/check-world.ts";
import { playWorld } from "./evidence/play.ts";
import { makeWorld } from "./evidence/world.ts";
import { seedOf } from "./property-trials.ts";

const kinds: Readonly<Record<string, (seed: number) => readonly number[]>> = {
  undisturbed: () => [],
  "killed at random records": (seed) => {
    const next = randomNumbers(seed);
    return Array.from({ length: 8 }, () => 1 + Math.floor(next() * 12));
  },
  "killed at every record": (seed) => Array.from({ length: 300 }, (_, start) => 2 + ((start + seed) % 3)),
};

/** Campaign that compares proofs and task counts with those of an oracle that sees only the world's events. */
export const evidenceCampaign: Campaign = {
  name: "evidence",
  about: "runs in memory with flaky checks, known failures, batches and kills, checked by an independent judge",
  counts: "runs",
  trials: Object.entries(kinds).map(([name, killsOf], kind) => ({
    ...{ name, full: 500, short: 8, batch: 25 },
    run: async ({ seed, from, count }) => {
      const counts: Record<string, number> = { runs: 0 };
      const violations: string[] = [];
      const add = (what: string, more: number): void => {
        counts[what] = (counts[what] ?? 0) + more;
      };
      for (let number = from; number < from + count; number += 1) {
        // Pass an even number, because `seedOf` drops the lowest bit.
        const own = seedOf(seed + kind, 2 * number);
        const world = makeWorld(own);
        const played = await playWorld(world, killsOf(own));
        const wrong = checkWorld(world, played);
        add("runs", 1);
        add("kills", played.happenings.filter(({ kind }) => kind === "killed").length);
        add("commands", played.happenings.filter(({ kind }) => kind === "run").length);
        for (const { kind } of played.memory.proofs().values()) add(kind, 1);
        if (wrong.length > 0) violations.push(`${name} ${number}:\n${wrong.join("\n")}\n${again(name, number, seed)}`);
      }
      return { counts, violations };
    },
  })),
};

const again = (name: string, number: number, seed: number): string =>
  `Again: npm run campaign -- evidence --only "${name}" --from ${number} --runs 1 --seed ${seed}`;
