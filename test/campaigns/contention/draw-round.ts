import { randomNumbers } from "../../support/random-numbers.ts";

type RoundKind =
  | "at once"
  /** Each process does one task, then releases the spec. */
  | "relay"
  /** The holder is suspended and continued while the other processes try to get the spec. */
  | "stopped"
  /** The holder is killed while the other processes wait for the spec. */
  | "killed"
  /** The holder is suspended, considered dead, and continued. */
  | "taken over";

export interface Round {
  readonly number: number;
  readonly kind: RoundKind;
  readonly coordinators: number;
  readonly tasks: number;
  readonly workMs: number;
  /** File change, counted from 1, right before which each of the first coordinators is stopped or killed. */
  readonly changes: readonly number[];
  readonly wakesAmid: boolean;
  readonly elsewhere: boolean;
}

const kinds: readonly RoundKind[] = ["at once", "relay", "stopped", "killed", "taken over", "taken over"];

export function drawRound(seed: number, number: number): Round {
  const next = randomNumbers(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + number);
  const below = (limit: number): number => Math.floor(next() * limit);
  const coordinators = 2 + below(below(3) === 0 ? 15 : 5);
  return {
    number,
    kind: kinds[below(kinds.length)] ?? "at once",
    coordinators,
    tasks: 1 + below(3),
    workMs: below(4),
    changes: Array.from({ length: Math.min(coordinators - 1, 1 + below(3)) }, () => 1 + below(60)),
    wakesAmid: below(2) === 0,
    elsewhere: below(2) === 0,
  };
}
