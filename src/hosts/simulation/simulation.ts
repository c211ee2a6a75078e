import type { RunEnded, RunEvent } from "../../model/event.ts";
import type { PolicyInput } from "../../model/policy.ts";
import type { TimedRunRecord } from "../../model/record.ts";
import type { Reply } from "../../model/reply.ts";
import type { Role } from "../../model/role.ts";
import type { Delegation } from "../../ports/executor.ts";
import type { Ports } from "../../ports/ports.ts";

/**
 * What a simulated executor does with a task:
 *
 * - `does`: the task, and claims it; `lies`: claims what it has not done
 * - `fails`: says so in the format for failures; `mumbles`: says so in words of its own; `blocks`: asks a person
 * - `crashes`: ends with an exit code; `hangs`: until a time limit; `unavailable`: at its rate limit, for a while
 */
export type Behaviour = "does" | "lies" | "fails" | "mumbles" | "blocks" | "crashes" | "hangs" | "unavailable";

/** What a function that stands for an executor sees of the world beside its delegation. */
export interface SimulatedWorld {
  /** The plan as it is now. What is set is an edit by the executor. */
  readonly tasks: { text: string };
  /** Milliseconds since the simulation began. */
  elapsedMs(): number;
  /** Lets time pass. It does not go on when the executor was ended meanwhile. */
  wait(delayMs: number): Promise<void>;
  /** Do the work that a Verify command checks: that of the task when none is given. */
  finish(command?: string): void;
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
  /** Text of a `tasks.md`. */
  readonly plan: string;
  /** The default policy when not given. */
  readonly policy?: PolicyInput;
  /** A whole number from 0, which determines everything that chance decides; 0 when not given. */
  readonly seed?: number;
  /**
   * How often simulated executors do what: weights beside each other, 0 where not given. Without it six of ten do
   * their task, two fail, one lies, and one does any of the others.
   */
  readonly rates?: Partial<Readonly<Record<Behaviour, number>>>;
  /** Who plays which role in place of simulated executors. Without a `reviewer` nothing is reviewed. */
  readonly executors?: Partial<Readonly<Record<Role, SimulatedExecutor>>>;
  /** Answers what people are asked; nobody is there when not given, and the run stops with the question. */
  readonly person?: NonNullable<Ports["person"]>;
}

/** What came of a simulated run. */
export interface SimulatedRun {
  /** How it ended, with its attempts, its cost, and its duration in milliseconds of the virtual clock. */
  readonly ended: RunEnded;
  /** What it has emitted, from its first delegation to its end. */
  readonly events: readonly RunEvent[];
  /** What it has recorded. */
  readonly records: readonly TimedRunRecord[];
  /** `tasks.md`, `.progress.md` and `SUMMARY.md` as they were left. */
  readonly tasks: string;
  readonly progress: string;
  readonly summary: string;
}
