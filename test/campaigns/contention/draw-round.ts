import { randomNumbers } from "../../support/random-numbers.ts";

/** What happens in a round of several coordinators on one spec. */
type RoundKind =
  /** All begin at once. */
  | "at once"
  /** Each does one task and lets the next have the spec. */
  | "relay"
  /** The holder is stopped and woken again while the others try. */
  | "stopped"
  /** The holder is killed while the others wait for the spec. */
  | "killed"
  /** The holder is stopped, taken for dead, and wakes up again. */
  | "taken over";

export interface Round {
  readonly number: number;
  readonly kind: RoundKind;
  readonly coordinators: number;
  /** Of its plan; the second one fails until it was fixed. */
  readonly tasks: number;
  readonly workMs: number;
  /** Changes of files before which one after the other is stopped or killed, counted from 1. */
  readonly changes: readonly number[];
  /** One that was taken over wakes up while the other is at work, not behind it. */
  readonly wakesAmid: boolean;
  /** It is declared dead as one of another host, not as one whose pid was given to another. */
  readonly elsewhere: boolean;
}

const kinds: readonly RoundKind[] = ["at once", "relay", "stopped", "killed", "taken over", "taken over"];

/** The round of a number: the same for the same seed. When what happens meets what is up to the system. */
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
