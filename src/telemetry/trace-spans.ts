import { type MetricName, names } from "./names.ts";
import type { TelemetryAttributes } from "./telemetry-like.ts";

/** A telemetry action. Times are milliseconds since 1970. */
export type TraceAct =
  /** Begin a span. `parent`: null for the span of the run. */
  | {
      readonly kind: "begin";
      readonly span: string;
      readonly parent: string | null;
      readonly name: string;
      readonly at: number;
      readonly attributes: TelemetryAttributes;
    }
  /** End a span. `error`: class of the error; null if there was none. */
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

export interface Trace {
  readonly open: readonly OpenSpan[];
  readonly turns: number;
  /**
   * Keys of the `judged` records that were traced. The `answered` record that follows a `judged` record repeats its
   * verdict.
   */
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

export interface Traced {
  readonly trace: Trace;
  readonly acts: readonly TraceAct[];
}

/**
 * Span ids of a run and a turn. The span of an attempt has the key of the attempt as id; spans of other work add a
 * suffix to that key, such as `/review`.
 */
export const spans = { run: "run", turn: "turn" } as const;

/** Error class of an interrupted span, such as that of an attempt that a later start repeats. */
export const broken = "abandoned";

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

/** End a span and measure its duration; no effect if it is not open. */
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
