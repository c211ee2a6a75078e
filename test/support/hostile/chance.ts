import { randomFrom } from "../../../src/model/random.ts";

export interface Chance {
  below(limit: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export function chanceOf(seed: number, number: number): Chance {
  const { below } = randomFrom(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35));
  return { below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}
