import { readPolicy } from "../../src/model/policy.ts";
import { randomFrom } from "../../src/model/random.ts";
import { betweenStarts, nextWords } from "./between-starts.ts";
import { compareRuns } from "./compare-runs.ts";
import type { FaultRun } from "./fault-run.ts";
import type { FaultOptions } from "./options.ts";
import { randomPlan } from "./random-plan.ts";
import { randomPolicy } from "./random-policy.ts";
import { calmFaults, roughRates } from "./rates.ts";
import { createScenery, type Scenery } from "./scenery.ts";
import { type StartEnd, startOnce, type Words } from "./start-once.ts";
import { watchHealth } from "./watch-health.ts";
import { createWorld } from "./world.ts";

const mostStarts = 60;

/**
 * Plays a whole run on a virtual clock, with real effects and random ports, and asserts invariants.
 *
 * @see docs/evidence/promises.md
 */
export async function simulateFaults(options: FaultOptions): Promise<FaultRun> {
  const chance = randomFrom(options.seed);
  const plan =
    options.plan === undefined ? randomPlan(chance.fork("plan")) : { text: options.plan, needs: new Map<string, []>() };
  const given = options.policy ?? randomPolicy(chance.fork("policy"));
  const policy = readPolicy({ ...given, ...(options.compare === true && unbounded) });
  const rates = { ...roughRates, ...options.rates, ...(options.compare === true && quiet) };
  const world = createWorld(options, plan, policy, rates);
  const scenery = createScenery(world, world.plan());
  const starts: FaultRun["starts"][number][] = [];
  let words: Words | null = { yes: true };
  while (words !== null && starts.length < mostStarts) {
    world.start += 1;
    if (world.start > (options.roughStarts ?? 4)) world.rates = { ...rates, ...calmFaults };
    const end = await startOnce(scenery, words);
    starts.push(nameOf(end));
    world.tell(`is over: ${nameOf(end)}${end.kind === "refused" ? `, ${end.error.message}` : ""}`);
    if (end.kind === "broken") world.violate("I21", `a start threw ${describe(end.error)}`);
    words = nextWords(scenery, end, starts);
    if (words !== null) await world.clock.drive(betweenStarts(scenery, end));
  }
  if (words !== null) world.violate("I29", `the run has not ended after ${starts.length} starts`);
  const outcome = starts.at(-1) as FaultRun["outcome"];
  watchHealth(world, outcome);
  const made = resultOf(scenery, plan.text, starts, outcome);
  if (options.compare !== true || world.rates.kill + rates.kill + rates.refuse + rates.jump === 0) return made;
  const undisturbed = await simulateFaults({ ...options, rates: { ...options.rates, ...calmFaults } });
  compareRuns(world, made, undisturbed);
  return resultOf(scenery, plan.text, starts, outcome);
}

const quiet = { loss: 0, word: 0, edit: 0, abort: 0, tampers: 0, refuses: 0, trouble: 0, away: 1 } as const;

const unbounded = { maxGlobalIterations: 10_000, maxRunTime: null, maxCost: null, maxTokens: null } as const;

function resultOf(
  { world, journal, events }: Scenery,
  plan: string,
  starts: FaultRun["starts"],
  outcome: FaultRun["outcome"],
): FaultRun {
  const { options, policy, store, story, counts, violations } = world;
  return {
    ...{ seed: options.seed, policy, plan, starts, outcome, events, story, counts, violations },
    records: journal.records,
    tasks: store.tasks.text,
    progress: store.log.text,
    summary: store.summary.text,
  };
}

const nameOf = (end: StartEnd): FaultRun["outcome"] => (end.kind === "ended" ? end.ended.outcome : end.kind);

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));
