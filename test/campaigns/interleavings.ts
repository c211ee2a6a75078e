import type { Campaign, Trials } from "./campaign.ts";
import { interleavingProperties, ordersEach } from "./interleavings/interleaving-properties.ts";
import { propertyTrials } from "./property-trials.ts";

export const interleavingsCampaign: Campaign = {
  name: "interleavings",
  about: "whole runs in memory while a scheduler chooses when each port acts and answers",
  counts: "interleavings",
  trials: [trialsOf("calm", 10), trialsOf("lively", 20)],
};

function trialsOf(name: keyof typeof interleavingProperties, short: number): Trials {
  const countsOf = (runs: number) => ({ interleavings: runs * ordersEach[name] });
  return propertyTrials(interleavingProperties[name], { short, batch: 25, countsOf });
}
