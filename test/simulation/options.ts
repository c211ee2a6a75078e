import type { SimulatedExecutor } from "../../src/hosts/simulation/simulation.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import type { Executors } from "../../src/ports/executor.ts";
import type { Rates } from "./rates.ts";

/** The options of a simulation. The same options give exactly the same run. */
export interface FaultOptions {
  /** A whole number from 0. Determines all random choices. */
  readonly seed: number;
  /** Text of a `tasks.md`; random by default. */
  readonly plan?: string;
  /** Random by default. */
  readonly policy?: PolicyInput;
  /** The functions for each role, in place of simulated executors. */
  readonly executors?: Partial<Readonly<Record<keyof Executors, SimulatedExecutor>>>;
  /** The rates of all events; by default `roughRates`, in which everything happens. */
  readonly rates?: Partial<Rates>;
  /** Faults end after this many starts, so that the run can complete (4 by default). */
  readonly roughStarts?: number;
  /** Compares with an undisturbed run of the same executors. No one edits, sends messages or interrupts then. */
  readonly compare?: boolean;
}
