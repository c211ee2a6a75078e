import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Surroundings } from "../campaign.ts";
import { atAnyMoment } from "../coordinator/at-any-moment.ts";
import { endingOf, type ProjectEnding } from "../coordinator/ending-of.ts";
import { inspectProject } from "../coordinator/inspect-project.ts";
import { newProject, type Project } from "../coordinator/project.ts";
import { readJournals } from "../coordinator/read-journals.ts";
import { undisturbed } from "../coordinator/undisturbed.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import { type Disk, makeDisk, mountDisk } from "./disk.ts";
import { missingRecords } from "./missing-records.ts";
import { type CutMoment, startUntilCut } from "./start-until-cut.ts";

export interface TriedCut {
  readonly cuts: readonly string[];
  readonly violations: readonly string[];
}

const never: CutMoment = { event: Number.POSITIVE_INFINITY, laterMs: 0 };
const folders = new Set<string>();
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export async function tryCut(scenario: Scenario, random: () => number, surroundings: Surroundings): Promise<TriedCut> {
  const { ending } = await undisturbed(scenario, surroundings);
  const project = newProject(scenario, surroundings);
  folders.add(project.folder);
  let disk = moveToDisk(project);
  try {
    const violations: string[] = [];
    const cuts: string[] = [];
    const wanted = random() < 0.3 ? 2 : 1;
    let exitCode: number | null = null;
    let said = "";
    for (let start = 0; exitCode === null; start++) {
      const events = Math.ceil(random() * 4 * ending.delegations.length);
      // With slow flushes, most cuts come before the flush that runs during an executor's work.
      const preload = random() < 0.5 ? {} : { preload: join(surroundings.root, "test/support/slow-flush.mjs") };
      const chosen = { event: events, laterMs: random() < 0.5 ? 0 : random() * 60, ...preload };
      const moment = start < wanted ? chosen : never;
      const image = join(project.folder, `cut-${start}`);
      const boot = join(project.folder, `boot-${start}`);
      writeFileSync(boot, `${randomUUID()}\n`);
      const begun = await startUntilCut(project, { exitCode: 0 }, moment, boot, () => disk.cut(image));
      ({ exitCode, said } = begun);
      if (exitCode !== null) break;
      disk.unmount();
      disk = mountDisk(image, project.spec);
      cuts.push(`${moment.laterMs.toFixed(1)} ms behind event ${moment.event}, ${begun.events.at(-1)?.type}`);
      violations.push(...missingRecords(project, begun), ...atAnyMoment(project));
      // After a recorded end nothing is left to do.
      if (readJournals(project).last.some(({ type }) => type === "ended")) exitCode = 0;
    }
    if (exitCode !== 0) violations.push(`it ended with ${exitCode}: ${said.slice(-600)}`);
    violations.push(...inspectProject(project, withoutOutputs(endingOf(project)), withoutOutputs(ending), cuts.length));
    return { cuts, violations: violations.map((violation) => `${cuts.join("; ")}: ${violation}`) };
  } finally {
    disk.unmount();
    rmSync(project.folder, { recursive: true, force: true });
    folders.delete(project.folder);
  }
}

/**
 * A cut may lose an output that is not yet flushed. Verify then proves the work, so no executor writes the output
 * again.
 */
const withoutOutputs = (ending: ProjectEnding): ProjectEnding => {
  const files = (ending.parts["files"] ?? "").split("\n").filter((path) => !/\/out\/[^/]+$/.test(path));
  return { ...ending, parts: { ...ending.parts, files: files.join("\n") } };
};

/** Moves only the spec, because the coordinator does not sync the files of executors. */
function moveToDisk({ folder, spec }: Project): Disk {
  const files = readdirSync(spec).map((name) => [name, readFileSync(join(spec, name))] as const);
  const disk = makeDisk(join(folder, "disk"), spec);
  for (const [name, content] of files) writeFileSync(join(spec, name), content);
  execFileSync("sync", ["--file-system", spec]);
  return disk;
}
