/** Pseudo-random numbers: the same seed gives the same sequence. */
export interface Random {
  /** Number from 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number that is at least 0 and less than `count`. */
  below(count: number): number;
  /** @param rate Probability, from 0 to 1. */
  chance(rate: number): boolean;
  pick<Value>(from: readonly [Value, ...Value[]]): Value;
  /** Choose a name by its weight; the first name if all weights are 0. */
  among<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  /** Create an independent generator: draws from other generators do not affect it. */
  fork(name: string): Random;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    chance: (rate) => rate > 0 && next() < rate,
    pick: (from) => from[below(from.length)] as (typeof from)[0],
    among: (weights) => weighed(weights, next()),
    fork: (name) => randomFrom(mix(seed, name)),
  };
}

function weighed<Name extends string>(weights: Readonly<Record<Name, number>>, chance: number): Name {
  const names = Object.keys(weights) as Name[];
  let left = chance * names.reduce((sum, name) => sum + weights[name], 0);
  for (const name of names) {
    left -= weights[name];
    if (left < 0) return name;
  }
  return names[0] as Name;
}

/** Derive a seed for a name from another seed, with FNV-1a. */
function mix(seed: number, name: string): number {
  let hash = Math.imul(seed ^ 0x811c9dc5, 0x01000193) >>> 0;
  for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}
