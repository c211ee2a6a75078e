import { behaviours } from "./rates.ts";
import type { World } from "./world.ts";

/** I29: if executors and people make no mistake, the run completes despite all faults of the coordinator. */
export function watchHealth(world: World, outcome: string): void {
  const { counts, policy, options } = world;
  const wrongs = [
    ...behaviours.filter((name) => name !== "does"),
    "loss",
    "edit",
    "complaint",
    "garble",
    "check hangs",
    "trouble",
    "word: cancel",
  ];
  if (options.executors !== undefined || wrongs.some((name) => (counts[name] ?? 0) > 0)) return;
  const isBounded = policy.maxGlobalIterations !== null || policy.maxRunTime !== null || policy.maxTokens !== null;
  if (isBounded || outcome === "complete") return;
  world.violate("I29", `everybody did what they were told, and the run ended with ${outcome}`);
}
