import type { RunEnded, RunEvent } from "../../model/event.ts";
import type { PolicyInput } from "../../model/policy.ts";
import type { TimedRunRecord } from "../../model/record.ts";
import type { Reply } from "../../model/reply.ts";
import type { Role } from "../../model/role.ts";
import type { Delegation } from "../../ports/executor.ts";
import type { Ports } from "../../ports/ports.ts";

/**
 * Behaviour of a simulated executor:
 *
 * - `does`: does the task and claims it; `lies`: claims work that it has not done
 * - `fails`: reports a failure in the required format; `mumbles`: reports it in free text; `blocks`: asks a person
 * - `crashes`: ends with an exit code; `hangs`: runs into a time limit; `unavailable`: has reached its rate limit
 */
export type Behaviour = "does" | "lies" | "fails" | "mumbles" | "blocks" | "crashes" | "hangs" | "unavailable";

/** Access to the simulated world for a function that acts as executor. */
export interface SimulatedWorld {
  /** The current plan. Setting `text` is an edit by the executor. */
  readonly tasks: { text: string };
  /** Milliseconds since the simulation began. */
  elapsedMs(): number;
  /** Let time pass. Never resolves if the executor is stopped during the wait. */
  wait(delayMs: number): Promise<void>;
  /** Do the work that a Verify command checks; by default the Verify of the task. */
  finish(command?: string): void;
  /** Random number in [0, 1), derived from the seed and the key of the delegation. */
  random(): number;
}

/** An executor in a simulation: any `Executor` that waits only with `world.wait`. */
export type SimulatedExecutor = (
  delegation: Delegation,
  signal: AbortSignal,
  world: SimulatedWorld,
) => Promise<Reply | string>;

/** Options of a simulation. The same options always give the same run. */
export interface SimulationOptions {
  /** Text of a `tasks.md`. */
  readonly plan: string;
  /** Policy of the run; the default policy if omitted. */
  readonly policy?: PolicyInput;
  /** A non-negative integer from which all randomness is derived; 0 if omitted. */
  readonly seed?: number;
  /**
   * Relative frequency of each behaviour of simulated executors, 0 if omitted. Default: six of ten do their task, two
   * fail, one lies, and one shows any other behaviour.
   */
  readonly rates?: Partial<Readonly<Record<Behaviour, number>>>;
  /** Functions that replace simulated executors, by role. Without a `reviewer` nothing is reviewed. */
  readonly executors?: Partial<Readonly<Record<Role, SimulatedExecutor>>>;
  /** Answers questions in place of a person. Without this function a question stops the run. */
  readonly person?: NonNullable<Ports["person"]>;
}

/** Result of a simulated run. */
export interface SimulatedRun {
  /** Outcome of the run, with attempts, cost, and the duration in milliseconds of the virtual clock. */
  readonly ended: RunEnded;
  /** Events from the first delegation to the end. */
  readonly events: readonly RunEvent[];
  readonly records: readonly TimedRunRecord[];
  /** Final content of `tasks.md`, `.progress.md` and `SUMMARY.md`. */
  readonly tasks: string;
  readonly progress: string;
  readonly summary: string;
}
