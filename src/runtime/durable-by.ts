import type { AnyStateMachine } from "xstate";
import { begunBy } from "../effects/begun-by.ts";
import { withFacts } from "../effects/run-memory.ts";
import type { Answer, Effect, EffectName } from "../model/effect.ts";
import type { RunEvent } from "../model/event.ts";
import { type PersonEvent, type Speaker, spokenBy } from "../model/person-event.ts";
import { type PolicyInput, readPolicy } from "../model/policy.ts";
import { type RunRecord, wordOf } from "../model/record.ts";
import type { RunState } from "../model/run-state.ts";
import type { AttemptFacts } from "../ports/attempt-record.ts";
import { newRun } from "../run/new-run.ts";
import type { Inspect } from "./inspect.ts";
import { openSession } from "./session.ts";

/** What has come of an effect. */
export interface DurableAnswer {
  readonly answer: Answer<EffectName>;
  /** What it was made from, as the functions of `createActs` give it. */
  readonly facts?: AttemptFacts | undefined;
  /** What was recorded while it was performed (what it records before it begins when not given). */
  readonly records?: readonly RunRecord[];
}

/** What is known while an effect is performed. */
export interface DurableContext {
  /** What has happened so far; not to be changed. */
  readonly state: RunState;
  /** Aborted when nobody waits for the answer any more, or when the run stops. */
  readonly signal: AbortSignal;
  /** Keep records while effects are under way, as a happening of their own: no answer need have them then. */
  readonly record: (records: readonly RunRecord[]) => void;
}

export interface DurableSetup {
  /** The outermost chart, with what it is started with: that of the coordinator when not given. */
  readonly machine?: AnyStateMachine;
  readonly input?: unknown;
  /** That of the run (the defaults when not given). */
  readonly policy?: PolicyInput;
  /** Performs an effect, at least once for each key. Null: nobody does, it waits for what a person says. */
  readonly perform: (effect: Effect, context: DurableContext) => Promise<DurableAnswer> | null;
  /**
   * The memory of the engine: what has happened as number `at`, counted from 0. Where it holds that, it answers it and
   * does not call `happening`; else it calls `happening` and keeps what that gives, as JSON, before it answers.
   * `happening` may be called again, as when the engine could not keep the result: it gives the same then. It rejects
   * with the error of an effect; called again, it performs that effect once more.
   */
  readonly once: (at: number, happening: () => Promise<readonly RunRecord[]>) => Promise<readonly RunRecord[]>;
  /** Told what happens, once it is kept; again for what the engine remembers when it runs the workflow again. */
  readonly onEvent?: (event: RunEvent) => void;
  readonly inspect?: Inspect;
}

/** A run in a workflow of an engine. */
export interface DurableRun {
  readonly state: RunState;
  /** What the outermost chart ends with, such as `{ kind: "complete", end: null }`. Rejects with the error of `once`. */
  readonly done: Promise<unknown>;
  /**
   * Say something to the run. Said again with the same `by.word`, it counts once.
   *
   * @param by Who says it; the program that drives the run when not given.
   * @param to Key of the question that it answers; the first that is open when not given.
   * @returns Whether it was heard, once that is kept. Not where nobody waits for it, or the run has ended.
   */
  say(event: PersonEvent, by?: Speaker, to?: string): Promise<boolean>;
}

interface Said {
  readonly event: PersonEvent;
  readonly by?: Speaker;
  readonly to?: string;
  readonly told: (isHeard: boolean) => void;
}

/** Effects that are brought to their end also when nobody waits for them any more: what they write is to be known. */
const isFinished: ReadonlySet<EffectName> = new Set(["recordPass", "recordSkip"]);

/**
 * A run on an engine that remembers by itself what was done, and runs its workflow once more from the start after a crash,
 * such as Temporal, DBOS or Restate. Whatever happens (an answer, a decision, what a person says) is one step of the engine,
 * in the order in which it happened. So the same memory always leads to the same decisions, and an effect whose answer is
 * kept is not performed again.
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
  /** Keys of what waits for a person. */
  const waiting = new Set<string>();
  /** Makes the records of what has happened, in the order in which it did. */
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
      ({ answer, facts, records = begunBy(effect, answer) }) =>
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
  /** What happens next; none where the run has come to its end. */
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
    // Whoever performs effects may use what is returned here.
    done: Promise.resolve().then(work).finally(close),
    say: (event, by, to) =>
      new Promise((told) => {
        if (isOver) return told(false);
        words.push({ event, ...spokenBy(by), ...(to !== undefined && { to }), told });
        wake();
      }),
  };
}
