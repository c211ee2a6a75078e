import type { AnyStateMachine } from "xstate";
import { InvariantError } from "../model/errors.ts";
import {
  type Chart,
  type ChartEvent,
  compileChart,
  type Invocation,
  type Request,
  type Row,
  resolve,
  type Turn,
  type Way,
} from "./compile-chart.ts";

/** Where a machine is in its chart. */
export interface Position {
  /** Name of its state. */
  readonly value: string;
  readonly context: unknown;
}

/** Where a transition leads. */
export interface Transition extends Position {
  readonly isDone: boolean;
  /** Of a machine that is done, else undefined. */
  readonly output: unknown;
  readonly requests: readonly Request[];
}

/**
 * Start a machine by its chart. Nothing is performed.
 *
 * @param event The first one, `xstate.init`, which carries the input.
 * @throws {InvariantError} as `compileChart`
 */
export function startChart(machine: AnyStateMachine, event: ChartEvent): Transition {
  const chart = chartOf(machine);
  const turn: Turn = { context: undefined, event, requests: [] };
  turn.context = resolve(chart.context, event);
  return settle(chart, enter(chart.initial, turn), turn);
}

/** Take a machine on by an event: one that its state does not know changes nothing. Nothing is performed. */
export function moveChart(machine: AnyStateMachine, { value, context }: Position, event: ChartEvent): Transition {
  const chart = chartOf(machine);
  const row = rowOf(chart, value);
  const turn: Turn = { context, event, requests: [] };
  const way = row.on(event.type).find(({ guard }) => guard(turn));
  return settle(chart, way === undefined ? row : take(row, way, turn), turn);
}

/**
 * What a machine waits for in a state.
 *
 * @throws {InvariantError} `state-missing`
 */
export const invokedIn = (machine: AnyStateMachine, value: unknown): readonly Invocation[] =>
  rowOf(chartOf(machine), value).invokes;

function rowOf({ rows }: Chart, value: unknown): Row {
  const row = rows.get(value);
  if (row !== undefined) return row;
  throw new InvariantError(`Cannot find state \`${String(value)}\`, expected one of the chart`, {
    code: "state-missing",
  });
}

/** Take a way on: its actions, then those of the state it leads to. */
function take(row: Row, { actions, target }: Way, turn: Turn): Row {
  for (const act of actions) act(turn);
  return target === null ? row : enter(target, turn);
}

function enter(row: Row, turn: Turn): Row {
  for (const act of row.entry) act(turn);
  for (const { id, src, input } of row.invokes) {
    turn.requests.push({ kind: "invoke", id, src, input: resolve(input, turn) });
  }
  return row;
}

/** Take the ways on that wait for no event, until none is open. */
function settle(chart: Chart, entered: Row, turn: Turn): Transition {
  let row = entered;
  for (let way = nextOf(row, turn); way !== undefined; way = nextOf(row, turn)) row = take(row, way, turn);
  const { name: value, isFinal } = row;
  const output = isFinal ? outputOf(chart, row, turn) : undefined;
  return { value, context: turn.context, isDone: isFinal, output, requests: turn.requests };
}

const nextOf = ({ always }: Row, turn: Turn): Way | undefined => always.find(({ guard }) => guard(turn));

/** The output of a machine is made of that of its final state, which comes to it as an event. */
function outputOf(chart: Chart, row: Row, turn: Turn): unknown {
  const event = { type: `xstate.done.state.${row.id}`, output: resolve(row.output, turn) };
  return resolve(chart.output, { context: turn.context, event });
}

/** Compiled once each: a machine is a constant. */
const charts = new WeakMap<AnyStateMachine, Chart>();

function chartOf(machine: AnyStateMachine): Chart {
  const known = charts.get(machine);
  if (known !== undefined) return known;
  const chart = compileChart(machine);
  charts.set(machine, chart);
  return chart;
}
