import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../model/errors.ts";
import type { MeterLike, TelemetryOptions, TracerLike } from "../../telemetry/telemetry-like.ts";
import { escapeText } from "../../wording/escape-text.ts";

/** Telemetry of the user's SDK, and a way to flush it before the program ends. */
export interface LoadedTelemetry {
  readonly options: TelemetryOptions;
  /** Send what is buffered, within five seconds. @param warn Receives a warning if sending fails. */
  flush(warn: (line: string) => void): Promise<void>;
}

/** The part of `@opentelemetry/api` that fixpoint calls. */
interface Api {
  readonly trace: { getTracerProvider(): Provider & { getTracer(name: string): TracerLike } };
  readonly metrics: { getMeterProvider(): Provider & { getMeter(name: string): MeterLike } };
  readonly ProxyTracerProvider: new () => Provider;
}

interface Provider {
  /** The registered provider, or a provider that does nothing. */
  getDelegate?(): Provider;
  forceFlush?(): Promise<void>;
}

/**
 * Find the SDK that is registered with the `@opentelemetry/api` of a folder. No other code of fixpoint loads
 * `@opentelemetry/api`.
 *
 * @param folder Absolute.
 * @throws {InputError} `telemetry-missing`, `telemetry-unregistered`
 */
export function loadTelemetry(
  { traceContent }: { readonly traceContent?: boolean | undefined },
  folder: string,
): LoadedTelemetry {
  const { trace, metrics, ProxyTracerProvider } = load(folder);
  const tracers = trace.getTracerProvider();
  const meters = metrics.getMeterProvider();
  const registered = tracers.getDelegate?.() ?? tracers;
  const isTraced = registered !== new ProxyTracerProvider().getDelegate?.();
  // The no-op provider has no `forceFlush`.
  if (!isTraced && meters.forceFlush === undefined) throw unregistered();
  return {
    options: {
      tracer: tracers.getTracer(scope),
      meter: meters.getMeter(scope),
      ...(traceContent === true && { traceContent }),
    },
    flush: async (warn) => {
      const flushed = Promise.all([registered.forceFlush?.(), meters.forceFlush?.()]).then(
        () => null,
        (error: unknown) => String(error),
      );
      const late = sleep(longestFlush, `it took more than ${longestFlush / 1000} s`, { ref: false });
      const why = await Promise.race([flushed, late]);
      if (why !== null) warn(`Not all telemetry was sent: ${escapeText(why)}\n`);
    },
  };
}

const scope = "fixpoint";
const longestFlush = 5000;
const setup = "NODE_OPTIONS='--import ./telemetry.mjs'";

function load(folder: string): Api {
  try {
    return createRequire(join(folder, "package.json"))("@opentelemetry/api") as Api;
  } catch (cause) {
    throw new InputError(`Cannot load \`@opentelemetry/api\` from \`${folder}\`, expected it to be installed there`, {
      code: "telemetry-missing",
      hint: `Install it with an SDK (npm install @opentelemetry/api @opentelemetry/sdk-node), then set ${setup}`,
      cause,
    });
  }
}

const unregistered = (): InputError =>
  new InputError("Cannot use --telemetry, expected an SDK that is registered with `@opentelemetry/api`", {
    code: "telemetry-unregistered",
    hint: `Register one before fixpoint starts, for example with ${setup}`,
  });
