import { exitCodes, type RunEnded } from "../../src/model/event.ts";
import type { Processes } from "./processes.ts";
import type { World } from "./world.ts";

export function watchEnd(world: World, processes: Processes, { outcome, exitCode, error }: RunEnded): void {
  if (exitCode !== exitCodes[outcome]) world.violate("I21", `${outcome} ends with ${exitCode}`);
  if ((error === undefined) !== ["complete", "skipped", "interrupted", "cancelled"].includes(outcome)) {
    world.violate("I21", `${outcome} says ${error ?? "not why"}`);
  }
  if (outcome === "checkpoint" && world.store.reports.size === 0) world.violate("I21", "a checkpoint has no report");
  for (const { delegation } of processes.alive()) world.violate("I20", `${delegation.key} is still at work`);
}
