import { type VirtualClock, virtualClock } from "../../src/hosts/simulation/virtual-clock.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Policy } from "../../src/model/policy.ts";
import { type Random, randomFrom } from "../../src/model/random.ts";
import { type MemoryStore, memoryStore } from "../../src/testing/memory-store.ts";
import type { FaultOptions } from "./options.ts";
import type { RandomPlan } from "./random-plan.ts";
import type { Rates } from "./rates.ts";
import { checkAll, createTruths, type Truths } from "./truths.ts";

export interface Violation {
  /** `I1` to `I29`, as in `docs/evidence/promises.md`. */
  readonly invariant: string;
  readonly what: string;
}

export interface World {
  readonly options: FaultOptions;
  readonly policy: Policy;
  readonly begun: string;
  readonly clock: VirtualClock;
  readonly store: MemoryStore;
  plan(): Plan;
  readonly truths: Truths;
  readonly agreed: Set<string>;
  start: number;
  troubled: number;
  rates: Rates;
  next(): number;
  chanceOf(name: string): Random;
  tell(line: string): void;
  count(what: string): void;
  violate(invariant: string, what: string): void;
  readonly story: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}

const startMs = 1_700_000_000_000;

export function createWorld(options: FaultOptions, plan: RandomPlan, policy: Policy, rates: Rates): World {
  const clock = virtualClock(startMs);
  const chance = randomFrom(options.seed);
  const streams = new Map<string, Random>();
  const store = memoryStore(plan.text, "# Progress\n\n## Learnings\n");
  const story: string[] = [];
  const counts: Record<string, number> = {};
  const violations: Violation[] = [];
  let moment = 0;
  const checks = (command: string): readonly string[] => {
    const random = chance.fork(`checks of ${command}`);
    return command !== checkAll && random.chance(rates.names) ? checkNames.slice(0, 2 + random.below(5)) : [];
  };
  const world: World = {
    ...{ options, policy, begun: plan.text, clock, rates, story, counts, violations },
    store,
    plan: () => store.standing().plan,
    truths: createTruths(plan.needs, checks),
    agreed: new Set(),
    start: 0,
    troubled: 0,
    next: () => ++moment,
    chanceOf: (name) => {
      const stream = streams.get(name) ?? chance.fork(name);
      streams.set(name, stream);
      return stream;
    },
    tell: (line) => story.push(`${seconds(clock.elapsedMs())} start ${world.start}: ${line}`),
    count: (what) => {
      counts[what] = (counts[what] ?? 0) + 1;
    },
    violate: (invariant, what) => {
      // Stores only the first violations, because one defect may violate an invariant at every later step.
      if (violations.length < mostViolations) violations.push({ invariant, what });
      story.push(`${seconds(clock.elapsedMs())} VIOLATION of ${invariant}: ${what}`);
    },
  };
  return world;
}

const mostViolations = 20;

const checkNames = ["reads lines", "sorts `fields`", "keeps order", "prüft Länge", "closes <files>", "counts 1 of 2"];

const seconds = (ms: number): string => `${(ms / 1000).toFixed(3).padStart(10)} s`;
