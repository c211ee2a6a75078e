import type { SimulatedRun } from "./simulated-run.ts";
import type { World } from "./world.ts";

/** I15, I27: kills, refusals and a wall clock that is set change nothing but the number of delegations. */
export function compareRuns(world: World, made: SimulatedRun, undisturbed: SimulatedRun): void {
  for (const what of ["outcome", "tasks", "progress", "summary"] as const) {
    if (made[what] === undisturbed[what]) continue;
    const [found, expected] = [made[what], undisturbed[what]].map((text) => JSON.stringify(text));
    world.violate("I15", `${what} is ${found}, undisturbed ${expected}`);
  }
}
