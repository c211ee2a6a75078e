import { cpSync, existsSync, rmSync } from "node:fs";
import { moveRemembered, ownerFolder } from "../../support/owner-folder.ts";
import type { Surroundings } from "../campaign.ts";
import { arrangeStart, newProject, type Project } from "../coordinator/project.ts";
import { type Scenario, startsOf } from "../scenarios/scenario.ts";
import { startFaulted } from "./start-faulted.ts";
import { readTrace, type Trace } from "./traced-call.ts";

export interface GroundPlan {
  readonly scenario: Scenario;
  readonly start: number;
  readonly killedAt?: { readonly name: string; readonly path: string; readonly ordinal: number };
}

export interface Ground extends GroundPlan {
  readonly project: Project;
  readonly trace: Trace;
}

/** The caller must remove the folder of the project. */
export async function prepareGround(plan: GroundPlan, surroundings: Surroundings): Promise<Ground> {
  const { scenario, start, killedAt } = plan;
  const project = newProject(scenario, surroundings);
  for (const [index, before] of startsOf(scenario)
    .slice(0, start + 1)
    .entries()) {
    arrangeStart(project, before);
    if (index < start) await startFaulted(project, before, null);
  }
  const [words] = startsOf(scenario).slice(start);
  if (words === undefined) throw new Error(`Cannot try start ${start} of \`${scenario.name}\`, expected it to exist`);
  if (killedAt !== undefined) {
    const call = { ...killedAt, changes: true, isLaterFlush: false };
    const { signal } = await startFaulted(project, words, { fault: { kind: "kill", call }, trace: nothing });
    if (signal !== "SIGKILL") throw new Error(`Cannot kill \`${scenario.name}\`, expected ${killedAt.path} to be used`);
  }
  const copy = copyOf(project, surroundings);
  const { pid, traced } = await startFaulted(copy, words, "trace");
  rmSync(copy.folder, { recursive: true, force: true });
  return { ...plan, project, trace: readTrace(traced, pid, copy.spec) };
}

export function copyOf(project: Project, surroundings: Surroundings): Project {
  const copy = newProject(project.scenario, surroundings);
  rmSync(copy.folder, { recursive: true, force: true });
  cpSync(project.folder, copy.folder, { recursive: true, verbatimSymlinks: true });
  // Consent is stored by the path of the spec, so the copy needs consent of its own.
  const owner = ownerFolder(project.spec);
  if (existsSync(owner)) {
    cpSync(owner, ownerFolder(copy.spec), { recursive: true });
    moveRemembered(copy);
  }
  return copy;
}

const nothing: Trace = { calls: [], isShared: false };
