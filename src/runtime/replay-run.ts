import { createRunMemory, type RunMemory } from "../effects/run-memory.ts";
import type { Policy } from "../model/policy.ts";
import { beginsTurn, type TimedRunRecord } from "../model/record.ts";
import { type AttemptKey, taskOf } from "../model/reply.ts";
import { noSeed, type RunSeed } from "../model/run-seed.ts";
import type { RunState } from "../model/run-state.ts";
import type { RecordedStart } from "./recorded-run.ts";
import { answerDecisions } from "./replay-answer.ts";
import { askedAnew } from "./replay-asked-anew.ts";
import { delegationDecisions, makes } from "./replay-delegation.ts";
import { endDecisions } from "./replay-end.ts";
import { fixDecisions } from "./replay-failure.ts";
import type { Decision, Difference, Replayed, ReplayedTurn } from "./replayed.ts";
import { stableJson } from "./stable-json.ts";
import { type Walk, walkFrom } from "./walk.ts";

/** A run as its journal holds it. */
export interface ReplaySource {
  /** Oldest first. */
  readonly starts: readonly RecordedStart[];
  /** Tasks that were open when the run began. */
  readonly open: number;
  /** What had been spent before its first record (nothing when not given). */
  readonly seed?: RunSeed | undefined;
}

/**
 * Replay a run from its records: every start and every turn of it, with the charts and the pure services of this
 * version. Nothing is performed, and nothing is read but the journal.
 *
 * Compared are: that every answer, delegation, fix task and change of the plan was asked for at its point, under its
 * key, for its task, with these counts and at this level; which attempts are refunded and what is withdrawn; from the
 * recorded evidence the signal, the admission, the verdict and each of its layers, what an attempt has failed with, the
 * id and the text of its fix task, what follows from a review, whether a directive repeats another; the limits of the
 * run; what a chosen task has spent, how stuck it is, what was advised, asked and repaired; the outcome, its error, the
 * limit that is named, the number of delegations and what was left out.
 *
 * Taken as recorded are facts of the outside: what executors, reviewers, operators and people say, what commands and
 * git answer, the clock, which task of the plan is open, its boxes and texts, and what is read from replies that are too
 * long to stand in the journal.
 */
export function replayRun(source: ReplaySource): Replayed {
  const { starts, open, seed = noSeed } = source;
  const memory = createRunMemory({ open, seed });
  const desk = openDesk(starts, memory);
  const seen = starts.map((start) => {
    desk.enter(start.policy);
    for (const record of start.records) {
      desk.compare(record);
      memory.apply(record);
    }
    return desk.leave();
  });
  return { ...desk.result(seen), state: { charts: desk.walk.state, memory: memory.state } };
}

/**
 * The first decision of a turn that comes out differently now; null when none does.
 *
 * @param starts What was recorded of it.
 * @param state What the records before come to; all records are applied to it.
 */
export function replayTurnOf(starts: readonly RecordedStart[], state: RunState): Difference | null {
  const memory = createRunMemory({ state });
  const desk = openDesk(starts, memory);
  for (const { policy, records } of starts) {
    desk.enter(policy);
    for (const record of records) {
      desk.compare(record);
      memory.apply(record);
    }
    desk.leave();
  }
  return desk.result([]).differences[0] ?? null;
}

interface Desk {
  readonly walk: Walk;
  enter(policy: Policy): void;
  compare(record: TimedRunRecord): void;
  leave(): ReplayedTurn[];
  result(starts: readonly (readonly ReplayedTurn[])[]): Omit<Replayed, "state">;
}

/** Where records are compared, in their order. */
function openDesk(starts: readonly RecordedStart[], memory: RunMemory): Desk {
  let walk = walkFrom({ policy: starts[0]?.policy ?? {}, turn: 1 });
  const anew = askedAnew(starts);
  const differences: Difference[] = [];
  let policy: Policy;
  let turns: { turn: number; decisions: number }[] = [];
  let turn = 0;
  let number = 0;
  let decisions = 0;
  let isLed = false;
  let isLost = false;

  const choose = (): void => {
    turn = memory.state.turns + 1;
    if (!isLed || isLost) walk = walkFrom({ policy, turn });
    isLost = false;
  };
  const decide = (record: TimedRunRecord): Decision[] => {
    switch (record.type) {
      case "answered": {
        if (beginsTurn(record)) choose();
        if (isLost) return [];
        isLed = true;
        const effect = walk.asked(record.key);
        const made = effect === undefined ? [] : answerDecisions(effect, record, memory);
        const { decision } = walk.take(record, { anew: anew.has(record) });
        return decision === null ? made : [decision, ...made];
      }
      case "said":
        isLed = true;
        if (!isLost) walk.say(record);
        return [];
      case "delegated": {
        const effect = walk.find(makes(record));
        if (effect === undefined) return [unasked(record.key)];
        return delegationDecisions(effect, record, memory.ledger);
      }
      case "intended": {
        const effect = walk.asked(`${record.key}/insertFix`);
        if (effect?.name !== "insertFix") return [unasked(`${record.key}/insertFix`)];
        return fixDecisions(record.fix, effect.input);
      }
      case "planned": {
        const effect = walk.asked(`${record.key}/changePlan`);
        if (effect?.name !== "changePlan") return [unasked(`${record.key}/changePlan`)];
        return [{ what: "whose change it is", expected: effect.input.task, recorded: taskOf(record.key) }];
      }
      case "shipping":
        return walk.asked(record.key) === undefined && !isLost ? [unasked(record.key)] : [];
      case "addition": {
        const effect = walk.asked(record.key);
        if (effect?.name !== "addPullRequestTask") return [unasked(record.key)];
        return [{ what: "what a task is added for", expected: effect.input.cause, recorded: record.cause }];
      }
      case "refunded":
        return [{ what: "the attempt that is refunded", expected: true, recorded: isDelegated(record.key) }];
      case "dropped":
        return [
          { what: "the fix task that is dropped", expected: true, recorded: memory.intended(record.fix) !== null },
        ];
      case "withdrawn":
        return [
          {
            what: "the change that is withdrawn",
            expected: true,
            recorded: memory.planned(record.key) !== null,
          },
        ];
      case "ended":
        return endDecisions(isLed ? walk.reached : null, record, memory);
      case "boxes":
      case "closed":
      case "reached":
      case "continued":
      case "advised":
      case "flushed":
      case "guided":
      case "left":
      // The answer says it again.
      case "judged":
      case "mended":
      case "passed":
      case "released":
      case "reset":
      case "skipped":
      case "unheard":
        return [];
    }
  };
  const isDelegated = (key: AttemptKey): boolean => Object.hasOwn(memory.state.turn.executors, key);
  const unasked = (key: string): Decision => ({ what: "what is asked for", expected: walk.keys(), recorded: key });

  return {
    get walk() {
      return walk;
    },
    enter: (given) => {
      policy = given;
      turns = [{ turn, decisions: 0 }];
      isLed = false;
    },
    compare: (record) => {
      number += 1;
      const isChoice = beginsTurn(record);
      if (isLost && !isChoice) return;
      const made = decide(record);
      if (isChoice) turns.push({ turn, decisions: 0 });
      (turns.at(-1) as { decisions: number }).decisions += made.length;
      decisions += made.length;
      const differing = made.find(({ expected, recorded }) => stableJson(expected) !== stableJson(recorded));
      if (differing === undefined) return;
      isLost = true;
      const { what, expected, recorded } = differing;
      const key = "key" in record ? record.key : null;
      differences.push({ record: number, key, what, expected: stableJson(expected), recorded: stableJson(recorded) });
    },
    leave: () => turns.filter((each) => each.decisions > 0),
    result: (seen) => ({ starts: seen, decisions, differences, next: isLost ? [] : walk.keys() }),
  };
}
