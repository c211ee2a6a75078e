import type { AnyStateMachine } from "xstate";
import type { SpecOutcome } from "../../machines/spec.ts";
import { type Answer, checkAnswer, type Effect, type EffectName } from "../model/effect.ts";
import { InputError, versionsApart } from "../model/errors.ts";
import type { RunEvent } from "../model/event.ts";
import { isPerson, type Speaker, spokenBy } from "../model/person-event.ts";
import type { Policy } from "../model/policy.ts";
import type { Answered, RunRecord } from "../model/record.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";
import type { AttemptFacts } from "../ports/attempt-record.ts";
import type { Attempts } from "../ports/attempts.ts";
import { apply } from "../run/apply.ts";
import { answerOfState, isAnsweredByState } from "../run/decide-next.ts";
import { eventsOf } from "../run/events-of.ts";
import { completeAnswer } from "../run/pull-request.ts";
import { effectFor, type Requested } from "../run/requests.ts";
import { advised, answerIn, guidedRecord } from "./heard-records.ts";
import type { Inspect } from "./inspect.ts";
import { type Charts, lead, ledAlong } from "./lead.ts";
import type { Word } from "./run-control.ts";
import { specMachine } from "./spec-machine.ts";

/** What a session is opened with. */
export interface SessionSetup {
  readonly policy: Policy;
  /**
   * What the records of the run come to, those that its charts are led along included. Without `record` it stays as it
   * is: the session changes a copy of it.
   */
  readonly state: RunState;
  /** The records of the run: its charts are led along those of the turn that it goes on in; none to begin a turn. */
  readonly records?: readonly RunRecord[];
  /** Whether a choice and a decision may be appended together with what is recorded behind them (not so when not given). */
  readonly mayHold?: boolean;
  /** Whether what the state alone decides is recorded at once (true by default); else it is `make.decision` that gives it. */
  readonly decides?: boolean;
  /** Keep records, and apply them to the state (that alone when not given). */
  readonly record?: Attempts["record"];
  readonly onEvent?: (event: RunEvent) => void;
  readonly inspect?: Inspect | undefined;
  /** The outermost chart, with what it is started with: that of the coordinator when not given. */
  readonly machine?: AnyStateMachine;
  readonly input?: unknown;
}

/**
 * A run under way: what happens is recorded, applied to the state, and told to the charts, which then stand still before
 * anything else happens. Nothing is performed.
 */
export interface Session {
  readonly charts: Charts;
  /** What all records come to by now. */
  readonly state: RunState;
  /** All that may be under way now. While a run is paused, what delegates does not begin. */
  performable(): Effect[];
  /** Whether somebody waits for the answer to it. */
  waits(effect: Effect): boolean;
  /**
   * An effect was performed. An answer that nobody waits for any more is recorded, and changes nothing.
   *
   * @param given In the form of its answers; checked where `isChecked` does not say that it was.
   * @throws {InputError} `answer-malformed`
   */
  take(effect: Effect, given: unknown, more?: Taking): void;
  /**
   * Hear what somebody says. While a question waits for a person, what answers it is its answer: from a person, or from
   * the program that drives the run. Another program does not answer, and is not heard.
   */
  hear(word: Word): void;
  /** How the charts have ended; null while they go on. */
  outcome(): SpecOutcome | null;
  /** Records of what comes next, for a host that keeps them before they are committed. */
  readonly make: Make;
  /** Keep records, apply them to the state, and tell them to the charts. */
  commit(records: readonly RunRecord[], more?: Kept): void;
}

/** Makes records; nothing is kept yet. */
interface Make {
  /** What the state of the run alone decides next; null where nothing waits for that. */
  decision(): RunRecord | null;
  /** @throws {InputError} `answer-malformed` */
  answer(effect: Effect, given: unknown, more?: Pick<Taking, "by" | "isChecked">): RunRecord[];
  /** None where the run does not hear it. */
  word(word: Pick<Word, "event" | "by" | "to">): RunRecord[];
}

interface Taking {
  /** Who has answered, where a person did. */
  readonly by?: Speaker | undefined;
  /** What it was made from. */
  readonly facts?: AttemptFacts | undefined;
  /** When, in milliseconds since 1970. */
  readonly at?: number;
  readonly isChecked?: boolean;
}

type Kept = NonNullable<Parameters<Attempts["record"]>[1]>;

/**
 * Open a session where its records have led to.
 *
 * @throws {InputError} `journal-diverged`
 */
export function openSession(setup: SessionSetup): Session {
  const { policy, mayHold = false, decides = true, onEvent = () => {}, inspect, machine = specMachine() } = setup;
  const state = setup.record === undefined ? structuredClone(setup.state) : setup.state;
  const record =
    setup.record ??
    ((made, { at } = {}) => {
      for (const each of made) apply(state, at === undefined ? each : { ...each, at });
    });
  const records = setup.machine === undefined ? ledAlong(setup.records ?? []) : (setup.records ?? []);
  const charts = lead(machine, { input: setup.input, inspect });
  for (const each of records) {
    if (!charts.tell(each) && !mayBeLate(charts, each)) throw divergedAt(each as Answered);
  }
  /** Keys are given once: what an effect was asked with is what it was begun with. */
  const effects = new WeakMap<Requested, Effect>();
  const effectOf = (request: Requested): Effect => {
    const known = effects.get(request);
    if (known !== undefined) return known;
    const made = effectFor(state, policy, request);
    effects.set(request, made);
    return made;
  };
  const find = (effect: Effect): Requested | undefined =>
    charts.requests().find((request) => effects.get(request) === effect || effectOf(request).key === effect.key);

  const commit: Session["commit"] = (made, more = {}) => {
    const events: RunEvent[] = [];
    let isAppended = false;
    let isTold = false;
    const tell = (): void => {
      more.onAppended?.();
      for (const event of events) onEvent(event);
    };
    record(made, {
      ...more,
      onAppended: () => {
        isAppended = true;
        if (isTold) tell();
      },
    });
    if (setup.record === undefined) isAppended = true;
    for (const each of made) {
      events.push(...eventsOf(state, policy, each));
      charts.tell(each);
    }
    isTold = true;
    if (isAppended) tell();
  };
  const make: Make = {
    decision: () => {
      const request = charts.requests().find(({ name }) => isAnsweredByState(name));
      if (request === undefined || !isAnsweredByState(request.name)) return null;
      const { name, root = "", current = "" } = request;
      const { key } = effectOf(request);
      return {
        type: "answered",
        effect: name,
        key,
        answer: answerOfState(state, policy, request.name, { root, current }),
      } as Answered;
    },
    answer: (effect, given, { by, isChecked = false } = {}) => {
      const { name, key } = effect;
      const checked = isChecked ? (given as Answer<EffectName>) : checkAnswer(effect, given);
      const answer = completeAnswer(state, policy, name, checked);
      const isChoice = name === "chooseTask" && find(effect) !== undefined;
      const guided = isChoice ? advised(answer as Answer<"chooseTask">, state) : [];
      return [...guided, { type: "answered", effect: name, key, answer, ...spokenBy(by) } as Answered];
    },
    word: ({ event, by, to }) => {
      const questions = charts.requests().filter(({ name }) => name === "askPerson");
      const question = questions.map(effectOf).find(({ key }) => to === undefined || key === to);
      if (charts.isDone() || (to !== undefined && question === undefined)) return [];
      const answer = question === undefined ? null : answerIn(event);
      if (question !== undefined && answer !== null) {
        // An answer that a start was given is its caller's; one from the inbox has to come from a person.
        if (by?.word !== undefined && !isPerson(by)) return [];
        return [{ type: "answered", effect: question.name, key: question.key, answer, ...spokenBy(by) } as Answered];
      }
      const said: RunRecord = { type: "said", event, ...spokenBy(by) };
      if (event.type !== "guidance.given") return [said];
      const roots = rootsAtWork(charts);
      if (roots.length === 0) return [{ type: "advised", text: event.text, ...spokenBy(by) }];
      return [...roots.map((root) => guidedRecord(root, event.text, by)), said];
    },
  };
  /** Decide what charts ask the state alone. */
  const settle = (): void => {
    for (let decision = decides ? make.decision() : null; decision !== null; decision = make.decision()) {
      commit([decision], { hold: mayHold });
    }
  };
  settle();
  return {
    charts,
    state,
    performable: () =>
      charts
        .requests()
        .filter(({ name }) => !state.paused || !delegates.has(name))
        .map(effectOf),
    waits: (effect) => find(effect) !== undefined,
    take: (effect, given, { facts, at, ...more } = {}) => {
      commit(make.answer(effect, given, more), { facts, at, hold: mayHold && effect.name === "chooseTask" });
      settle();
    },
    outcome: () => (charts.isDone() ? (charts.output() as SpecOutcome) : null),
    hear: ({ onHeard = () => {}, ...word }) => {
      const records = make.word(word);
      if (records.length === 0) return onHeard();
      commit(records, { onAppended: onHeard });
      settle();
    },
    make,
    commit,
  };
}

/** What does not begin while the run is paused. */
const delegates: ReadonlySet<EffectName> = new Set(["delegate", "review", "askOperator"]);

/** Planned tasks that machines are at work on. */
const rootsAtWork = (charts: Charts): readonly TaskId[] => [
  ...new Set(charts.positions().flatMap(({ context: { root } }) => (typeof root === "string" ? [root] : []))),
];

/** What was under way when the run was cancelled is recorded behind its end; what comes behind a question is asked anew. */
const mayBeLate = (charts: Charts, record: RunRecord): boolean =>
  record.type === "answered" &&
  (charts.isDone() || record.effect === "mergeProgress" || record.effect === "chooseCleanup");

const divergedAt = ({ key }: Answered): InputError =>
  new InputError(`Cannot go on with the run, expected its records to fit: nothing waits for \`${key}\``, {
    code: "journal-diverged",
    ways: versionsApart,
  });
