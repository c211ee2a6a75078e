import { planProperties } from "../support/plan-properties.ts";
import type { Campaign } from "./campaign.ts";
import { propertyTrials } from "./property-trials.ts";

/** The properties of the plan editor, of which the tests try each a few times. */
export const planEditorCampaign: Campaign = {
  name: "plan-editor",
  about: "insert, tick and read again, on random plans and texts, compared with other parsers",
  counts: "runs",
  trials: Object.values(planProperties).flatMap((properties) => properties.map((property) => propertyTrials(property))),
};
