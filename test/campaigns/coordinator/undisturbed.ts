import { rmSync } from "node:fs";
import type { Surroundings } from "../campaign.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import { endingOf, type ProjectEnding } from "./ending-of.ts";
import { inspectProject } from "./inspect-project.ts";
import { withForge } from "./open-forge.ts";
import { type Played, playScenario } from "./play-scenario.ts";
import { newProject } from "./project.ts";

export interface Undisturbed {
  readonly ending: ProjectEnding;
  readonly played: Played;
}

const known = new Map<string, Promise<Undisturbed>>();

export function undisturbed(scenario: Scenario, surroundings: Surroundings): Promise<Undisturbed> {
  const found = known.get(scenario.name) ?? play(scenario, surroundings);
  known.set(scenario.name, found);
  return found;
}

async function play(scenario: Scenario, surroundings: Surroundings): Promise<Undisturbed> {
  const project = await withForge(newProject(scenario, surroundings));
  try {
    const played = await playScenario(project, () => undefined);
    const ending = endingOf(project);
    const violations = [...played.violations, ...inspectProject(project, ending, ending, 0)];
    if (violations.length > 0) throw new Error(`Cannot play \`${scenario.name}\`:\n${violations.join("\n")}`);
    return { ending, played };
  } finally {
    await project.forge?.close();
    rmSync(project.folder, { recursive: true, force: true });
  }
}
