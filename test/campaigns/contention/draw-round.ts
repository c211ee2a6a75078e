import { randomNumbers } from "../../support/random-numbers.ts";

type RoundKind =
  | "at once"
  /** Each does one task and passes the spec to the next. */
  | "relay"
  /** The holder is stopped and continued while the others try. */
  | "stopped"
  /** The holder is killed while the others wait for the spec. */
  | "killed"
  /** The holder is stopped, considered dead, and continued. */
  | "taken over";

export interface Round {
  readonly number: number;
  readonly kind: RoundKind;
  readonly coordinators: number;
  /** Number of planned tasks; the second one fails until it is fixed. */
  readonly tasks: number;
  readonly workMs: number;
  /**
   * Number of the file change, from 1, before which a coordinator is stopped or killed: an entry for each of the first
   * coordinators.
   */
  readonly changes: readonly number[];
  /** Whether a coordinator that lost its lease continues while the others work, rather than afterwards. */
  readonly wakesAmid: boolean;
  /** Whether the holder is made to look like a process of another host, rather than a process whose pid was reused. */
  readonly elsewhere: boolean;
}

const kinds: readonly RoundKind[] = ["at once", "relay", "stopped", "killed", "taken over", "taken over"];

/** The round with a number, determined by the seed. The timing of the actions depends on the system. */
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
