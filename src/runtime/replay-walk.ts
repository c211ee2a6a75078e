import type { Answer, Effect } from "../model/effect.ts";
import { InputError } from "../model/errors.ts";
import type { Policy } from "../model/policy.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { effectOf } from "../model/reply.ts";
import { sayAgain } from "./replay.ts";
import type { Decision } from "./replayed.ts";
import { specMachine } from "./spec-machine.ts";
import { pending, report, start } from "./step.ts";
import type { StepState } from "./step-state.ts";

type Answered = Extract<TimedRunRecord, { type: "answered" }>;
type Said = Extract<TimedRunRecord, { type: "said" }>;

/** The charts of a run, led along its records. */
export interface Walk {
  readonly state: StepState;
  /** The state that the last answer has led to, also where that was not gone on from. */
  readonly reached: StepState;
  /** A coordinator starts that chooses a task first. @param turn Its number. */
  begin(policy: Policy, turn: number): void;
  /** Keys of what is asked for. */
  keys(): string[];
  /** What is asked for under a key; undefined when it is not. */
  asked(key: string): Effect | undefined;
  /** What is asked for that a test holds for; undefined when nothing is. */
  find(test: (effect: Effect) => boolean): Effect | undefined;
  /**
   * Go on from an answer, unless it is asked for anew. Whether it was asked for is a decision; null where that need not
   * be.
   */
  take(record: Answered, options: { readonly anew: boolean }): Decision | null;
  say(record: Said): void;
}

export function createWalk(): Walk {
  const machine = specMachine();
  let state = start(machine, undefined).state;
  let waiting = pending(machine, state);
  let before = new Set<string>();
  let aside: StepState | null = null;
  const go = (to: StepState): void => {
    for (const { key } of waiting) before.add(key);
    state = to;
    aside = null;
    waiting = pending(machine, state);
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
    begin: (policy, turn) => {
      ({ state } = start(machine, { policy, turn }));
      waiting = pending(machine, state);
      before = new Set();
      aside = null;
    },
    keys,
    asked,
    find,
    take: ({ key, answer }, { anew }) => {
      if (asked(key) === undefined) {
        // What was under way when the run was cancelled is recorded behind its end.
        const late = state.status === "done" && before.has(key);
        return late || isAnew(key) ? null : { what: "what is asked for", expected: keys(), recorded: key };
      }
      try {
        const after = report(machine, state, key, answer as Answer<"delegate">).state;
        if (anew) aside = after;
        else go(after);
        return { what: "what is asked for", expected: key, recorded: key };
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        return { what: "the form of the answer", expected: error.hint ?? error.message, recorded: answer };
      }
    },
    say: ({ event }) => go(sayAgain(machine, state, event)),
  };
}

/** What comes after a question that is asked anew is done anew, too. */
const isAnew = (key: string): boolean => ["mergeProgress", "chooseCleanup"].includes(effectOf(key));
