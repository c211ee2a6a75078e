import type { AttemptKey } from "../model/reply.ts";
import type { Contract } from "./contract.ts";
import type { HostTask } from "./host-task.ts";

/** What is left of a run, however it was driven. */
export interface HostResult {
  /** `complete`, `limit`, `gate`, `cancelled`, `checkpoint` or `skipped`. */
  readonly outcome: string;
  /** The plan as it stands. */
  readonly tasks: string;
  readonly progress: string;
  /** What was delegated, in this order, a repetition after a kill included. */
  readonly delegated: readonly { readonly key: AttemptKey; readonly prompt: string }[];
  /** How often it was killed. */
  readonly kills: number;
}

/** Drives the coordinator over a plan to its outcome. */
export type Host = (task: HostTask) => Promise<HostResult>;

/** What a host can do beside that. */
export type HostSkill = "is killed" | "is cancelled" | "hears people";

/** A check of hosts, and what a host must be able to do to be looked at for it. */
export interface HostCheck extends Contract<Host> {
  readonly needs?: HostSkill;
}
