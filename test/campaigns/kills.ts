import { crc32 } from "node:zlib";
import { randomFrom } from "../../src/model/random.ts";
import type { Campaign } from "./campaign.ts";
import { killHindrance, killTrials } from "./coordinator/kill-trials.ts";
import { tryKills } from "./coordinator/try-kills.ts";
import { undisturbed } from "./coordinator/undisturbed.ts";
import { scenarios } from "./scenarios/index.ts";

const mostKills = 4;

/** Campaign with coordinators that are killed at random moments, mostly while their programs are running. */
export const killsCampaign: Campaign = {
  name: "kills",
  about: "a real coordinator, killed at random moments, ends the same",
  counts: "kills",
  trials: [
    {
      name: "at random moments",
      full: 600,
      short: 3,
      batch: 3,
      run: ({ seed, from, count }, surroundings) =>
        killTrials({ from, count }, async (number) => {
          const scenario = scenarios[(number * 7) % scenarios.length];
          if (scenario === undefined) return null;
          const { ms } = (await undisturbed(scenario, surroundings)).played;
          const random = randomFrom(crc32(`${scenario.name} ${number}`, seed)).next;
          const usualMs = ms.reduce((total, each) => total + each, 0) / ms.length;
          const tried = await tryKills(scenario, surroundings, (_start, kills) =>
            kills < mostKills && random() < 0.8 ? { afterMs: random() * usualMs } : undefined,
          );
          return { ...tried, violations: tried.violations.map((violation) => `${scenario.name}, ${violation}`) };
        }),
    },
  ],
  hindrance: killHindrance,
};
