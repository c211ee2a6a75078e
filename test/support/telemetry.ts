import type { AttributeValue } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { TelemetryOptions } from "../../src/telemetry/telemetry-like.ts";

export interface TestTelemetry {
  readonly options: Required<Pick<TelemetryOptions, "tracer" | "meter">>;
  readonly spans: () => ReadableSpan[];
  readonly metrics: () => Promise<ResourceMetrics[]>;
}

export function testTelemetry(): TestTelemetry {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  return {
    options: { tracer: provider.getTracer("test"), meter: meters.getMeter("test") },
    spans: () => exporter.getFinishedSpans(),
    metrics: async () => {
      await meters.forceFlush();
      return measured.getMetrics();
    },
  };
}

export type SpanTree = readonly [name: string, ...below: SpanTree[]];

export function treesOf(spans: readonly ReadableSpan[]): SpanTree[] {
  const idOf = (span: ReadableSpan): string => span.spanContext().spanId;
  const ids = new Set(spans.map(idOf));
  const sorted = [...spans].sort((one, other) => msOf(one.startTime) - msOf(other.startTime));
  const below = (parent: string | undefined): SpanTree[] =>
    sorted
      .filter(({ parentSpanContext: above }) =>
        parent === undefined ? above === undefined || !ids.has(above.spanId) : above?.spanId === parent,
      )
      .map((span) => [labelOf(span), ...below(idOf(span))]);
  return below(undefined);
}

const labelOf = ({ name, attributes }: ReadableSpan): string => {
  const task: AttributeValue | undefined = attributes["fixpoint.task.id"];
  return task === undefined ? name : `${name} ${String(task)}`;
};

export const msOf = ([seconds, nanos]: readonly [number, number]): number => seconds * 1000 + nanos / 1e6;
