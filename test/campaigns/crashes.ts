import { crc32 } from "node:zlib";
import { randomFrom } from "../../src/model/random.ts";
import type { Batch, BatchResult, Campaign, Surroundings, Trials } from "./campaign.ts";
import { killHindrance, killTrials } from "./coordinator/kill-trials.ts";
import type { KillPlan } from "./coordinator/play-scenario.ts";
import { tryKills } from "./coordinator/try-kills.ts";
import { undisturbed } from "./coordinator/undisturbed.ts";
import { scenarios } from "./scenarios/index.ts";
import type { Scenario } from "./scenarios/scenario.ts";

/** Number of durable actions before the first record, which are the same in every run. */
const beginning = 12;
/** Maximum number of durable actions that a start needs to resume. */
const recovery = 12;

const crashed = scenarios.filter(({ slow }) => slow !== true);
const firsts = crashed.filter(
  ({ name }, index) => !crashed.slice(0, index).some((other) => familyOf(other.name) === familyOf(name)),
);

/** Campaign with coordinators that are killed before every durable action, and again while they recover. */
export const crashesCampaign: Campaign = {
  name: "crashes",
  about: "a real coordinator, killed before each of its durable actions and again in its recovery, ends the same",
  counts: "kills",
  trials: crashed.map((scenario) => crashesOf(scenario, firsts.indexOf(scenario))),
  hindrance: killHindrance,
};

/**
 * @param first Index of the scenario among `firsts`, or -1. Only trials of these scenarios kill before the first
 *   record; CI executes one in four of them.
 */
function crashesOf(scenario: Scenario, first: number): Trials {
  const whole = first !== -1;
  return {
    name: scenario.name,
    full: Number.POSITIVE_INFINITY,
    short: first % 4 === 0 ? 1 : 0,
    batch: 4,
    run: (batch, surroundings) => runBatch(scenario, whole ? 0 : beginning, batch, surroundings),
  };
}

async function runBatch(
  scenario: Scenario,
  skipped: number,
  { seed, from, count }: Batch,
  surroundings: Surroundings,
): Promise<BatchResult> {
  const { changes } = (await undisturbed(scenario, surroundings)).played;
  return killTrials({ from, count }, async (number) => {
    const total = changes.reduce((sum, each) => sum + each, -skipped);
    if (number >= total) return null;
    const random = randomFrom(crc32(`${scenario.name} ${number}`, seed)).next;
    return tryKills(scenario, surroundings, planOf(targetOf(changes, skipped + placeOf(number, total)), random));
  });
}

function placeOf(number: number, total: number): number {
  let step = Math.ceil(total * 0.618);
  while (divisor(step, total) > 1) step += 1;
  return ((number + 1) * step) % total;
}

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));

interface Target {
  readonly start: number;
  readonly change: number;
  readonly left: number;
}

function targetOf(changes: readonly number[], place: number): Target {
  let change = place + 1;
  const start = changes.findIndex((count) => {
    if (change <= count) return true;
    change -= count;
    return false;
  });
  return { start, change, left: (changes[start] ?? 0) - change };
}

function planOf({ start, change, left }: Target, random: () => number): KillPlan {
  const inRecovery = (): number => 1 + Math.floor(random() * (recovery + left));
  return (due, kills) => {
    if (due !== start || kills > 2) return undefined;
    if (kills === 0) return { atChange: change };
    return kills === 1 || random() < 1 / 3 ? { atChange: inRecovery() } : undefined;
  };
}

function familyOf(name: string): string {
  return name.split(":")[0] ?? name;
}
