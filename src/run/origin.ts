import { spentOn } from "../model/ledger.ts";
import { globalCap, isOfPullRequest, type Limit, totalCap } from "../model/limits.ts";
import type { Plan } from "../model/plan.ts";
import { type Policy, type PolicyInput, policyOver, readPolicy } from "../model/policy.ts";
import type { Ended } from "../model/record.ts";
import { highestSeed, noSeed, type RunSeed, type TakenOver } from "../model/run-seed.ts";
import type { RunState } from "../model/run-state.ts";
import type { LadderChoices, Rung } from "../model/rung.ts";
import type { RunReading } from "../ports/journal.ts";
import { type Past, pastOf } from "./past.ts";
import { stateIn } from "./run-before.ts";

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
  /** The policy under which the last answer was recorded; that of this start when none was. */
  readonly answeredUnder: Policy;
  /** What the run has done so far; null when it is begun here. Who goes on with the run changes it. */
  readonly state: RunState | null;
  readonly past: Past;
  /** How the start before ended; null when it was killed, or when there was none. */
  readonly ended: Ended | null;
}

/** A run that is begun although there was one before it that is not complete. */
export interface NewRun {
  readonly run: number;
  readonly policy: PolicyInput;
  /** What counts as spent. */
  readonly seed: RunSeed;
  /** Superseded fix tasks of the run before, each with the fix that replaced it. The new run does not do them. */
  readonly superseded?: RunState["superseded"];
}

/** Options of a start that may change how the run goes on. */
export interface GivenOptions {
  readonly policy?: PolicyInput | undefined;
  readonly ladder?: LadderChoices | undefined;
}

/** What is known of a start before its origin is. */
interface StartFrom {
  readonly taken?: TakenOver | undefined;
  readonly newRun?: NewRun | null;
  readonly state?: RunState | null;
}

/**
 * Where a start goes on from: the journal when there is one, else what was taken over from the source system, else
 * nothing. Options given again override what was recorded.
 *
 * @param taken What was taken over; undefined when nothing was.
 * @param newRun The run that is begun in any case; null when none is.
 * @param state What the records come to; told from them when not given.
 */
export function originOf(
  reading: RunReading,
  { policy: options = {}, ladder = {} }: GivenOptions,
  plan: Plan,
  { taken, newRun = null, state = stateIn(reading) }: StartFrom = {},
): Origin {
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
      ...{ before: null, state: null, past: pastOf(null), ended: null },
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
    past: pastOf(state),
    ended: state?.ended ?? null,
  };
}

/** The seed with what is known of the open fix tasks of the plan that were superseded. */
function withSuperseded(seed: RunSeed, { tasks }: Plan, superseded: RunState["superseded"]): RunSeed {
  const fixes = tasks.filter(({ id, done, fixOf }) => !done && fixOf !== null && Object.hasOwn(superseded, id));
  const known = fixes.map(({ id }) => [id, { ...spentOn(seed.tasks, id), supersededBy: superseded[id] }] as const);
  return { ...seed, tasks: { ...seed.tasks, ...Object.fromEntries(known) } };
}

/** Whether the start before was stopped in the middle of its turn, and could say so. */
export const isBroken = ({ ended }: Pick<Origin, "ended">): boolean =>
  ended?.midTurn === true || ["interrupted", "environment", "waiting"].includes(ended?.ending.outcome ?? "");

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
  if (isOfPullRequest(limit)) return policy.pullRequest?.[limit] ?? null;
  return limit === "maxTotalAttempts" ? totalCap(policy) : policy[limit];
}
