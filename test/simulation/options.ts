import type { SimulatedExecutor } from "../../src/hosts/simulation/simulation.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import type { Executors } from "../../src/ports/executor.ts";
import type { Rates } from "./rates.ts";

/** Options of a simulation. The same options always give the same run. */
export interface FaultOptions {
  /** Whole number from 0 that determines all random choices. */
  readonly seed: number;
  readonly plan?: string;
  /** Default: random. */
  readonly policy?: PolicyInput;
  readonly executors?: Partial<Readonly<Record<keyof Executors, SimulatedExecutor>>>;
  readonly rates?: Partial<Rates>;
  /** Number of starts with faults. Later starts let the run complete. Default: 4. */
  readonly roughStarts?: number;
  /**
   * Whether to compare with an undisturbed run of the same executors. No one edits, sends messages or interrupts in
   * compared runs.
   */
  readonly compare?: boolean;
}
