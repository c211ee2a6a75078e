import { describe, expect, it } from "vitest";
import { hostileStrings } from "../support/hostile-strings.ts";
import { sinks } from "../support/sinks/all-sinks.ts";

describe("the hostile strings", () => {
  it("are at least 500, all distinct, with unique names", () => {
    expect(new Set(hostileStrings.map(({ text }) => text)).size).toBe(hostileStrings.length);
    expect(new Set(hostileStrings.map(({ name }) => name)).size).toBe(hostileStrings.length);
    expect(hostileStrings.length).toBeGreaterThanOrEqual(500);
  });
});

/** Interval between the strings that are used. `npm run campaign -- hostile` uses all strings. */
const step = 37;

describe("a hostile string", () => {
  it.each(sinks.filter(({ every }) => every === 1).map((sink) => [sink.name, sink] as const))(
    "does not get through: %s",
    async (_, { open }) => {
      const sink = open();
      try {
        for (const { name, text } of hostileStrings.filter((_hostile, index) => index % step === 0)) {
          await expect(Promise.resolve(text).then(sink.check), name).resolves.toBeUndefined();
        }
      } finally {
        sink.close();
      }
    },
  );
});
