import { type Chance, chanceOf } from "../support/hostile/chance.ts";
import type { Trials } from "./campaign.ts";

/** CPU milliseconds that an input of a few thousand characters may take. */
const longest = 250;

export interface Fuzz<Input> {
  readonly name: string;
  readonly full: number;
  readonly short: number;
  make(chance: Chance): Input;
  check(input: Input): void | Promise<void>;
}

export const fuzzTrials = <Input>({ name, full, short, make, check }: Fuzz<Input>): Trials => ({
  ...{ name, full, short },
  batch: 500,
  run: async ({ seed, from, count }) => {
    const violations: string[] = [];
    for (let number = from; number < from + count; number += 1) {
      const failure = await tryInput(() => make(chanceOf(seed, number)), check);
      if (failure !== null) violations.push(`${name}, number ${number}, --seed ${seed}: ${failure}`);
      if (violations.length === 20) break;
    }
    return { counts: { inputs: count }, violations };
  },
});

async function tryInput<Input>(make: () => Input, check: Fuzz<Input>["check"]): Promise<string | null> {
  const input = make();
  const shown = (): string => JSON.stringify(input)?.slice(0, 2000) ?? "";
  try {
    const started = performance.now();
    await check(input);
    if (performance.now() - started <= longest) return null;
    // Repeat a slow input, because another process or the compiler may have used the CPU.
    const times = [await cpuMs(input, check), await cpuMs(input, check)];
    const least = Math.min(...times);
    return least > longest ? `takes ${least.toFixed(0)} ms: ${shown()}` : null;
  } catch (error) {
    const told = error instanceof Error ? `${error.stack ?? error.message}` : String(error);
    return `${told.slice(0, 1500)}\n  for ${shown()}`;
  }
}

async function cpuMs<Input>(input: Input, check: Fuzz<Input>["check"]): Promise<number> {
  const start = process.cpuUsage();
  await check(input);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
