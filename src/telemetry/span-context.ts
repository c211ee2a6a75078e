import type { ContextLike, SpanLike } from "./telemetry-like.ts";

/** The key under which every version of `@opentelemetry/api` stores the span of a context. */
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN");

/** A context that makes a span the parent of new spans. Built here to avoid a dependency. */
export const contextWith = (span: SpanLike): ContextLike => contextOf(new Map([[spanKey, span]]));

const contextOf = (values: ReadonlyMap<symbol, unknown>): ContextLike => ({
  getValue: (key) => values.get(key),
  setValue: (key, value) => contextOf(new Map([...values, [key, value]])),
  deleteValue: (key) => contextOf(new Map([...values].filter(([other]) => other !== key))),
});
