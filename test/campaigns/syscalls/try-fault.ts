import { rmSync } from "node:fs";
import type { Surroundings } from "../campaign.ts";
import { atAnyMoment } from "../coordinator/at-any-moment.ts";
import { endingOf, type ProjectEnding } from "../coordinator/ending-of.ts";
import { inspectProject } from "../coordinator/inspect-project.ts";
import { arrangeStart, type Project } from "../coordinator/project.ts";
import { readJournals } from "../coordinator/read-journals.ts";
import { undisturbed } from "../coordinator/undisturbed.ts";
import { startsOf } from "../scenarios/scenario.ts";
import { checkFailed } from "./check-failed.ts";
import type { Fault } from "./fault.ts";
import { copyOf, type Ground } from "./ground.ts";
import { startFaulted } from "./start-faulted.ts";

export interface Tried {
  /** Whether the call was made. Calls on the state file may be missing. */
  readonly isHit: boolean;
  readonly violations: readonly string[];
}

export async function tryFault(fault: Fault, ground: Ground, surroundings: Surroundings): Promise<Tried> {
  const { scenario, start, trace } = ground;
  const expected = await undisturbed(scenario, surroundings);
  const project = copyOf(ground.project, surroundings);
  try {
    const violations: string[] = [];
    let isHit = false;
    for (const [index, words] of startsOf(scenario).entries()) {
      if (index < start) continue;
      if (index > start) arrangeStart(project, words);
      let exitCode: number | null = null;
      if (index === start) {
        const before = readJournals(project).segments;
        const end = await startFaulted(project, words, { fault, trace });
        isHit = fault.kind === "kill" ? end.signal === "SIGKILL" : end.traced.includes("(INJECTED)");
        if (isHit && fault.kind === "errno")
          violations.push(...checkFailed(fault, end, project, ground, words.exitCode));
        violations.push(...atAnyMoment(project));
        exitCode = end.exitCode === words.exitCode ? end.exitCode : endAfter(project, before);
      }
      const again = exitCode === null ? await startFaulted(project, words, null) : { exitCode, said: "" };
      if (again.exitCode === words.exitCode) continue;
      violations.push(`start ${index + 1} ended with ${again.exitCode}: ${again.said.slice(-600)}`);
      break;
    }
    const kills = ground.killedAt === undefined ? 1 : 2;
    violations.push(...inspectProject(project, asUndisturbed(endingOf(project), ground), expected.ending, kills));
    return { isHit, violations };
  } finally {
    rmSync(project.folder, { recursive: true, force: true });
  }
}

function endAfter(project: Project, segmentsBefore: number): number | null {
  const { segments, last } = readJournals(project);
  const record = last.findLast(({ type }) => type !== "released");
  const isEnded = segments > segmentsBefore && record?.type === "ended" && record.ending.outcome !== "environment";
  return isEnded ? record.ending.exitCode : null;
}

const asUndisturbed = (found: ProjectEnding, { project }: Ground): ProjectEnding => {
  const { ends = "", reports = "" } = found.parts;
  const outcomes = ends.split("\n").filter((outcome) => outcome !== "environment");
  const moved = reports.replaceAll(project.folder, "FOLDER");
  return { ...found, parts: { ...found.parts, ends: outcomes.join("\n"), reports: moved } };
};
