import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadTelemetry } from "../../../src/hosts/cli/load-telemetry.ts";
import { temporaryFolder } from "../../support/folder.ts";

function folderWith(flush: string, registered = "{}"): string {
  const folder = temporaryFolder();
  const place = join(folder, "node_modules/@opentelemetry/api");
  mkdirSync(place, { recursive: true });
  writeFileSync(
    join(place, "index.js"),
    `const nothing = {};
     class ProxyTracerProvider { getDelegate() { return nothing; } }
     const tracers = { getTracer: (name) => ({ name }), getDelegate: () => (${registered}) };
     const meters = { getMeter: (name) => ({ name }), ${flush} };
     module.exports = {
       ProxyTracerProvider,
       trace: { getTracerProvider: () => tracers },
       metrics: { getMeterProvider: () => meters },
     };`,
  );
  return folder;
}

describe.concurrent("loadTelemetry", () => {
  it("returns the tracer and the meter of fixpoint", async () => {
    const { options, flush } = loadTelemetry({ traceContent: true }, folderWith(""));
    expect(options).toEqual({ tracer: { name: "fixpoint" }, meter: { name: "fixpoint" }, traceContent: true });
    const lines: string[] = [];
    await flush((line) => void lines.push(line));
    expect(lines).toEqual([]);
  });

  it("accepts a meter alone, and refuses if there is neither a tracer nor a meter", () => {
    const flushes = "forceFlush: async () => {}";
    expect(loadTelemetry({}, folderWith(flushes, "nothing")).options).not.toHaveProperty("traceContent");
    expect(() => loadTelemetry({}, folderWith("", "nothing"))).toThrow(
      expect.objectContaining({ code: "telemetry-unregistered" }),
    );
    expect(() => loadTelemetry({}, temporaryFolder())).toThrow(expect.objectContaining({ code: "telemetry-missing" }));
  });

  it.each([
    ["fails", 'forceFlush: async () => { throw new Error("refused\\u0007"); }', "Error: refused\\x07"],
    ["hangs", "forceFlush: () => new Promise(() => {})", "it took more than 5 s"],
  ])("reports what was not sent if the flush %s", async (_what, flush, why) => {
    const lines: string[] = [];
    await loadTelemetry({}, folderWith(flush)).flush((line) => void lines.push(line));
    expect(lines).toEqual([`Not all telemetry was sent: ${why}\n`]);
  });
});
