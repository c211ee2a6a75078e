import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { randomFrom } from "../../src/model/random.ts";
import type { BatchResult, Campaign, Surroundings } from "./campaign.ts";
import { childrenOfAllKinds } from "./ends/children.ts";
import { type SeenEnd, tryEnd } from "./ends/try-end.ts";
import { ways } from "./ends/way.ts";

/** Campaign: however a coordinator ends, none of its executors' processes may survive. */
export const endsCampaign: Campaign = {
  name: "ends",
  about: "real runs that end in every way, with child processes of every kind; no process may be alive 10 s later",
  counts: "ends",
  trials: [
    {
      name: "ends",
      full: 500,
      short: 6,
      batch: 3,
      run: ({ seed, from, count }, surroundings) => tryEnds(seed, from, count, surroundings),
    },
  ],
  hindrance: () => {
    if (!existsSync("/proc/self/environ")) return "it looks for processes in /proc, which is not there";
    const isThere = spawnSync("script", ["--version"]).status === 0;
    return isThere ? null : "it closes terminals of `script`, which is not there";
  },
};

async function tryEnds(seed: number, from: number, count: number, { program }: Surroundings): Promise<BatchResult> {
  const numbers = Array.from({ length: count }, (_, index) => from + index);
  const seen = await Promise.all(numbers.map((number) => tryNumber(seed, number, program)));
  return {
    counts: {
      ends: seen.length,
      processes: sum(seen.map(({ processes }) => processes)),
      orphans: sum(seen.map(({ orphans }) => orphans)),
    },
    violations: seen.flatMap(({ faults }) => faults),
  };
}

async function tryNumber(seed: number, number: number, program: string): Promise<SeenEnd> {
  const round = Math.floor(number / ways.length);
  const way = at(ways, number);
  const children = at(childrenOfAllKinds, round + (number % ways.length));
  const seen = await tryEnd(way, children, program, randomFrom(seed + number).next);
  const name = `number ${number}, seed ${seed}: ${way.name}, with ${children.kind}`;
  return { ...seen, faults: seen.faults.map((fault) => `${name}: ${fault}`) };
}

const at = <Value>(values: readonly Value[], index: number): Value => values[index % values.length] as Value;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
