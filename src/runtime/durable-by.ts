import type { AnyStateMachine } from "xstate";
import { beginRecords } from "../effects/begin-records.ts";
import { withFacts } from "../effects/run-memory.ts";
import type { Answer, Effect, EffectName } from "../model/effect.ts";
import type { RunEvent } from "../model/event.ts";
import { type PersonEvent, type Speaker, spokenBy } from "../model/person-event.ts";
import { type PolicyInput, readPolicy } from "../model/policy.ts";
import { type RunRecord, wordOf } from "../model/record.ts";
import type { RunState } from "../model/run-state.ts";
import type { AttemptFacts } from "../ports/attempt-record.ts";
import { newRun } from "../run/new-run.ts";
import type { Inspect } from "./drive-charts.ts";
import { openSession } from "./session.ts";

/** The result of an effect. */
export interface DurableAnswer {
  readonly answer: Answer<EffectName>;
  /** Facts that the effect found, as returned by the functions of `createActs`. */
  readonly facts?: AttemptFacts | undefined;
  /** Records written while the effect ran. If not given: the records due before it, such as its delegation. */
  readonly records?: readonly RunRecord[];
}

/** Context in which an effect is performed. */
export interface DurableContext {
  /** The current state; read-only. */
  readonly state: RunState;
  /** Aborted when no one waits for the answer any more, or the run stops. */
  readonly signal: AbortSignal;
  /** Store records at once, as a separate step. Omit such records from `DurableAnswer.records`. */
  readonly record: (records: readonly RunRecord[]) => void;
}

export interface DurableSetup {
  /** The outermost chart; by default that of the coordinator. */
  readonly machine?: AnyStateMachine;
  /** Input of the outermost chart. */
  readonly input?: unknown;
  /** Policy of the run (defaults if not given). */
  readonly policy?: PolicyInput;
  /** Performs an effect, at least once per key. Returns null if the effect waits for a person. */
  readonly perform: (effect: Effect, context: DurableContext) => Promise<DurableAnswer> | null;
  /**
   * The memory of the engine. `at` numbers the steps from 0. A remembered step is returned without a call of
   * `happening`; otherwise call `happening`, store its result as JSON, and return it. If storing fails, `happening` may
   * be called again and gives the same result. If an effect fails, `happening` rejects with its error, and a repeated
   * call performs the effect again.
   */
  readonly once: (at: number, happening: () => Promise<readonly RunRecord[]>) => Promise<readonly RunRecord[]>;
  /** Called with each event after it is stored; called again when the engine replays the workflow. */
  readonly onEvent?: (event: RunEvent) => void;
  readonly inspect?: Inspect;
}

/** A run inside an engine's workflow. */
export interface DurableRun {
  readonly state: RunState;
  /** The output of the outermost chart, such as `{ kind: "complete", end: null }`. Rejects with the error of `once`. */
  readonly done: Promise<unknown>;
  /**
   * Send an event to the run. Calls with the same `by.word` count once.
   *
   * @param by The sender; the program that drives the run if not given.
   * @param to Key of the question that the event answers; the first open question if not given.
   * @returns Whether the run accepted the event, once the event is stored. False if no one waits for the event, or the
   * run has ended.
   */
  say(event: PersonEvent, by?: Speaker, to?: string): Promise<boolean>;
}

interface Said {
  readonly event: PersonEvent;
  readonly by?: Speaker;
  readonly to?: string;
  readonly told: (isHeard: boolean) => void;
}

/** Effects that finish even if no one waits for them, since the result of their writes must be known. */
const isFinished: ReadonlySet<EffectName> = new Set(["recordPass", "recordSkip"]);

/**
 * Run on a durable engine that replays its workflow after a crash, such as Temporal, DBOS or Restate. Every event (an
 * answer, a decision, a person's input) is one step of the engine, in order. So the same stored steps always
 * lead to the same decisions, and an effect with a stored answer is not performed again.
 *
 * @throws {InputError} `policy-invalid`
 * @see docs/orchestrator.md
 */
export function durableBy(setup: DurableSetup): DurableRun {
  const { perform, once, onEvent = () => {}, machine, input, inspect } = setup;
  const session = openSession({
    ...{ policy: readPolicy(setup.policy), state: newRun(), onEvent, inspect, input, decides: false },
    ...(machine !== undefined && { machine }),
  });
  const { make, charts, state } = session;
  const underway = new Map<string, { readonly effect: Effect; readonly controller: AbortController }>();
  const waiting = new Set<string>();
  const happened: (() => readonly RunRecord[])[] = [];
  const words: Said[] = [];
  const heard = new Set<string>();
  let telling: Said | null = null;
  let isOver = false;
  let wake = (): void => {};

  const begin = (effect: Effect): void => {
    const controller = new AbortController();
    const { signal } = controller;
    const happens = (records: () => readonly RunRecord[]): void => {
      happened.push(records);
      wake();
    };
    const performing = perform(effect, { state, signal, record: (records) => happens(() => records) });
    if (performing === null) return void waiting.add(effect.key);
    underway.set(effect.key, { effect, controller });
    const settle = (records: () => readonly RunRecord[]): void =>
      happens(() => {
        underway.delete(effect.key);
        return records();
      });
    performing.then(
      ({ answer, facts, records = beginRecords(effect, answer) }) =>
        settle(() => {
          if (signal.aborted) return [];
          const answered = make.answer(effect, answer);
          return [...records, ...(facts === undefined ? answered : answered.map((each) => withFacts(each, facts)))];
        }),
      (error: unknown) =>
        settle(() => {
          if (signal.aborted) return [];
          throw error;
        }),
    );
  };
  const dismiss = (isWanted: (effect: Effect) => boolean): void => {
    for (const { effect, controller } of underway.values()) if (!isWanted(effect)) controller.abort();
  };
  const hear = (word: Said): readonly RunRecord[] => {
    const id = word.by?.word;
    const records = id !== undefined && heard.has(id) ? [] : make.word(word);
    if (records.length === 0) word.told(id !== undefined && heard.has(id));
    else telling = word;
    return records;
  };
  const next = async (): Promise<readonly RunRecord[]> => {
    for (;;) {
      const decision = make.decision();
      if (decision !== null) return [decision];
      for (const effect of session.performable())
        if (!underway.has(effect.key) && !waiting.has(effect.key)) begin(effect);
      const word = words.shift();
      const records = word === undefined ? happened.shift()?.() : hear(word);
      if (records !== undefined && records.length > 0) return records;
      if (records !== undefined) continue;
      if (charts.isDone() && underway.size === 0) return [];
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const work = async (): Promise<unknown> => {
    for (let at = 0; ; at++) {
      let same: Promise<readonly RunRecord[]> | null = null;
      const records = await once(at, () => {
        same ??= next().catch((error: unknown) => {
          same = null;
          throw error;
        });
        return same;
      });
      if (records.length === 0) return charts.output();
      session.commit(records);
      for (const id of records.flatMap((record) => wordOf(record) ?? [])) heard.add(id);
      telling?.told(true);
      telling = null;
      dismiss((effect) => isFinished.has(effect.name) || session.waits(effect));
    }
  };
  const close = (): void => {
    isOver = true;
    dismiss(() => false);
    telling?.told(false);
    for (const { told } of words.splice(0)) told(false);
  };
  return {
    state,
    // Begin only after the return, since the callbacks may use the returned object.
    done: Promise.resolve().then(work).finally(close),
    say: (event, by, to) =>
      new Promise((told) => {
        if (isOver) return told(false);
        words.push({ event, ...spokenBy(by), ...(to !== undefined && { to }), told });
        wake();
      }),
  };
}
