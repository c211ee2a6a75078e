import type { Policy } from "../model/policy.ts";
import type { RunRecord, TimedRunRecord } from "../model/record.ts";
import type { AttemptKey } from "../model/reply.ts";
import type { RunSeed } from "../model/run-seed.ts";
import type { RunState } from "../model/run-state.ts";

/** What stands at the head of what a start records. */
export interface StartFacts {
  /** With which it began. */
  readonly policy: Policy;
  /** Tasks that were open when the run began. */
  readonly open: number;
  /** What had been spent when the run was taken over from another system. */
  readonly seed?: RunSeed | undefined;
}

/** What a start has recorded. */
interface RecordedStart {
  /** `segment`: its number in the run, from 1. */
  readonly header: StartFacts & { readonly segment: number };
  readonly records: readonly TimedRunRecord[];
}

/** A copy of a state that was kept, for the caller to change. */
export type TakeState = () => RunState;

/** The journal of the latest run, as a start reads it. */
export interface RunReading {
  /** Its number, from 1; 0 without any. */
  readonly run: number;
  /** Oldest first. */
  readonly segments: readonly RecordedStart[];
  /** The records that count, oldest first. */
  readonly records: readonly TimedRunRecord[];
  /** What stands for so many records before them; all are there without it. */
  readonly snapshot?: { readonly records: number; readonly state: TakeState } | undefined;
  /** Whether what was written since may be lost: the machine has booted since. Null where that is not known. */
  readonly rebooted: boolean | null;
}

/** The plan as its last start has begun with it, kept for people. */
export interface PlanCopy {
  keep(text: string): void;
  readonly path: string;
}

/** The journal of a run as one start holds it. */
export interface Journal {
  /**
   * Append records that become true together: all of them, or none where this throws. They survive a power cut once it
   * returns, if `durable`.
   *
   * @param at Their time, in milliseconds since 1970; that of the journal when not given.
   * @throws {EnvironmentError} `spec-taken-over` for durable records when another start holds it by now
   */
  append(records: readonly RunRecord[], options: { readonly durable: boolean; readonly at?: number | undefined }): void;
  /** Keep a reply that is too long for a record. */
  writeOutput(key: AttemptKey, text: string): void;
  readOutput(key: AttemptKey): Promise<string>;
  /**
   * Keep the state that all records so far come to, where enough was recorded for that: a later start applies only the
   * records behind it. Nothing is lost where it cannot be kept.
   *
   * @param take Appends what is still to be appended, and gives the state.
   */
  snapshot(take: () => RunState): void;
  readonly copy: PlanCopy;
  /** Let go of the run; without an end that is recorded. */
  close(): void;
}
