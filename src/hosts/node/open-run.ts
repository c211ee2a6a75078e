import type { JournalReading } from "../../adapters/journal.ts";
import type { StateReading } from "../../adapters/state-file.ts";
import { globalCap, type Limit, totalCap } from "../../model/limits.ts";
import type { Plan } from "../../model/plan.ts";
import { completePolicy, type Policy, type PolicyInput } from "../../model/policy.ts";
import type { RunRecord } from "../../model/record.ts";
import { higherSeed, noSeed, type RunSeed } from "../../model/run-seed.ts";
import { changeLadder, type Rung } from "../../model/rung.ts";
import { takeOver } from "../../model/take-over.ts";
import { lastTold } from "../../runtime/last-told.ts";
import { sumIn } from "./known-sum.ts";
import type { RunOptions } from "./run-options.ts";

type Ended = Extract<RunRecord, { type: "ended" }>;

/** What the start of a coordinator goes on from. */
export interface Origin {
  /** Number of the run, and whether it is begun here. */
  readonly run: number;
  readonly fresh: boolean;
  readonly policy: Policy;
  /** The policy of the start before; null when there was none. */
  readonly before: Policy | null;
  /** The remedies that the run had, also where another tool began it; null when it had none of its own. */
  readonly recoveryBefore: readonly Rung[] | null;
  /** Tasks that were open when the run began. */
  readonly open: number;
  readonly seed: RunSeed;
  /** How the start before ended; null when it was killed, or when there was none. */
  readonly ended: Ended | null;
  /** Working time of the starts before, in milliseconds. */
  readonly elapsedMs: number;
}

/** A run that is begun although there was one before it that is not complete. */
export interface Anew {
  readonly run: number;
  readonly policy: PolicyInput;
  /** What counts as spent. */
  readonly seed: RunSeed;
}

/**
 * Where a start goes on from: the journal when there is one, else a state file of the source system, else nothing.
 * Options given again override what was recorded.
 *
 * @param anew The run that is begun in any case; null when none is.
 */
export function originOf(
  journal: JournalReading,
  state: StateReading,
  { policy: options = {}, ladder = {} }: Pick<RunOptions, "policy" | "ladder">,
  plan: Plan,
  anew: Anew | null = null,
): Origin {
  const last = lastTold(journal.records);
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as PolicyInput;
  const policyOver = (recorded: PolicyInput): Policy => {
    const policy = completePolicy({ ...recorded, ...given });
    return completePolicy({ ...policy, recovery: changeLadder(policy.recovery, ladder) });
  };
  const ended = last?.type === "ended" ? last : null;
  const first = journal.segments[0];
  if (anew !== null || first === undefined || ended?.ending.outcome === "complete") {
    const taken = state.kind === "read" && first === undefined ? takeOver(state.state, plan) : undefined;
    const seed = higherSeed(taken?.seed ?? noSeed, anew?.seed ?? noSeed);
    const recorded: PolicyInput = { ...taken?.policy, ...anew?.policy };
    return {
      run: anew?.run ?? journal.run + 1,
      fresh: true,
      policy: policyOver(recorded),
      recoveryBefore: recorded.recovery ?? null,
      open: plan.tasks.filter(({ done }) => !done).length,
      seed,
      before: null,
      ended: null,
      elapsedMs: seed.elapsedMs,
    };
  }
  const before = (journal.segments.at(-1) ?? first).header.policy;
  return {
    run: journal.run,
    fresh: false,
    policy: policyOver(before),
    before,
    recoveryBefore: before.recovery,
    open: first.header.open,
    seed: first.header.seed ?? noSeed,
    ended,
    elapsedMs: elapsedMs(journal),
  };
}

/** Working time of a run in milliseconds, as far as it is recorded. */
export const elapsedMs = (journal: Pick<JournalReading, "records" | "segments" | "sum">): number =>
  // Not by arguments: of records there may be more than a call can have.
  journal.records.reduce(
    (most, record) => Math.max(most, elapsedIn(record)),
    sumIn(journal)?.elapsedMs ?? journal.segments[0]?.header.seed?.elapsedMs ?? 0,
  );

/** Working time of the run when a record was made, as far as it says. */
function elapsedIn(record: RunRecord): number {
  if (record.type === "delegated") return record.elapsedMs;
  return record.type === "ended" ? record.ending.durationMs : 0;
}

/** Whether the start before was stopped in the middle of its turn, and could say so. */
export const isBroken = ({ ended }: Pick<Origin, "ended">): boolean =>
  ["interrupted", "environment"].includes(ended?.ending.outcome ?? "");

/** Whether the limit that stopped the last start still stands: neither it nor the remedies nor the plan have changed. */
export function stillLimited({ ended, policy, before, open }: Origin, planHash: string): boolean {
  if (ended === null || ended.denial === null || ended.ending.outcome !== "limit") return false;
  if (String(before?.recovery) !== String(policy.recovery)) return false;
  const { limit, max } = ended.denial;
  const value = capOf(limit, policy, open);
  return ended.planHash === planHash && value !== null && value <= max;
}

function capOf(limit: Limit, policy: Policy, open: number): number | null {
  if (limit === "maxGlobalIterations") return globalCap(policy, open);
  return limit === "maxTotalAttempts" ? totalCap(policy) : policy[limit];
}
