import type { PolicyInput } from "../../model/policy.ts";
import type { Reply } from "../../model/reply.ts";
import type { Delegation, Executors } from "../../ports/executor.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Rates } from "./rates.ts";

/** What a function that stands for an executor sees of the world beside its delegation. */
export interface SimulatedWorld {
  /** The plan as it is now. What is set is an edit by the executor. */
  readonly tasks: { text: string };
  /** Milliseconds since the simulation began. */
  elapsedMs(): number;
  /** Lets time pass. It does not go on when the executor was ended meanwhile. */
  wait(delayMs: number): Promise<void>;
  /** Do the work that a task's Verify command checks; the task's own when none is given. */
  finish(command?: string): boolean;
  /** From 0 up to, not including, 1; follows from the seed and the key of the delegation. */
  random(): number;
}

/** An executor that is driven in a simulation: any `Executor` that waits for nothing but `world.wait`. */
export type SimulatedExecutor = (
  delegation: Delegation,
  signal: AbortSignal,
  world: SimulatedWorld,
) => Promise<Reply | string>;

/** What a simulation is told. The same options give the same run, to the letter. */
export interface SimulationOptions {
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
  /** What is asked of people; simulated when not given. */
  readonly person?: NonNullable<Ports["person"]>;
  /** Compare with a run of the same executors that nothing disturbs. Nobody edits, speaks or interrupts then. */
  readonly compare?: boolean;
}
