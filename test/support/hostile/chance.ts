import { randomFrom } from "../../../src/model/random.ts";

/** Pseudo-random numbers, the same for the same seed. */
export interface Chance {
  /** From 0 to below `limit`. */
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** The random numbers of a trial, determined by its seed and its number. */
export function chanceOf(seed: number, number: number): Chance {
  const { below } = randomFrom(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35));
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}
