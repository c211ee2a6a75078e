/**
 * Preload (`node --import`): sets up OpenTelemetry. Writes spans as JSON lines into `SPANS`, and metric names into
 * `METRICS`. `SPANS_AT_ONCE` writes each span without delay.
 */
import { appendFileSync } from "node:fs";
import { metrics, trace } from "@opentelemetry/api";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";

delete process.env.NODE_OPTIONS;
const line = (file, value) => appendFileSync(file, `${JSON.stringify(value)}\n`);
const exporter = {
  export: (spans, done) => {
    for (const span of spans) {
      const { traceId, spanId } = span.spanContext();
      const parent = span.parentSpanContext?.spanId ?? null;
      line(process.env.SPANS, { traceId, spanId, parent, name: span.name, attributes: span.attributes });
    }
    done({ code: 0 });
  },
  shutdown: async () => {},
};
const processor =
  process.env.SPANS_AT_ONCE === undefined ? new BatchSpanProcessor(exporter) : new SimpleSpanProcessor(exporter);
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
const reader = new PeriodicExportingMetricReader({
  exportIntervalMillis: 3_600_000,
  exporter: {
    export: ({ scopeMetrics }, done) => {
      for (const { metrics: all } of scopeMetrics)
        for (const { descriptor } of all) line(process.env.METRICS, descriptor.name);
      done({ code: 0 });
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  },
});
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
