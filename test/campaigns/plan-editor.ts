import { planProperties } from "../support/plan-properties.ts";
import type { Campaign } from "./campaign.ts";
import { propertyTrials } from "./property-trials.ts";

export const planEditorCampaign: Campaign = {
  name: "plan-editor",
  about: "inserts, ticks and reads random plans and texts, and compares the results with other parsers",
  counts: "runs",
  trials: Object.values(planProperties).flatMap((properties) => properties.map((property) => propertyTrials(property))),
};
