import { type Context, createContextKey, type Meter, metrics, type Span, trace } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { contextWith } from "../../src/telemetry/emit-trace.ts";
import type { ContextLike, MeterLike, SpanLike, TracerLike } from "../../src/telemetry/telemetry-like.ts";

describe("contextWith", () => {
  const span: Span = trace.getTracer("test").startSpan("a");
  const context: Context = contextWith(span);

  it("contains its span where @opentelemetry/api looks for it", () => {
    expect(trace.getSpan(context)).toBe(span);
    expect(trace.getSpan(trace.deleteSpan(context))).toBeUndefined();
  });

  it("contains the values of others too", () => {
    const key = createContextKey("other");
    const more = context.setValue(key, 1);
    expect([more.getValue(key), trace.getSpan(more), context.getValue(key)]).toEqual([1, span, undefined]);
    expect(more.deleteValue(key).getValue(key)).toBeUndefined();
  });
});

describe("the telemetry options of a run", () => {
  it("have the types of @opentelemetry/api", () => {
    const tracer: TracerLike = trace.getTracer("test");
    const meter: MeterLike = metrics.getMeter("test") satisfies Meter;
    const span: SpanLike = trace.getTracer("test").startSpan("a");
    const like: ContextLike = contextWith(span);
    const context: Context = like;
    expect([tracer, meter, context]).toHaveLength(3);
  });
});
