import type { SimulatedExecutor } from "../../src/hosts/simulation/simulation.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import type { Executors } from "../../src/ports/executor.ts";
import type { Rates } from "./rates.ts";

export interface FaultOptions {
  readonly seed: number;
  readonly plan?: string;
  /** Default: random. */
  readonly policy?: PolicyInput;
  readonly executors?: Partial<Readonly<Record<keyof Executors, SimulatedExecutor>>>;
  readonly rates?: Partial<Rates>;
  /** Number of starts with faults. Later starts have no faults. Default: 4. */
  readonly roughStarts?: number;
  readonly compare?: boolean;
}
