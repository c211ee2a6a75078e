import type { AttemptKey } from "../model/reply.ts";
import type { Contract } from "./contract.ts";
import type { HostTask } from "./host-task.ts";

/** Result of a run, the same for every host. */
export interface HostResult {
  /** `complete`, `limit`, `gate`, `cancelled`, `checkpoint` or `skipped`. */
  readonly outcome: string;
  /** The final plan. */
  readonly tasks: string;
  readonly progress: string;
  /** Delegations in order, repeats after a kill included. */
  readonly delegated: readonly { readonly key: AttemptKey; readonly prompt: string }[];
  /** Number of kills. */
  readonly kills: number;
}

/** Drives the coordinator over a plan to its outcome. */
export type Host = (task: HostTask) => Promise<HostResult>;

/** Optional abilities of a host. */
export type HostSkill = "is killed" | "is cancelled" | "hears people";

/** A requirement for hosts, and the ability that a host needs for it. */
export interface HostCheck extends Contract<Host> {
  readonly needs?: HostSkill;
}
