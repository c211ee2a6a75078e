import { type MetricName, metrics, names } from "./names.ts";
import type { ContextLike, MeterLike, SpanLike, TelemetryAttributes, TelemetryOptions } from "./telemetry-like.ts";
import type { TraceAct } from "./trace-spans.ts";

export interface TraceEmitter {
  tell(acts: readonly TraceAct[]): void;
  addEvent(span: string, name: string, at: number, attributes: TelemetryAttributes): void;
  add(span: string, attributes: TelemetryAttributes): void;
}

/** Values of `SpanKind` and `SpanStatusCode` in `@opentelemetry/api`. */
const [internal, failed] = [0, 2];

export function emitTrace({ tracer, meter }: Pick<TelemetryOptions, "tracer" | "meter">): TraceEmitter {
  const open = new Map<string, SpanLike>();
  const record = recorder(meter);
  return {
    tell: (acts) => {
      for (const act of acts) {
        if (act.kind === "measure") record(act.metric, act.value, act.attributes);
        else if (act.kind === "begin") begin(act);
        else end(act);
      }
    },
    addEvent: (span, name, at, attributes) => void open.get(span)?.addEvent(name, attributes, at),
    add: (span, attributes) => void open.get(span)?.setAttributes(attributes),
  };

  function begin({ span, parent, name, at, attributes }: Extract<TraceAct, { kind: "begin" }>): void {
    const above = parent === null ? undefined : open.get(parent);
    const context = above === undefined ? [] : [contextWith(above)];
    const started = tracer?.startSpan(name, { kind: internal, startTime: at, attributes }, ...context);
    if (started !== undefined) open.set(span, started);
  }

  function end({ span, at, attributes, error }: Extract<TraceAct, { kind: "end" }>): void {
    const ended = open.get(span);
    if (ended === undefined) return;
    open.delete(span);
    ended.setAttributes({ ...attributes, ...(error !== null && { [names.error]: error }) });
    if (error !== null) ended.setStatus({ code: failed });
    ended.end(at);
  }
}

type Recorder = (metric: MetricName, value: number, attributes: TelemetryAttributes) => void;

function recorder(meter: MeterLike | undefined): Recorder {
  const made = new Map<MetricName, (value: number, attributes: TelemetryAttributes) => void>();
  return (metric, value, attributes) => {
    if (meter === undefined) return;
    const record = made.get(metric) ?? instrument(meter, metric);
    made.set(metric, record);
    record(value, attributes);
  };
}

function instrument(meter: MeterLike, name: MetricName): (value: number, attributes: TelemetryAttributes) => void {
  const { kind, unit, description, bounds } = metrics[name];
  if (kind === "counter") {
    const counter = meter.createCounter(name, { unit, description });
    return (value, attributes) => counter.add(value, attributes);
  }
  const histogram = meter.createHistogram(name, {
    unit,
    description,
    advice: { explicitBucketBoundaries: [...bounds] },
  });
  return (value, attributes) => histogram.record(value, attributes);
}

/** Key under which every version of `@opentelemetry/api` stores the span of a context. */
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN");

/** Create a context that makes a span the parent of new spans. Built here to avoid a dependency. */
export const contextWith = (span: SpanLike): ContextLike => contextOf(new Map([[spanKey, span]]));

const contextOf = (values: ReadonlyMap<symbol, unknown>): ContextLike => ({
  getValue: (key) => values.get(key),
  setValue: (key, value) => contextOf(new Map([...values, [key, value]])),
  deleteValue: (key) => contextOf(new Map([...values].filter(([other]) => other !== key))),
});
