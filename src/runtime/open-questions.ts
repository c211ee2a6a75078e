import { commandLine, type SpecAddress } from "../model/command-line.ts";
import type { EffectInput } from "../model/effect.ts";
import type { RunEnded } from "../model/event.ts";
import type { TimedRunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import type { RunState } from "../model/run-state.ts";
import type { RunStatus } from "../model/status.ts";
import type { TaskId } from "../model/task.ts";
import { apply } from "../run/apply.ts";
import { leavesTurn } from "../run/follow.ts";
import { newRun } from "../run/new-run.ts";
import { effectFor } from "../run/requests.ts";
import { questionHints, sayHints } from "../wording/explain-question.ts";
import { driveCharts, lastAnswers, specMachine } from "./drive-charts.ts";
import { lastTold, lastTurn, type RecordedStart } from "./recorded-run.ts";

export interface OpenQuestion extends Pick<EffectInput<"askPerson">, "task" | "root" | "about"> {
  readonly key: string;
}

/**
 * Find the open questions in the last turn of a run: asked or about to be asked. A question that ended a start, or
 * whose answer ended the run, is still open.
 *
 * @param state The state after the records; by default computed from `starts`.
 */
export function openQuestions(starts: readonly RecordedStart[], state: RunState = stateAlong(starts)): OpenQuestion[] {
  const turn = lastTurn(starts);
  if (turn === null || turn.records.some(leavesTurn)) return [];
  const { policy } = turn;
  const moving = turn.records.filter(({ type }) => type === "answered" || type === "said");
  const last = moving.at(-1);
  const told = last !== undefined && putsOff(last) ? moving.slice(0, -1) : moving;
  const charts = driveCharts(specMachine());
  for (const record of lastAnswers(told)) charts.tell(record);
  return charts.requests().flatMap((request) => {
    if (request.name !== "askPerson") return [];
    const { key, input } = effectFor(state, policy, request);
    const { task, root, about } = input as EffectInput<"askPerson">;
    return [{ key, task, root, about }];
  });
}

function stateAlong(starts: readonly RecordedStart[]): RunState {
  const state = newRun();
  for (const record of starts.flatMap(({ records }) => records)) apply(state, record);
  return state;
}

/** The task whose question the last start reported at its end; null if there is none. */
export function toldAbout(starts: readonly RecordedStart[]): TaskId | null {
  const records = starts.flatMap((start) => start.records);
  const last = lastTold(records);
  if (last?.type !== "ended") return null;
  const { error } = last.ending;
  const told = records.findLast(
    (record) => record.type === "answered" && record.answer.kind === "gate" && record.answer.reason === error,
  );
  return told?.type === "answered" ? taskOf(told.key) : null;
}

/** Whether a question stays open after this answer: no one was there, or the answer ended the run. */
function putsOff(record: TimedRunRecord): boolean {
  if (record.type !== "answered" || record.effect !== "askPerson") return false;
  const { answer } = record;
  return answer.kind === "gate" || (answer.kind === "decided" && answer.decision === "stop");
}

type Question = RunStatus["question"];

interface Asking {
  /** How the run's last start ended; null while that start runs, or if it was killed. */
  readonly ended: RunEnded | null;
  readonly asked: readonly OpenQuestion[];
  readonly held: boolean;
}

export const isBroken = (ended: RunEnded | null): boolean =>
  ended === null || ended.outcome === "interrupted" || ended.outcome === "environment";

export const questionOf = ({ ended, asked, held }: Asking, address: SpecAddress): Question =>
  questionIn(ended) ?? questionAbout(asked, address, held);

/** A question about a fleet's run as a whole, for example if its repository cannot be reached. */
export const questionOfRun = (text: string, address: SpecAddress): NonNullable<Question> => ({
  text,
  hint: [
    `Try again: ${commandLine(address, "say", { task: ["retry"] })}`,
    `End the run: ${commandLine(address, "say", { task: ["stop"] })}`,
  ].join("\n"),
});

function questionIn(ended: RunEnded | null): Question {
  if (ended?.outcome !== "checkpoint" && ended?.outcome !== "gate") return null;
  return ended.error === undefined ? null : { text: ended.error, hint: ended.hint ?? null };
}

/**
 * The question at which a start waits, or at which it was stopped.
 *
 * @param held Whether the start is still waiting.
 */
function questionAbout(asked: readonly OpenQuestion[], address: SpecAddress, held: boolean): Question {
  const [first] = asked;
  if (first === undefined) return null;
  const told = `Task ${asked.map(({ task }) => task).join(", ")} waits for a person`;
  if (held)
    return {
      text: address.fleet === undefined ? `${told}: answer in the terminal of the run, or from here` : told,
      hint: sayHints(first, address, asked.length === 1).join("\n"),
    };
  const hint = questionHints(first, address, { isOver: false }).join("\n");
  return { text: `${told}: its question was not answered`, hint };
}
