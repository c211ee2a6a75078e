/** Where trials run. */
export interface Surroundings {
  /** Folder of the package. */
  readonly root: string;
  /** Folder of a build, with `src/hosts/cli/main.js` and `src/hosts/node/index.js`. */
  readonly program: string;
}

/** Trials to be made, one after another. */
export interface Batch {
  /** Determines everything that chance decides in them. */
  readonly seed: number;
  /** Number of the first one among all trials of this kind, from 0. */
  readonly from: number;
  readonly count: number;
  /** Of a counterexample of fast-check that was found before. */
  readonly path?: string;
}

/** What came of a batch. */
export interface BatchResult {
  /** How often something happened: `kills`, `runs`, … */
  readonly counts: Readonly<Record<string, number>>;
  /** What did not hold, each with what is needed to see it again. */
  readonly violations: readonly string[];
  /** What is worth telling beside the figures. */
  readonly notes?: readonly string[];
  /** There are no further trials of this kind: all have been made. */
  readonly exhausted?: boolean;
}

/** Trials of one kind. */
export interface Trials {
  readonly name: string;
  /** How many belong to the campaign at full size; infinite for those that end by themselves. */
  readonly full: number;
  /** How many are made in CI. */
  readonly short: number;
  /** How many a worker makes at a time. */
  readonly batch: number;
  /** A batch that takes longer hangs (10 when not given). */
  readonly minutes?: number;
  run(batch: Batch, surroundings: Surroundings): Promise<BatchResult>;
}

/** Something that is tried so often that chance has little left. */
export interface Campaign {
  readonly name: string;
  /** What it does, in one line. */
  readonly about: string;
  /** Which of the counts is what it is about. */
  readonly counts: string;
  readonly trials: readonly Trials[];
  /** Page of the repository that recorded figures are written to, between marks of its name. */
  readonly page?: string;
  /** Why it cannot be made on this machine; null when it can. */
  readonly hindrance?: (surroundings: Surroundings) => string | null;
}
