/** Attributes of a span, of an event in it, or of what is measured. */
export type TelemetryAttributes = Record<string, string | number | boolean | string[]>;

/** What of a `Span` of `@opentelemetry/api` is used. Times are in milliseconds since 1970. */
export interface SpanLike {
  setAttributes(attributes: TelemetryAttributes): unknown;
  addEvent(name: string, attributes?: TelemetryAttributes, time?: number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(time?: number): void;
}

/** What of a `Context` is used. */
export interface ContextLike {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): ContextLike;
  deleteValue(key: symbol): ContextLike;
}

/** What of a `Tracer` is used. */
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

/** What of a `Meter` is used. */
export interface MeterLike {
  createHistogram(
    name: string,
    options?: MetricOptions,
  ): { record(value: number, attributes?: TelemetryAttributes): void };
  createCounter(name: string, options?: MetricOptions): { add(value: number, attributes?: TelemetryAttributes): void };
}

/** Where a run tells its spans and what it measures. */
export interface TelemetryOptions {
  readonly tracer?: TracerLike;
  readonly meter?: MeterLike;
  /** Tell also the name of the spec, titles, prompts, replies, commands and their output; nothing of it by default. */
  readonly traceContent?: boolean;
}
