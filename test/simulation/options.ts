import type { SimulatedExecutor } from "../../src/hosts/simulation/simulation.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import type { Executors } from "../../src/ports/executor.ts";
import type { Rates } from "./rates.ts";

/** What a simulation is told. The same options give the same run, to the letter. */
export interface FaultOptions {
  /** A whole number from 0. Determines everything that chance decides. */
  readonly seed: number;
  /** Text of a `tasks.md`; a random one when not given. */
  readonly plan?: string;
  /** A random one when not given. */
  readonly policy?: PolicyInput;
  /** Who plays which role, in place of simulated executors. */
  readonly executors?: Partial<Readonly<Record<keyof Executors, SimulatedExecutor>>>;
  /** How often what happens; `roughRates`, in which everything does, where not given. */
  readonly rates?: Partial<Rates>;
  /** Faults end after that many starts, so that the run can come to its end (4 by default). */
  readonly roughStarts?: number;
  /** Compare with a run of the same executors that nothing disturbs. Nobody edits, speaks or interrupts then. */
  readonly compare?: boolean;
}
