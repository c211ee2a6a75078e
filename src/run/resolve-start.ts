import { spentOn } from "../model/ledger.ts";
import { globalCap, isOfPullRequest, type Limit, totalCap } from "../model/limits.ts";
import type { Plan } from "../model/plan.ts";
import { type Policy, type PolicyInput, policyOver, readPolicy } from "../model/policy.ts";
import type { Ended } from "../model/record.ts";
import { highestSeed, noSeed, type RunSeed, type TakenOver } from "../model/run-seed.ts";
import type { RunState } from "../model/run-state.ts";
import type { LadderChoices, Rung } from "../model/rung.ts";
import type { RunReading } from "../ports/journal.ts";
import { type PreviousOutcome, previousOutcome } from "./previous-outcome.ts";
import { replayRecords } from "./previous-start.ts";

export interface StartPoint {
  readonly run: number;
  readonly fresh: boolean;
  readonly policy: Policy;
  /** Policy of the previous start; null if there was none. */
  readonly before: Policy | null;
  /** Remedies of the previous start, or of the imported run; null if the imported run names none. */
  readonly recoveryBefore: readonly Rung[] | null;
  /** Number of tasks that were open when the run began. */
  readonly open: number;
  readonly seed: RunSeed;
  /** Policy of the last recorded answer; this start's policy if there is none. */
  readonly answeredUnder: Policy;
  /** State of the run, which the caller may change; null if the run begins with this start. */
  readonly state: RunState | null;
  readonly past: PreviousOutcome;
  /** Outcome of the previous start; null without a previous start, or if the previous start was killed. */
  readonly ended: Ended | null;
}

export interface NewRun {
  readonly run: number;
  readonly policy: PolicyInput;
  readonly seed: RunSeed;
  /** Superseded fix tasks of the previous run, each with its replacement. The new run skips the superseded tasks. */
  readonly superseded?: RunState["superseded"];
}

export interface GivenOptions {
  readonly policy?: PolicyInput | undefined;
  readonly ladder?: LadderChoices | undefined;
}

interface StartFrom {
  readonly taken?: TakenOver | undefined;
  readonly newRun?: NewRun | null;
  readonly state?: RunState | null;
}

/**
 * Resolve the origin of a start: the journal, else an imported state, else nothing. Options of this start override
 * recorded options.
 *
 * @param taken Imported state; undefined if there is none.
 * @param newRun The run to begin even if the journal has an unfinished run; null to continue an unfinished run.
 * @param state The state after the records; computed from them if not given.
 */
export function resolveStart(
  reading: RunReading,
  { policy: options = {}, ladder = {} }: GivenOptions,
  plan: Plan,
  { taken, newRun = null, state = replayRecords(reading) }: StartFrom = {},
): StartPoint {
  const policyFrom = (recorded: PolicyInput): Policy => readPolicy(policyOver(recorded, options), ladder);
  const last = reading.segments.at(-1);
  if (newRun !== null || last === undefined || state?.ended?.ending.outcome === "complete") {
    const recorded: PolicyInput = { ...taken?.policy, ...newRun?.policy };
    const policy = policyFrom(recorded);
    return {
      run: newRun?.run ?? reading.run + 1,
      fresh: true,
      policy,
      answeredUnder: policy,
      recoveryBefore: recorded.recovery ?? null,
      open: plan.tasks.filter(({ done }) => !done).length,
      seed: withSuperseded(
        highestSeed([taken?.seed ?? noSeed, newRun?.seed ?? noSeed]),
        plan,
        newRun?.superseded ?? {},
      ),
      ...{ before: null, state: null, past: previousOutcome(null), ended: null },
    };
  }
  const [first = last] = reading.segments;
  const { policy: before } = last.header;
  const policy = policyFrom(before);
  const answered = reading.segments.findLast(({ records }) => records.some(({ type }) => type === "answered"));
  return {
    run: reading.run,
    fresh: false,
    policy,
    before,
    answeredUnder: answered?.header.policy ?? policy,
    recoveryBefore: before.recovery,
    open: first.header.open,
    seed: first.header.seed ?? noSeed,
    state,
    past: previousOutcome(state),
    ended: state?.ended ?? null,
  };
}

function withSuperseded(seed: RunSeed, { tasks }: Plan, superseded: RunState["superseded"]): RunSeed {
  const fixes = tasks.filter(({ id, done, fixOf }) => !done && fixOf !== null && Object.hasOwn(superseded, id));
  const known = fixes.map(({ id }) => [id, { ...spentOn(seed.tasks, id), supersededBy: superseded[id] }] as const);
  return { ...seed, tasks: { ...seed.tasks, ...Object.fromEntries(known) } };
}

/** Whether the previous start was stopped mid-turn, and recorded the stop. */
export const isBroken = ({ ended }: Pick<StartPoint, "ended">): boolean =>
  ended?.midTurn === true || ["interrupted", "environment", "waiting"].includes(ended?.ending.outcome ?? "");

/** Whether the limit that stopped the last start still applies: limit, remedies and plan are unchanged. */
export function stillLimited({ ended, policy, before, open }: StartPoint, planHash: string): boolean {
  if (ended === null || ended.denial === null || ended.ending.outcome !== "limit") return false;
  if (String(before?.recovery) !== String(policy.recovery)) return false;
  const { limit, max } = ended.denial;
  const value = capOf(limit, policy, open);
  return ended.planHash === planHash && value !== null && value <= max;
}

function capOf(limit: Limit, policy: Policy, open: number): number | null {
  if (limit === "maxGlobalIterations") return globalCap(policy, open);
  if (isOfPullRequest(limit)) return policy.pullRequest?.[limit] ?? null;
  return limit === "maxTotalAttempts" ? totalCap(policy) : policy[limit];
}
