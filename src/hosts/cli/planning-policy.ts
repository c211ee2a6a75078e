import type { PlanningConfig } from "../../adapters/planning-config.ts";
import type { Settings } from "./settings.ts";

/**
 * What another system's settings for repair mean for a run, below all that fixpoint itself is told: that they forbid
 * repair counts only where they choose the ladder.
 *
 * @param isOpen Whether the ladder is still to be chosen: none was given, and no run is gone on with that has one.
 */
export function planningPolicy(
  { nodeRepair, repairBudget }: PlanningConfig,
  isOpen: () => boolean,
): Pick<Settings, "policy" | "ladder"> {
  const chooses = nodeRepair !== null && isOpen();
  return {
    policy: repairBudget !== null && (chooses || nodeRepair !== false) ? { repairBudget } : {},
    ...(chooses && { ladder: { repair: true } }),
  };
}
