import type { SpecOutcome } from "../../machines/spec-outcome.ts";
import { type Answer, checkAnswer, type Effect, type EffectInput, type EffectName } from "../model/effect.ts";
import type { RunEvent } from "../model/event.ts";
import type { PersonEvent } from "../model/person-event.ts";
import type { Answered, RunRecord } from "../model/record.ts";
import type { RunState } from "../model/run-state.ts";
import { isPerson, type Speaker, spokenBy } from "../model/speaker.ts";
import type { SpecContext } from "../model/spec-context.ts";
import type { TaskContext } from "../model/task-context.ts";
import type { TaskId } from "../model/task-id.ts";
import type { Word } from "./run-control.ts";
import { specMachine } from "./spec-machine.ts";
import { pending, reportChecked, type Step, send } from "./step.ts";
import type { StepState } from "./step-state.ts";

/** A run under way, as plain JSON: where its charts are, and what it has done. */
export interface Session {
  readonly charts: StepState;
  readonly run: Pick<RunState, "advice">;
}

/** What comes of something that a session was told. */
export interface Move {
  /** Where the charts are now. */
  readonly charts: StepState;
  /** To be recorded together, before anything of `performable` begins. */
  readonly records: readonly RunRecord[];
  readonly events: readonly RunEvent[];
  /** Keys of effects that nobody waits for any more: they are to be ended, and what they answer counts for nothing. */
  readonly drop: readonly string[];
}

/** A run whose coordinator starts. @param now In milliseconds since 1970. */
export function openSession(
  charts: StepState,
  { now, speaker }: { readonly now: number; readonly speaker?: Speaker | undefined },
): Move {
  const waits = pending(specMachine(), charts).flatMap((effect) =>
    effect.name === "wait" && isAhead(effect.input, now) ? [waitingEvent(effect.input)] : [],
  );
  // Whoever starts it again lets it go on.
  const move = isPaused(charts) ? resume(charts, speaker) : still(charts);
  return { ...move, events: [...waits, ...move.events] };
}

/** All that may be under way now. While a run is paused, what delegates does not begin. */
export function performable(charts: StepState): Effect[] {
  const waiting = pending(specMachine(), charts);
  return isPaused(charts) ? waiting.filter(({ name }) => !delegates.has(name)) : waiting;
}

/** How the charts have ended; null while they go on. */
export const outcomeOf = ({ status, output }: StepState): SpecOutcome | null =>
  status === "active" ? null : (output as SpecOutcome);

/**
 * An effect was performed. An answer that nobody waits for any more is recorded, and changes nothing.
 *
 * @param by Who has answered, where a person did.
 * @throws {InputError} `answer-malformed`
 */
export const takeAnswer = (session: Session, effect: Effect, given: unknown, by?: Speaker): Move =>
  takeChecked(session, effect, checkAnswer(effect, given), by);

/** The same with what is in the form of its answers already. */
export function takeChecked({ charts, run }: Session, effect: Effect, checked: Answer<EffectName>, by?: Speaker): Move {
  const { name, key } = effect;
  const isChoice = name === "chooseTask" && pending(specMachine(), charts).some((asked) => asked.key === key);
  const { answer, guided } = isChoice ? advise(checked as Answer<"chooseTask">, run.advice) : plain(checked);
  return {
    ...moved(reportChecked(specMachine(), charts, key, answer)),
    records: [...guided, { type: "answered", effect: name, key, answer, ...spokenBy(by) } as Answered],
  };
}

const plain = (answer: Answer<EffectName>) => ({ answer, guided: [] });

/** Whoever is given a task next is told what nobody was at work to hear. */
function advise(answer: Answer<"chooseTask">, advice: RunState["advice"]) {
  if (advice === null || (answer.kind !== "task" && answer.kind !== "batch")) return plain(answer);
  const { text, by } = advice;
  const isAlone = answer.kind === "task";
  const guided = (isAlone ? [answer] : answer.members).map(({ root }) => guidedRecord(root, text, by));
  if (isAlone) return { answer: { ...answer, guidance: text }, guided };
  return { answer: { ...answer, members: answer.members.map((member) => ({ ...member, guidance: text })) }, guided };
}

/**
 * Receive a message from outside. While a question waits for a person, what answers it is its answer: from a person, or
 * from the program that drives the run. Another program does not answer, and is not heard.
 */
export function hear({ charts, run }: Session, { event, by, to }: Word): Move {
  if (charts.status !== "active") return still(charts);
  const waiting = pending(specMachine(), charts);
  const question = waiting.find(({ name, key }) => name === "askPerson" && (to === undefined || key === to));
  if (to !== undefined && question === undefined) return still(charts);
  const answer = question === undefined ? null : answerIn(event);
  if (question !== undefined && answer !== null) {
    // An answer that a start was given is its caller's; one from the inbox has to come from a person.
    if (by?.word !== undefined && !isPerson(by)) return still(charts);
    return { ...takeAnswer({ charts, run }, question, answer, by), drop: [question.key] };
  }
  const said = { type: "said", event, ...spokenBy(by) } as const;
  const roots = event.type === "guidance.given" ? rootsAtWork(charts) : [];
  if (event.type === "guidance.given" && roots.length === 0) {
    return { ...still(charts), records: [{ type: "advised", text: event.text, ...spokenBy(by) }] };
  }
  const guided = event.type === "guidance.given" ? roots.map((root) => guidedRecord(root, event.text, by)) : [];
  const move = moved(send(specMachine(), charts, event));
  const wanted = new Set(pending(specMachine(), move.charts).map(({ key }) => key));
  return {
    ...move,
    records: [...guided, said],
    events: [...move.events, ...toldBy(event)],
    drop: waiting.flatMap(({ name, key }) => (wanted.has(key) || isFinished.has(name) ? [] : [key])),
  };
}

const guidedRecord = (task: TaskId, text: string, by: Speaker | undefined): RunRecord => ({
  type: "guided",
  task,
  text,
  ...spokenBy(by),
});

const moved = ({ state: charts, events }: Step): Move => ({ charts, records: [], events, drop: [] });
const still = (charts: StepState): Move => ({ charts, records: [], events: [], drop: [] });

const resume = (charts: StepState, speaker: Speaker | undefined): Move =>
  hear({ charts, run: { advice: null } }, { event: { type: "resume" }, ...spokenBy(speaker) });

function toldBy({ type }: PersonEvent): RunEvent[] {
  if (type === "pause") return [{ type: "run.paused" }];
  return type === "resume" ? [{ type: "run.resumed" }] : [];
}

/** What a person says, as the answer to a question that waits for one; null when it is none. */
function answerIn(event: PersonEvent): Answer<"askPerson"> | null {
  if (event.type === "decision.made") return { kind: "decided", decision: event.decision };
  return event.type === "guidance.given" ? { kind: "guided", text: event.text } : null;
}

/** Effects that are brought to their end also when nobody waits for them any more: what they write is to be known. */
const isFinished: ReadonlySet<EffectName> = new Set(["recordPass", "recordSkip"]);

/** What does not begin while the run is paused. */
const delegates: ReadonlySet<EffectName> = new Set(["delegate", "review", "askOperator"]);

/** Planned tasks that machines are at work on. */
const rootsAtWork = ({ nodes }: StepState): readonly TaskId[] => [
  ...new Set(
    Object.values(nodes)
      .map(({ context }) => (context as Partial<TaskContext>).root)
      .filter((root) => root !== undefined),
  ),
];

export const isPaused = ({ nodes }: StepState): boolean =>
  (nodes[""]?.context as SpecContext | undefined)?.paused === true;

/** Whether there is something left to wait for: a person is taken to have helped. */
const isAhead = ({ until }: EffectInput<"wait">, now: number): boolean => until !== null && until > now;

/** A wait that a start before has begun is told anew. */
const waitingEvent = ({ task, reason, until, error }: EffectInput<"wait">): RunEvent => ({
  type: "waiting",
  task,
  reason,
  until,
  error,
});
