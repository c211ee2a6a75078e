import { existsSync, rmSync } from "node:fs";
import { randomNumbers } from "../support/random-numbers.ts";
import { hidingProc, hindranceToHide } from "../support/without-proc.ts";
import type { Batch, BatchResult, Campaign } from "./campaign.ts";
import { type Crew, createCrew } from "./contention/crew.ts";
import { drawRound, type Round } from "./contention/draw-round.ts";
import { playCommands } from "./contention/play-commands.ts";
import { type Meeting, numberingPairs, otherPairs, playPair } from "./contention/play-pair.ts";
import { type Played, playRound } from "./contention/play-round.ts";
import { createProject, type Project } from "./contention/project.ts";

/** Campaign with real processes that compete for one spec. The seed determines their actions, but not the timing. */
export const contentionCampaign: Campaign = {
  name: "contention",
  about: "two to sixteen coordinators on one spec: at once, in turns, stopped and continued, killed, taken over",
  counts: "rounds",
  hindrance: () => (existsSync("/proc/self/stat") ? null : "it needs /proc"),
  trials: [
    {
      name: "processes that coordinate round after round",
      full: 1_900,
      short: 2,
      batch: 20,
      run: async (batch, surroundings) => playWith(batch, createCrew(surroundings)),
    },
    {
      name: "the same where /proc is empty",
      full: 100,
      short: 2,
      batch: 20,
      run: async (batch, surroundings) => {
        const hindrance = hindranceToHide();
        if (hindrance !== null)
          return { counts: {}, violations: [], notes: [`skipped: ${hindrance}`], exhausted: true };
        return playWith(
          batch,
          createCrew(surroundings, (command) => hidingProc(command, { listed: true })),
          // Without `/proc`, start times are unknown, so a holder counts as alive while its process id exists.
          (round) => ({ ...round, elsewhere: true }),
        );
      },
    },
    {
      name: "the command line",
      full: 100,
      short: 1,
      batch: 1,
      run: (batch, { program }) => playAll(batch, (round, project) => playCommands(round, project, program)),
    },
    {
      name: "pairs of starts that may choose a run number",
      full: numberingPairs.length * 300,
      short: 2,
      batch: 6,
      run: (batch, { program }) => meetAll(batch, numberingPairs, program),
    },
    {
      name: "pairs with other starts",
      full: otherPairs.length * 20,
      short: 2,
      batch: 6,
      run: (batch, { program }) => meetAll(batch, otherPairs, program),
    },
  ],
};

async function playWith(batch: Batch, crew: Crew, changed = (round: Round): Round => round): Promise<BatchResult> {
  try {
    return await playAll(batch, (round, project) => playRound(changed(round), project, crew));
  } finally {
    await crew.dismiss();
  }
}

async function playAll(
  { seed, from, count }: Batch,
  play: (round: Round, project: Project) => Promise<Played>,
): Promise<BatchResult> {
  const counts = { rounds: 0, coordinators: 0, kills: 0, stops: 0, "take-overs": 0 };
  const violations: string[] = [];
  for (let number = from; number < from + count; number++) {
    const round = drawRound(seed, number);
    const project = createProject(round.tasks);
    const played = await play(round, project);
    counts.rounds += 1;
    counts.coordinators += round.coordinators;
    counts.kills += played.kills;
    counts.stops += played.stops;
    counts["take-overs"] += played.takeOvers;
    const again = `round ${number} of --seed ${seed}, ${JSON.stringify(round)}, left in ${project.workspace}`;
    violations.push(...played.violations.map((violation) => `${violation}\n  ${again}`));
    if (played.violations.length === 0) rmSync(project.workspace, { recursive: true });
  }
  return { counts, violations };
}

async function meetAll(
  { seed, from, count }: Batch,
  among: typeof numberingPairs,
  program: string,
): Promise<BatchResult> {
  const counts = { rounds: 0, coordinators: 0, kills: 0, refused: 0 };
  const violations: string[] = [];
  for (let number = from; number < from + count; number++) {
    const next = randomNumbers(Math.imul(seed ^ 0x85ebca6b, 0x9e3779b9) + number);
    const [first, second] = among[number % among.length] ?? ["run", "run"];
    const meeting: Meeting = {
      ...{ first, second },
      afterKill: Math.floor(number / among.length) % 2 === 1,
      delayMs: Math.floor(next() * 61),
    };
    const met = await playPair(meeting, program);
    counts.rounds += 1;
    counts.coordinators += meeting.afterKill ? 3 : 2;
    counts.kills += meeting.afterKill ? 1 : 0;
    counts.refused += met.refused;
    const again = `round ${number} of --seed ${seed}, ${JSON.stringify(meeting)}, left in ${met.workspace}`;
    violations.push(...met.violations.map((violation) => `${violation}\n  ${again}`));
    if (met.violations.length === 0) rmSync(met.workspace, { recursive: true });
  }
  return { counts, violations };
}
