import type { Effect } from "../model/effect.ts";
import { InputError } from "../model/errors.ts";
import type { RunEvent } from "../model/event.ts";
import type { PersonEvent } from "../model/person-event.ts";
import type { PolicyInput } from "../model/policy.ts";
import type { Answered, RunRecord, TimedRunRecord } from "../model/record.ts";
import type { Decision } from "./replayed.ts";
import { specMachine } from "./spec-machine.ts";
import { pending, report, type Step, send, start } from "./step.ts";
import type { MachineNode, StepState } from "./step-state.ts";

type Said = Extract<TimedRunRecord, { type: "said" }>;

/** What a record has led to. */
export interface Move {
  readonly before: StepState;
  readonly after: StepState;
  readonly events: readonly RunEvent[];
}

/** An answer, held against what is asked for. */
interface Taken {
  /** Null where it has led to nothing. */
  readonly move: Move | null;
  /** Whether it was asked for, in this form; null where it need not be. */
  readonly decision: Decision | null;
}

/** The charts of a run, led along its records: the same charts, given the same answers, make the same moves. */
export interface Walk {
  readonly state: StepState;
  /** The state that the last answer has led to, also where that was not gone on from. */
  readonly reached: StepState;
  /** Keys of what is asked for. */
  keys(): string[];
  /** What is asked for under a key; undefined when it is not. */
  asked(key: string): Effect | undefined;
  /** What is asked for that a test holds for; undefined when nothing is. */
  find(test: (effect: Effect) => boolean): Effect | undefined;
  /** Go on from an answer, unless it is asked for anew. */
  take(record: Answered, options?: { readonly anew: boolean }): Taken;
  /** Go on from what a person has said. */
  say(record: Said): Move;
}

/**
 * A walk along a turn, which chooses a task first.
 *
 * @param turn Its number, from 1.
 */
export function walkFrom({ policy, turn }: { readonly policy: PolicyInput; readonly turn: number }): Walk {
  const machine = specMachine();
  let { state } = start(machine, { policy, turn });
  let waiting = pending(machine, state);
  const before = new Set<string>();
  let aside: StepState | null = null;
  const moveTo = ({ state: after, events }: Step, anew = false): Move => {
    const move = { before: state, after, events };
    if (anew) {
      aside = after;
      return move;
    }
    for (const { key } of waiting) before.add(key);
    state = after;
    aside = null;
    waiting = pending(machine, state);
    return move;
  };
  const keys = (): string[] => waiting.map(({ key }) => key);
  const find: Walk["find"] = (test) => waiting.find(test);
  const asked = (key: string): Effect | undefined => find((effect) => effect.key === key);
  return {
    get state() {
      return state;
    },
    get reached() {
      return aside ?? state;
    },
    keys,
    asked,
    find,
    take: (record, { anew } = { anew: false }) => {
      const { key, answer } = record;
      if (asked(key) === undefined) {
        // What was under way when the run was cancelled is recorded behind its end.
        const isLate = state.status === "done" && before.has(key);
        const what = { what: "what is asked for", expected: keys(), recorded: key };
        return { move: null, decision: isLate || follows(record) ? null : what };
      }
      try {
        const move = moveTo(report(machine, state, key, answer), anew);
        return { move, decision: { what: "what is asked for", expected: key, recorded: key } };
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        const expected = error.hint ?? error.message;
        return { move: null, decision: { what: "the form of the answer", expected, recorded: answer } };
      }
    },
    say: ({ event }) => moveTo(sayAgain(state, event)),
  };

  /**
   * Tell machines what was said. While one waits for a person, whose question is to be put again, advice was for the
   * others: an answer is recorded as one.
   */
  function sayAgain(to: StepState, event: PersonEvent): Step {
    if (event.type !== "guidance.given" && event.type !== "decision.made") return send(machine, to, event);
    const asking = Object.entries(to.nodes).filter(([, node]) => asks(node));
    const others = Object.entries(to.nodes).filter(([, node]) => !asks(node));
    if (asking.length === 0) return send(machine, to, event);
    const step = send(machine, { ...to, nodes: Object.fromEntries(others) }, event);
    return { ...step, state: { ...step.state, nodes: { ...step.state.nodes, ...Object.fromEntries(asking) } } };
  }
}

const asks = ({ invoked }: MachineNode): boolean =>
  Object.values(invoked).some((child) => child.kind === "effect" && child.effect.name === "askPerson");

/** What comes after a question that is asked anew is done anew, too. */
const follows = ({ effect }: Answered): boolean => effect === "mergeProgress" || effect === "chooseCleanup";

/** The moves of a turn, by their records, and the walk that has made them. */
export interface Walked {
  readonly moves: ReadonlyMap<TimedRunRecord, Move>;
  readonly walk: Walk;
  /** The first record that does not fit; null when all do. */
  readonly diverged: Extract<TimedRunRecord, { type: "answered" }> | null;
}

/**
 * Walk along the records of a turn, up to one that does not fit. A question that was put again later is passed over:
 * the answer that counts is the later one.
 */
export function walkTurn(input: Parameters<typeof walkFrom>[0], records: readonly TimedRunRecord[]): Walked {
  const walk = walkFrom(input);
  const moves = new Map<TimedRunRecord, Move>();
  for (const [index, record] of records.entries()) {
    if (record.type === "said") moves.set(record, walk.say(record));
    if (record.type !== "answered" || isPutAgain(record, records.slice(index + 1))) continue;
    const { move, decision } = walk.take(record);
    if (move !== null) moves.set(record, move);
    else if (decision !== null) return { moves, walk, diverged: record };
  }
  return { moves, walk, diverged: null };
}

/** Questions that stopped a start are asked anew by the next: none is the answer that a later one goes on from. */
export const asksPerson = (record: RunRecord): boolean => record.type === "answered" && record.answer.kind === "gate";

/** Whether a question was put again later. */
const isPutAgain = (record: Answered, later: readonly TimedRunRecord[]): boolean =>
  asksPerson(record) && later.some((other) => other.type === "answered" && other.key === record.key);
