/** Something that a run has decided, as it is decided now from the same records, and as it was recorded. */
export interface Decision {
  readonly what: string;
  readonly expected: unknown;
  readonly recorded: unknown;
}

/** A decision that comes out differently now. */
export interface Difference {
  /** Number of the record in the run, from 1. */
  readonly record: number;
  /** Of the effect or the attempt that the record is about; null for one that names none. */
  readonly key: string | null;
  readonly what: string;
  /** As JSON. */
  readonly expected: string;
  readonly recorded: string;
}

/** What one start has done of a turn. */
export interface ReplayedTurn {
  /** 0 before the first choice of a task. */
  readonly turn: number;
  /** How many decisions were compared. */
  readonly decisions: number;
}

/** A run that was replayed from its records. */
export interface Replayed {
  /** The turns of each start, oldest first. */
  readonly starts: readonly (readonly ReplayedTurn[])[];
  readonly decisions: number;
  /** The first of each turn: what follows one differs with it. */
  readonly differences: readonly Difference[];
  /** What the charts and the memory of the run hold at its end; plain JSON. */
  readonly state: unknown;
  /** Keys of what is asked for next; none when the last turn has come to its outcome. */
  readonly next: readonly string[];
}
