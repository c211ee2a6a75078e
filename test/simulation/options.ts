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
  /** The policy; random by default. */
  readonly policy?: PolicyInput;
  /** Functions by role that replace the simulated executors. */
  readonly executors?: Partial<Readonly<Record<keyof Executors, SimulatedExecutor>>>;
  /** Rates that replace those of `roughRates`, at which every event happens. */
  readonly rates?: Partial<Rates>;
  /** Number of starts with faults of the coordinator, after which the run can complete (4 by default). */
  readonly roughStarts?: number;
  /**
   * Whether to compare with an undisturbed run of the same executors. No one edits, sends messages or interrupts in
   * either run.
   */
  readonly compare?: boolean;
}
