import type { SpecOutcome } from "../../machines/spec.ts";
import type { EffectInput } from "../model/effect.ts";
import type { RunEnding } from "../model/event.ts";
import type { Policy } from "../model/policy.ts";
import { type Answered, beginsTurn, type RunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import { roles } from "../model/role.ts";
import { noSeed, type RunSeed } from "../model/run-seed.ts";
import type { RunState } from "../model/run-state.ts";
import { apply } from "../run/apply.ts";
import { answerOfState, isAnsweredByState } from "../run/decide-next.ts";
import { newRun } from "../run/new-run.ts";
import { effectFor, type Requested } from "../run/requests.ts";
import { chosenRoot } from "../run/spending.ts";
import { type Charts, driveCharts, lastAnswers, specMachine } from "./drive-charts.ts";
import type { RecordedStart } from "./recorded-run.ts";
import { stableJson } from "./stable-json.ts";

/** A decision with a different result in this version. */
export interface Difference {
  /** Number of the record in the run, from 1. */
  readonly record: number;
  /** Key of the record's effect or attempt; null if the record has neither. */
  readonly key: string | null;
  readonly what: string;
  /** As JSON. */
  readonly expected: string;
  readonly recorded: string;
}

/** The part of a turn within one start. */
export interface ReplayedTurn {
  /** 0 before the first choice of a task. */
  readonly turn: number;
  /** Number of compared decisions. */
  readonly decisions: number;
}

export interface Replayed {
  /** The turns of each start, oldest first. */
  readonly starts: readonly (readonly ReplayedTurn[])[];
  readonly decisions: number;
  /** The first difference of each turn; later differences would follow from it. */
  readonly differences: readonly Difference[];
  /** Final state of charts and run memory; plain JSON. */
  readonly state: unknown;
  /** Keys of the next requests; empty if the last turn reached its outcome. */
  readonly next: readonly string[];
}

export interface ReplaySource {
  /** Oldest first. */
  readonly starts: readonly RecordedStart[];
  /** Number of open tasks when the run began. */
  readonly open: number;
  /** Amounts spent before the run's first record (none if not given). */
  readonly seed?: RunSeed | undefined;
}

/**
 * Replay a run from its records with the charts and rules of this version. Performs nothing and reads only the journal.
 * Checks that every recorded answer was requested at its position, and compares decisions: the remedy, everything
 * considered, the counts, and which attempt began.
 */
export function replayRun({ starts, open, seed = noSeed }: ReplaySource): Replayed {
  const state = newRun(open, seed);
  const { charts, ...told } = follow(state, starts);
  return { ...told, state: { charts: charts?.positions() ?? [], run: state }, next: nextIn(state, charts, starts) };
}

/**
 * Find the first decision of a turn that differs in this version; null if there is none.
 *
 * @param starts Records of the turn.
 * @param state The state before the turn; all records are applied to it.
 */
export const replayTurnOf = (starts: readonly RecordedStart[], state: RunState): Difference | null =>
  follow(state, starts).differences[0] ?? null;

interface Followed extends Pick<Replayed, "starts" | "decisions" | "differences"> {
  /** Null before the first choice of a task, and after a record that no chart waited for. */
  readonly charts: Charts | null;
}

function follow(state: RunState, starts: readonly RecordedStart[]): Followed {
  const counting = new Set(lastAnswers(starts.flatMap(({ records }) => records)));
  const differences = new Map<number, Difference>();
  let charts: Charts | null = null;
  let number = 0;
  let decisions = 0;
  const tell = (record: RunRecord): boolean => {
    if (charts === null) return true;
    const wasDone = charts.isDone();
    const isAsked = charts.tell(record) || wasDone || (record.type === "answered" && follows.has(record.effect));
    if (!isAsked) charts = null;
    return isAsked;
  };
  const seen = starts.map(({ policy, records }) => {
    const turns = new Map<number, number>();
    for (const record of records) {
      number += 1;
      const differs = differing(state, policy, record, charts);
      apply(state, record);
      const { turns: turn } = state;
      if (beginsTurn(record)) charts = driveCharts(specMachine());
      const isAsked = !counting.has(record) || tell(record);
      const compared = record.type === "answered" || record.type === "delegated" ? 1 : 0;
      turns.set(turn, (turns.get(turn) ?? 0) + compared);
      decisions += compared;
      const key = "key" in record ? record.key : null;
      const unasked = isAsked ? null : { what: "the request", expected: null, recorded: key };
      const found = unasked ?? differs;
      if (found === null || differences.has(turn)) continue;
      const { what, expected, recorded } = found;
      differences.set(turn, {
        ...{ record: number, key, what },
        ...{ expected: stableJson(expected), recorded: stableJson(recorded) },
      });
    }
    return [...turns].map(([turn, count]): ReplayedTurn => ({ turn, decisions: count }));
  });
  return { charts, starts: seen, decisions, differences: [...differences.values()] };
}

function nextIn(state: RunState, charts: Charts | null, starts: readonly RecordedStart[]): readonly string[] {
  const policy = starts.at(-1)?.policy;
  if (charts === null || policy === undefined) return [];
  return charts.requests().map((request) => effectFor(state, policy, request).key);
}

interface Differing {
  readonly what: string;
  readonly expected: object;
  readonly recorded: object;
}

/** Effects that are performed again after a question is asked again. */
const follows: ReadonlySet<Answered["effect"]> = new Set(["mergeProgress", "chooseCleanup", "decide", "nextPart"]);

function differing(state: RunState, policy: Policy, record: RunRecord, charts: Charts | null): Differing | null {
  if (record.type === "delegated" && charts !== null) {
    const { task, retries, level = null, role } = record;
    // The request of a race has the number of its first attempt.
    const attempt = record.race?.first ?? record.attempt;
    const asks = ({ name, current }: Requested) => name === roles[role].askedBy && current === task;
    const request = charts.requests().find(asks);
    const recorded = { task, attempt, retries, level };
    return compared(
      "the delegation",
      request === undefined ? { task: null } : factsOf(state, policy, request),
      recorded,
    );
  }
  if (record.type === "ended") {
    const { ending, midTurn } = record;
    const { attempts, outcome } = ending;
    const isReached = charts?.isDone() === true && midTurn !== true && outcome !== "environment";
    const reached = isReached ? outcomes[(charts.output() as SpecOutcome).kind] : outcome;
    return compared("the ending", { attempts: state.iterations, outcome: reached }, { attempts, outcome });
  }
  if (record.type !== "answered" || !isAnsweredByState(record.effect)) return null;
  const current = taskOf(record.key);
  const now = answerOfState(state, policy, record.effect, { root: chosenRoot(state, current), current });
  return compared("the decision", now, record.answer);
}

const outcomes: Readonly<Record<SpecOutcome["kind"], RunEnding>> = {
  ...{ complete: "complete", skipped: "skipped", limited: "limit", gated: "gate" },
  ...{ checkpoint: "checkpoint", cancelled: "cancelled" },
};

const compared = (what: string, expected: object, recorded: object): Differing | null =>
  stableJson(expected) === stableJson(recorded) ? null : { what, expected, recorded };

function factsOf(state: RunState, policy: Policy, request: Requested): object {
  const { name, input } = effectFor(state, policy, request);
  if (name === "delegate") {
    const { task, attempt, retries, climb } = input;
    return { task, attempt, retries, level: climb?.level ?? null };
  }
  const { task, round } = input as EffectInput<"review">;
  return { task, attempt: round, retries: 0, level: null };
}
