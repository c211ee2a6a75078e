import { rmSync } from "node:fs";
import { crc32 } from "node:zlib";
import { randomFrom } from "../../src/model/random.ts";
import type { Batch, BatchResult, Campaign, Surroundings, Trials } from "./campaign.ts";
import { endingOf, type ProjectEnding } from "./coordinator/ending-of.ts";
import { inspectProject } from "./coordinator/inspect-project.ts";
import { killHindrance, killTrials } from "./coordinator/kill-trials.ts";
import { newProject } from "./coordinator/project.ts";
import { playSteps, type StepKills, type Stepped } from "./hand-out/play-steps.ts";
import { type Play, plays } from "./hand-out/plays.ts";

/**
 * Campaign with calls of `next` and `report` that are killed before every durable action, and again when they are
 * repeated.
 */
export const handOutCampaign: Campaign = {
  name: "hand-out",
  about: "`next` and `report`, killed before each of their durable actions, hand out and count each attempt once",
  counts: "kills",
  trials: plays.map(
    (play, index): Trials => ({
      name: play.name,
      full: Number.POSITIVE_INFINITY,
      short: index < 2 ? 1 : 0,
      batch: 4,
      run: (batch, surroundings) => runBatch(play, batch, surroundings),
    }),
  ),
  hindrance: killHindrance,
};

async function runBatch(play: Play, { seed, from, count }: Batch, surroundings: Surroundings): Promise<BatchResult> {
  const whole = await undisturbed(play, surroundings);
  return killTrials({ from, count }, async (number) => {
    const places = whole.changes.flatMap((made, call) =>
      Array.from({ length: made }, (_, at) => ({ call, at: at + 1 })),
    );
    // Use a stride without a common factor, so that consecutive numbers reach all positions.
    const place = places[(number * stride(places.length)) % places.length];
    if (place === undefined || number >= places.length) return null;
    const random = randomFrom(crc32(`${play.name} ${number}`, seed)).next;
    const plan: StepKills = (call, kills) => {
      if (kills === 0) return call === place.call ? { atChange: place.at } : undefined;
      const isAgain = call === place.call && kills < 3 && random() < 0.5;
      return isAgain ? { atChange: 1 + Math.floor(random() * (whole.changes[call] ?? 1)) } : undefined;
    };
    const { kills, violations, ending } = await playOnce(play, surroundings, plan, whole.ending);
    return {
      kills: kills.length,
      repeated: ending.delegations.length - whole.ending.delegations.length,
      violations: violations.map((violation) => `killed ${kills.join(", ")}: ${violation}`),
    };
  });
}

function stride(length: number): number {
  let step = Math.max(1, Math.ceil(length * 0.618));
  while (divisor(step, length) > 1) step += 1;
  return step;
}

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));

interface PlayedOnce extends Stepped {
  readonly ending: ProjectEnding;
}

const known = new Map<string, Promise<PlayedOnce>>();

function undisturbed(play: Play, surroundings: Surroundings): Promise<PlayedOnce> {
  const found = known.get(play.name) ?? playOnce(play, surroundings, () => undefined, null);
  known.set(play.name, found);
  return found;
}

async function playOnce(
  play: Play,
  surroundings: Surroundings,
  plan: StepKills,
  expected: ProjectEnding | null,
): Promise<PlayedOnce> {
  const project = newProject(play, surroundings);
  try {
    const stepped = await playSteps(project, play, plan);
    const ending = endingOf(project);
    // Pass zero kills: even after a killed call, no task that was handed out may be delegated again.
    const violations = [...stepped.violations, ...inspectProject(project, ending, expected ?? ending, 0)];
    if (expected === null && violations.length > 0)
      throw new Error(`Cannot play \`${play.name}\`:\n${violations.join("\n")}`);
    return { ...stepped, violations, ending };
  } finally {
    rmSync(project.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
