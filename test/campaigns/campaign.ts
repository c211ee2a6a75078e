export interface Surroundings {
  readonly root: string;
  /** Folder of a build, with `src/hosts/cli/main.js` and `src/hosts/node/index.js`. */
  readonly program: string;
}

export interface Batch {
  readonly seed: number;
  readonly from: number;
  readonly count: number;
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
  /** Infinite if the trials themselves report when they are exhausted. */
  readonly full: number;
  readonly short: number;
  readonly batch: number;
  readonly minutes?: number;
  run(batch: Batch, surroundings: Surroundings): Promise<BatchResult>;
}

export interface Campaign {
  readonly name: string;
  readonly about: string;
  readonly counts: string;
  readonly trials: readonly Trials[];
  readonly page?: string;
  readonly hindrance?: (surroundings: Surroundings) => string | null;
}
