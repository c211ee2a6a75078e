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
import type { Inspect } from "./drive-charts.ts";
import { type Charts, driveCharts, resumableRecords, specMachine } from "./drive-charts.ts";
import type { Word } from "./run-control.ts";
import { advised, answerIn, guidedRecord } from "./run-control.ts";

export interface SessionSetup {
  readonly policy: Policy;
  /**
   * The state after all records, including `records`. Without the function `record`, the state is copied, and the
   * original stays unchanged.
   */
  readonly state: RunState;
  /** Records of the run, from which the charts replay the turn to resume; empty to begin a turn. */
  readonly records?: readonly RunRecord[];
  /** Whether a choice or decision may be appended together with the next records (false if not given). */
  readonly mayHold?: boolean;
  /**
   * Whether decisions that need only the state are recorded at once (true by default). If false, `make.decision`
   * returns such decisions.
   */
  readonly decides?: boolean;
  /** Stores records and applies them to the state (if not given, they are only applied). */
  readonly record?: Attempts["record"];
  readonly onEvent?: (event: RunEvent) => void;
  readonly inspect?: Inspect | undefined;
  /** The outermost chart; by default that of the coordinator. */
  readonly machine?: AnyStateMachine;
  /** Input of the outermost chart. */
  readonly input?: unknown;
}

/**
 * A run in progress: each event is recorded, applied to the state, and sent to the charts. The charts settle before the
 * next event. A session performs no effects.
 */
export interface Session {
  readonly charts: Charts;
  readonly state: RunState;
  /** Effects that may run now. While a run is paused, no delegation begins. */
  performable(): Effect[];
  /** Whether a chart waits for the answer. */
  waits(effect: Effect): boolean;
  /**
   * Take the answer of a performed effect. An answer that no one waits for is recorded without effect.
   *
   * @param given The answer; validated unless `isChecked` is true.
   * @throws {InputError} `answer-malformed`
   */
  take(effect: Effect, given: unknown, more?: Taking): void;
  /**
   * Take a message. While a question waits for a person, a matching message is its answer, if it comes from a person or
   * from the program that drives the run. Messages of other programs are rejected.
   */
  hear(word: Word): void;
  /** The outcome of the charts; null while they run. */
  outcome(): SpecOutcome | null;
  /** Makes the next records, for a host that stores them before they are committed. */
  readonly make: Make;
  /** Store records, apply them to the state, and send them to the charts. */
  commit(records: readonly RunRecord[], more?: Kept): void;
}

/** Makes records without storing them. */
interface Make {
  /** The next decision that needs only the state; null if none is requested. */
  decision(): RunRecord | null;
  /** @throws {InputError} `answer-malformed` */
  answer(effect: Effect, given: unknown, more?: Pick<Taking, "by" | "isChecked">): RunRecord[];
  /** Empty if the run rejects the message. */
  word(word: Pick<Word, "event" | "by" | "to">): RunRecord[];
}

interface Taking {
  readonly by?: Speaker | undefined;
  readonly facts?: AttemptFacts | undefined;
  /** In milliseconds since 1970. */
  readonly at?: number;
  readonly isChecked?: boolean;
}

type Kept = NonNullable<Parameters<Attempts["record"]>[1]>;

/**
 * Open a session at the position that its records lead to.
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
  const records = setup.machine === undefined ? resumableRecords(setup.records ?? []) : (setup.records ?? []);
  const charts = driveCharts(machine, { input: setup.input, inspect });
  for (const each of records) {
    if (!charts.tell(each) && !mayBeLate(charts, each)) throw divergedAt(each as Answered);
  }
  /** The effect of each request: a request keeps the input with which its effect began. */
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
        // An answer from the inbox, which has an id in `by.word`, must come from a person.
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

/** Effects that do not begin while the run is paused. */
const delegates: ReadonlySet<EffectName> = new Set(["delegate", "review", "askOperator"]);

const rootsAtWork = (charts: Charts): readonly TaskId[] => [
  ...new Set(charts.positions().flatMap(({ context: { root } }) => (typeof root === "string" ? [root] : []))),
];

/** Whether a recorded answer needs no waiting chart: the run was cancelled meanwhile, or a question is asked again. */
const mayBeLate = (charts: Charts, record: RunRecord): boolean =>
  record.type === "answered" &&
  (charts.isDone() || record.effect === "mergeProgress" || record.effect === "chooseCleanup");

const divergedAt = ({ key }: Answered): InputError =>
  new InputError(`Cannot resume the run, expected a request for each recorded answer: nothing requests \`${key}\``, {
    code: "journal-diverged",
    ways: versionsApart,
  });
