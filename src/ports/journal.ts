import type { Policy } from "../model/policy.ts";
import type { RunRecord, TimedRunRecord } from "../model/record.ts";
import type { AttemptKey } from "../model/reply.ts";
import type { RunSeed } from "../model/run-seed.ts";
import type { RunState } from "../model/run-state.ts";

/** Facts in the header of a start. */
export interface StartFacts {
  /** The policy at the start. */
  readonly policy: Policy;
  /** Number of open tasks when the run began. */
  readonly open: number;
  /** Amounts already spent, if the run was imported from another system. */
  readonly seed?: RunSeed | undefined;
}

/** One start in the journal. */
interface RecordedStart {
  /** `segment`: number of the start within the run, from 1. */
  readonly header: StartFacts & { readonly segment: number };
  readonly records: readonly TimedRunRecord[];
}

/** Returns a new copy of a snapshot's state, which the caller may change. */
export type TakeState = () => RunState;

/** The journal of the latest run, as read by a start. */
export interface RunReading {
  /** Run number, from 1; 0 if there is no run. */
  readonly run: number;
  /** Oldest first. */
  readonly segments: readonly RecordedStart[];
  /** The records that are still valid, oldest first. */
  readonly records: readonly TimedRunRecord[];
  /** A snapshot in place of the first `snapshot.records` records; if not given, `records` is complete. */
  readonly snapshot?: { readonly records: number; readonly state: TakeState } | undefined;
  /** Whether recent writes may be lost because the machine rebooted; null if unknown. */
  readonly rebooted: boolean | null;
}

/** The plan at the last start, kept for people. */
export interface PlanCopy {
  keep(text: string): void;
  readonly path: string;
}

/** The journal of a run, held by one start. */
export interface Journal {
  /**
   * Append records atomically: all or, if it throws, none. If `durable`, the records survive a power cut once this
   * returns.
   *
   * @param at Time of the records, in milliseconds since 1970; the journal's clock if not given.
   * @throws {EnvironmentError} `spec-taken-over` for durable records if another start holds the run by now
   */
  append(records: readonly RunRecord[], options: { readonly durable: boolean; readonly at?: number | undefined }): void;
  /** Store a reply that is too long for a record. */
  writeOutput(key: AttemptKey, text: string): void;
  readOutput(key: AttemptKey): Promise<string>;
  /**
   * Save a snapshot of the state if enough was recorded since the last one, so that a later start applies only newer
   * records. If saving fails, nothing is lost.
   *
   * @param take Appends pending records, and returns the state.
   */
  snapshot(take: () => RunState): void;
  readonly copy: PlanCopy;
  /** Release the run without recording an end. */
  close(): void;
}
