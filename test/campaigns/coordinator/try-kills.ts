import { rmSync } from "node:fs";
import type { Surroundings } from "../campaign.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import { endingOf } from "./ending-of.ts";
import { inspectProject } from "./inspect-project.ts";
import { withForge } from "./open-forge.ts";
import { type KillPlan, playScenario } from "./play-scenario.ts";
import { newProject } from "./project.ts";
import { undisturbed } from "./undisturbed.ts";

export interface Tried {
  readonly kills: number;
  readonly repeated: number;
  readonly violations: readonly string[];
}

export async function tryKills(scenario: Scenario, surroundings: Surroundings, plan: KillPlan): Promise<Tried> {
  const { ending } = await undisturbed(scenario, surroundings);
  const project = await withForge(newProject(scenario, surroundings));
  try {
    const { kills, violations } = await playScenario(project, plan);
    const found = endingOf(project);
    // Compare only a run that ended properly: otherwise everything differs.
    const all = violations.length > 0 ? violations : inspectProject(project, found, ending, kills.length);
    return {
      kills: kills.length,
      repeated: found.delegations.length - ending.delegations.length,
      violations: all.map((violation) => `killed ${kills.join(", ")}: ${violation}`),
    };
  } finally {
    await project.forge?.close();
    rmSync(project.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
