import { hostileStrings } from "../support/hostile-strings.ts";
import type { Campaign } from "./campaign.ts";
import { fuzzTrials } from "./fuzz-trials.ts";
import { checkPlan, type PlanInput } from "./plans/check-plan.ts";
import { randomPlan } from "./plans/random-plan.ts";

/** Longer ones are cut to the same length each, which takes its time. */
const said = hostileStrings.map(({ text }) => text).filter((text) => text.length <= 4000);

/** Number i of a seed is one plan. */
export const plansCampaign: Campaign = {
  name: "plans",
  about: "malformed plans of every dialect, read, linted and edited with hostile strings",
  counts: "inputs",
  trials: [
    fuzzTrials<PlanInput>({
      ...{ name: "plans", full: 200_000, short: 200 },
      make: (chance) => ({ text: randomPlan(chance), said: chance.pick(said), which: chance.below(20) }),
      check: checkPlan,
    }),
  ],
};
