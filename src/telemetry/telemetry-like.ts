export type TelemetryAttributes = Record<string, string | number | boolean | string[]>;

/** The part of `Span` of `@opentelemetry/api` that fixpoint uses. Times are milliseconds since 1970. */
export interface SpanLike {
  setAttributes(attributes: TelemetryAttributes): unknown;
  addEvent(name: string, attributes?: TelemetryAttributes, time?: number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(time?: number): void;
}

/** The part of `Context` that fixpoint uses. */
export interface ContextLike {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): ContextLike;
  deleteValue(key: symbol): ContextLike;
}

/** The part of `Tracer` that fixpoint uses. */
export interface TracerLike {
  startSpan(
    name: string,
    options?: { kind?: number; startTime?: number; attributes?: TelemetryAttributes },
    context?: ContextLike,
  ): SpanLike;
}

interface MetricOptions {
  unit?: string;
  description?: string;
  advice?: { explicitBucketBoundaries?: number[] };
}

/** The part of `Meter` that fixpoint uses. */
export interface MeterLike {
  createHistogram(
    name: string,
    options?: MetricOptions,
  ): { record(value: number, attributes?: TelemetryAttributes): void };
  createCounter(name: string, options?: MetricOptions): { add(value: number, attributes?: TelemetryAttributes): void };
}

/** Receivers of a run's spans and measurements. */
export interface TelemetryOptions {
  readonly tracer?: TracerLike;
  readonly meter?: MeterLike;
  /** Whether to send content too: spec name, titles, prompts, replies, commands and output (false by default). */
  readonly traceContent?: boolean;
}
