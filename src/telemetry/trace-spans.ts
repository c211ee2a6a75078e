import { type MetricName, names } from "./names.ts";
import type { TelemetryAttributes } from "./telemetry-like.ts";

/** One thing that is told. Times are in milliseconds since 1970. */
export type TraceAct =
  /** `parent`: null for the span of the run. */
  | {
      readonly kind: "begin";
      readonly span: string;
      readonly parent: string | null;
      readonly name: string;
      readonly at: number;
      readonly attributes: TelemetryAttributes;
    }
  /** `error`: the class of what it ended with; null where it did not fail. */
  | {
      readonly kind: "end";
      readonly span: string;
      readonly at: number;
      readonly attributes: TelemetryAttributes;
      readonly error: string | null;
    }
  | {
      readonly kind: "measure";
      readonly metric: MetricName;
      readonly value: number;
      readonly attributes: TelemetryAttributes;
    };

/** What a trace keeps from one record to the next. */
export interface Trace {
  /** Ids of open spans, outermost first, with what is measured when they end. */
  readonly open: readonly OpenSpan[];
  /** Turns that were begun. */
  readonly turns: number;
  /** Keys of verdicts that were recorded before their answers, which repeat what they were made from. */
  readonly judged: readonly string[];
  readonly conversation: string;
  readonly content: boolean;
}

interface OpenSpan {
  readonly span: string;
  readonly at: number;
  readonly metric: MetricName;
  readonly measured: TelemetryAttributes;
}

/** A trace, and what is told meanwhile. */
export interface Traced {
  readonly trace: Trace;
  readonly acts: readonly TraceAct[];
}

/** Ids of the spans of a run and a turn. The id of an attempt is its key; other work adds a suffix, such as `/review`. */
export const spans = { run: "run", turn: "turn" } as const;

/** The error of a span that was left open, such as that of an attempt that a later start has repeated. */
export const broken = "abandoned";

/** Begin a span. */
export function open(
  { trace, acts }: Traced,
  opened: OpenSpan,
  { name, attributes }: { readonly name: string; readonly attributes: TelemetryAttributes },
): Traced {
  const { span, at } = opened;
  const parent = span === spans.run ? null : span === spans.turn ? spans.run : spans.turn;
  return {
    trace: { ...trace, open: [...trace.open, opened] },
    acts: [...acts, { kind: "begin", span, parent, name, at, attributes }],
  };
}

/** End a span, and measure how long it was open; nothing where it is not open. */
export function close(
  { trace, acts }: Traced,
  span: string,
  { at, ...end }: { readonly at: number; readonly attributes: TelemetryAttributes; readonly error: string | null },
): Traced {
  const opened = trace.open.find((other) => other.span === span);
  if (opened === undefined) return { trace, acts };
  return {
    trace: { ...trace, open: trace.open.filter((other) => other !== opened) },
    acts: [
      ...acts,
      { kind: "end", span, at, ...end },
      measure(opened.metric, (at - opened.at) / 1000, withError(opened.measured, end.error)),
    ],
  };
}

/** End what is open from there on, innermost first: the turn, and what was broken off in it. */
export const closeFrom = (before: Traced, at: number, from: number): Traced =>
  before.trace.open
    .slice(from)
    .reverse()
    .reduce(
      (traced, { span }) => close(traced, span, { at, attributes: {}, error: span === spans.turn ? null : broken }),
      before,
    );

export const withError = (attributes: TelemetryAttributes, error: string | null): TelemetryAttributes =>
  error === null ? attributes : { ...attributes, [names.error]: error };

export const measure = (metric: MetricName, value: number, attributes: TelemetryAttributes): TraceAct => ({
  kind: "measure",
  metric,
  value,
  attributes,
});
