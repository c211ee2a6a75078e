export interface Surroundings {
  readonly root: string;
  /** A build, with `src/hosts/cli/main.js` and `src/hosts/node/index.js`. */
  readonly program: string;
}

export interface Batch {
  readonly seed: number;
  /** Index of the first trial among all of this kind, from 0. */
  readonly from: number;
  readonly count: number;
  /** Path of an earlier counterexample of fast-check. */
  readonly path?: string;
}

export interface BatchResult {
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
  readonly notes?: readonly string[];
  readonly exhausted?: boolean;
}

export interface Trials {
  readonly name: string;
  /** Number of trials of the full campaign; infinite if the trials themselves report when they are exhausted. */
  readonly full: number;
  readonly short: number;
  /** Number of trials per batch of a worker. */
  readonly batch: number;
  /** Minutes after which a batch counts as hanging (10 by default). */
  readonly minutes?: number;
  run(batch: Batch, surroundings: Surroundings): Promise<BatchResult>;
}

export interface Campaign {
  readonly name: string;
  readonly about: string;
  readonly counts: string;
  readonly trials: readonly Trials[];
  /** The page into which recorded figures are written, between marks with the campaign's name. */
  readonly page?: string;
  readonly hindrance?: (surroundings: Surroundings) => string | null;
}
