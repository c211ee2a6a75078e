import type { ContextLike, SpanLike } from "./telemetry-like.ts";

/** The key under which `@opentelemetry/api` keeps the span of a context, in each of its versions. */
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN");

/** A context in which a span is the parent of those that are started. Made here, so that no package is needed for it. */
export const contextWith = (span: SpanLike): ContextLike => contextOf(new Map([[spanKey, span]]));

const contextOf = (values: ReadonlyMap<symbol, unknown>): ContextLike => ({
  getValue: (key) => values.get(key),
  setValue: (key, value) => contextOf(new Map([...values, [key, value]])),
  deleteValue: (key) => contextOf(new Map([...values].filter(([other]) => other !== key))),
});
