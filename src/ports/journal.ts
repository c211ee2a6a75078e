import type { Policy } from "../model/policy.ts";
import type { RunRecord, TimedRunRecord } from "../model/record.ts";
import type { AttemptKey } from "../model/reply.ts";
import type { RunSeed } from "../model/run-seed.ts";
import type { RunState } from "../model/run-state.ts";

export interface StartFacts {
  readonly policy: Policy;
  /** Number of open tasks when the run began. */
  readonly open: number;
  /** Amounts already spent, if the run was imported from another system. */
  readonly seed?: RunSeed | undefined;
}

interface RecordedStart {
  /** `segment`: number of the start within the run, from 1. */
  readonly header: StartFacts & { readonly segment: number };
  readonly records: readonly TimedRunRecord[];
}

/** Returns a new copy of a snapshot's state, which the caller may change. */
export type TakeState = () => RunState;

/** The latest run, as read from its journal. */
export interface RunReading {
  /** Run number, from 1; 0 if there is no run. */
  readonly run: number;
  /** Oldest first. */
  readonly segments: readonly RecordedStart[];
  /** The records that are still valid, oldest first. */
  readonly records: readonly TimedRunRecord[];
  /** State after the first `snapshot.records` records, which `records` omits; if not given, `records` is complete. */
  readonly snapshot?: { readonly records: number; readonly state: TakeState } | undefined;
  /** Whether recent writes may be lost because the machine rebooted; null if unknown. */
  readonly rebooted: boolean | null;
}

export interface PlanCopy {
  keep(text: string): void;
  readonly path: string;
}

export interface Journal {
  /**
   * Append all records; if the call throws, no record is appended. If `durable`, the records survive a power cut as
   * soon as the call returns.
   *
   * @param at Time of the records, in milliseconds since 1970; by default the time of the journal's clock.
   * @throws {EnvironmentError} `spec-taken-over` if the records are durable and another start has taken the run over
   */
  append(records: readonly RunRecord[], options: { readonly durable: boolean; readonly at?: number | undefined }): void;
  /** Store a reply that is too long for a record. */
  writeOutput(key: AttemptKey, text: string): void;
  readOutput(key: AttemptKey): Promise<string>;
  /**
   * Save a snapshot of the state if enough was recorded since the last snapshot, so that a later start applies only
   * newer records. A failure to save loses nothing.
   *
   * @param take Appends pending records, and returns the state.
   */
  snapshot(take: () => RunState): void;
  readonly copy: PlanCopy;
  /** Release the run without recording an end. */
  close(): void;
}
