import { join } from "node:path";
import { startsOf } from "../scenarios/scenario.ts";
import { atAnyMoment } from "./at-any-moment.ts";
import type { Kill } from "./call-program.ts";
import { editFile } from "./edit-file.ts";
import { arrangeStart, type Project } from "./project.ts";
import { readJournals } from "./read-journals.ts";
import { startCoordinator } from "./start-coordinator.ts";

export interface Played {
  readonly kills: readonly string[];
  readonly changes: readonly number[];
  readonly ms: readonly number[];
  readonly violations: readonly string[];
}

export type KillPlan = (start: number, kills: number) => Kill | undefined;

const mostKills = 50;

export async function playScenario(project: Project, plan: KillPlan): Promise<Played> {
  const kills: string[] = [];
  const changes: number[] = [];
  const ms: number[] = [];
  const violations: string[] = [];
  for (const [index, start] of startsOf(project.scenario).entries()) {
    arrangeStart(project, start);
    let exitCode: number | null = null;
    let said = "";
    let asked = 0;
    while (exitCode === null && kills.length < mostKills) {
      const { segments: before, records } = readJournals(project);
      const kill = start.unharmed === true ? undefined : plan(index, kills.length);
      const begun = performance.now();
      const isTaken =
        start.once === true && !["ended", "released", "left", "continued"].includes(records.at(-1)?.type ?? "");
      const started = await startCoordinator(project, isTaken ? { ...start, words: ["resume"] } : start, kill);
      ms[index] = performance.now() - begun;
      changes[index] = started.changes ?? 0;
      said = started.said;
      exitCode = started.killed ? endAfter(project, before) : started.exitCode;
      if (started.killed) kills.push(wordsOf(index, kill));
      violations.push(...atAnyMoment(project));
      if (exitCode !== 2 || asked === kills.length || !clearTick(project, said)) continue;
      asked++;
      exitCode = null;
    }
    if (exitCode === start.exitCode) continue;
    violations.push(`start ${index + 1} ended with ${exitCode}, not ${start.exitCode}: ${said.slice(-600)}`);
    break;
  }
  return { kills, changes, ms, violations };
}

function clearTick({ scenario: { tickedByOther: task }, spec }: Project, said: string): boolean {
  if (task === undefined || !said.includes(`these tasks are ticked without a verdict: ${task}\n`)) return false;
  editFile(join(spec, "tasks.md"), `- [x] ${task} `, `- [ ] ${task} `);
  return true;
}

function endAfter(project: Project, segmentsBefore: number): number | null {
  const { segments, last } = readJournals(project);
  const record = last.at(-1);
  return segments > segmentsBefore && record?.type === "ended" ? record.ending.exitCode : null;
}

const wordsOf = (start: number, kill: Kill = {}): string =>
  `start ${start + 1} ${kill.atChange === undefined ? `after ${Math.round(kill.afterMs ?? 0)} ms` : `before change ${kill.atChange}`}`;
