import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { alive } from "../../support/processes.ts";
import type { ProjectEnding } from "./ending-of.ts";
import type { Project } from "./project.ts";
import { type NumberedRecord, readJournals } from "./read-journals.ts";

/**
 * @param expected Result of the same scenario without kills.
 * @param kills Number of kills; each may repeat one delegation of each task in progress.
 */
export function inspectProject(
  project: Project,
  found: ProjectEnding,
  expected: ProjectEnding,
  kills: number,
): string[] {
  const { records, takenOver, violations } = readJournals(project);
  const width = project.scenario.width ?? 1;
  const most = expected.delegations.length + kills * width;
  return [
    ...violations,
    ...Object.entries(expected.parts).flatMap(([name, text]) => {
      const other = found.parts[name] ?? "";
      return other === text ? [] : [`${name} differs: ${firstDifference(text, other)}`];
    }),
    ...(found.delegations.length > most ? [`${found.delegations.length} delegations after ${kills} kills`] : []),
    ...goingBack(records, takenOver),
    ...leftIn(project),
    ...(project.forge?.judge() ?? []),
  ];
}

function goingBack(records: readonly NumberedRecord[], takenOver: number): string[] {
  const found: string[] = [];
  const attempts = new Map<string, number>();
  const judged = new Set<string>();
  const made: string[] = [];
  let elapsedMs = 0;
  let delegations = takenOver;
  for (const record of records) {
    if (record.type === "delegated") {
      delegations += 1;
      if (judged.has(record.key)) found.push(`${record.key} was made again after it was judged`);
      const owner = `${record.role} ${record.task}`;
      // In a race, every unfinished attempt begins again, from the first attempt of the race on.
      const least = record.race?.first ?? attempts.get(owner) ?? 0;
      if (record.attempt < least) found.push(`attempt ${record.attempt} of ${owner} came late`);
      attempts.set(owner, record.attempt);
      if (record.elapsedMs < elapsedMs) found.push(`the time at work fell to ${record.elapsedMs} ms`);
      elapsedMs = record.elapsedMs;
    }
    if (record.type === "answered" && record.answer.kind === "raced") judged.add(record.key.slice(0, -"/lane".length));
    if (record.type === "answered" && record.key.endsWith("/verify") && record.verify !== undefined) {
      judged.add(record.key.slice(0, -"/verify".length));
    }
    if (record.type === "intended") made.push(record.fix.id);
    if (record.type === "planned") made.push(...record.plan.tasks.map(({ id }) => id));
    if (record.type === "ended" && record.ending.attempts !== delegations) {
      found.push(`an end counts ${record.ending.attempts} delegations, not ${delegations}`);
    }
  }
  const doubled = made.filter((id, index) => made.indexOf(id) !== index);
  return doubled.length > 0 ? [...found, `made twice: ${doubled}`] : found;
}

function leftIn(project: Project): string[] {
  const { folder, dataFolder } = project;
  const living = alive(project);
  const runs = existsSync(dataFolder) ? readdirSync(dataFolder).filter((name) => name.startsWith("run-")) : [];
  const overlaps = join(folder, "overlaps");
  return [
    ...(living.length > 0 ? [`processes are alive: ${living}`] : []),
    ...(runs.length > 1 ? [`there is more than one run: ${runs}`] : []),
    ...(existsSync(overlaps) ? [`worked on by two at once: ${readFileSync(overlaps, "utf8")}`] : []),
  ];
}

function firstDifference(expected: string, found: string): string {
  const other = found.split("\n");
  const lines = expected.split("\n");
  const index = Math.max(
    0,
    lines.findIndex((line, at) => line !== other[at]),
  );
  return `line ${index + 1} is ${JSON.stringify(other[index] ?? null)}, not ${JSON.stringify(lines[index] ?? null)}`;
}
