import { describe, expect, it } from "vitest";
import type { Acts } from "../../src/effects/create-effects.ts";
import type { Effect } from "../../src/model/effect.ts";
import { performer } from "../../src/runtime/performer.ts";

const effect = (key: string) => ({ name: "delegate", key, input: { key } }) as unknown as Effect;

/** A performer of effects that are answered when they are told to end. */
function performing() {
  const begun: string[] = [];
  const delegate = ({ key }: { key: string }, signal: AbortSignal) =>
    new Promise((resolve) => {
      begun.push(key);
      signal.addEventListener("abort", () => resolve({ answer: { kind: "replied" } }));
    });
  const stop = new AbortController();
  return { begun, stop, underway: performer({ delegate } as unknown as Acts, stop.signal) };
}

describe("performer", () => {
  it("begins an effect once", () => {
    const { begun, underway } = performing();
    for (const _ of [1, 2]) underway.begin(effect("a"));
    expect(begun).toEqual(["a"]);
    expect(underway.idle()).toBe(false);
  });

  it("ends what is dropped, and gives no answer of it", async () => {
    const { begun, underway } = performing();
    underway.begin(effect("a"));
    underway.drop("a");
    underway.drop("a");
    expect(underway.idle()).toBe(true);
    expect(await underway.next()).toBe(null);
    underway.begin(effect("a"));
    expect(begun).toEqual(["a", "a"]);
  });

  it("ends all with its signal, and what is begun behind that at once", async () => {
    const { underway, stop } = performing();
    underway.begin(effect("a"));
    stop.abort();
    underway.begin(effect("b"));
    expect(underway.stopped()).toBe(true);
    expect((await underway.next())?.effect.key).toBe("a");
    expect(underway.idle()).toBe(false);
  });

  it("throws the first error when all have ended, their answers first", async () => {
    const { underway, stop } = performing();
    underway.begin(effect("a"));
    underway.stop(new Error("first"));
    underway.stop(new Error("second"));
    expect([underway.stopped(), stop.signal.aborted]).toEqual([true, false]);
    await underway.ready();
    expect(await underway.next()).toMatchObject({ effect: { key: "a" } });
    await expect(underway.next()).rejects.toThrow("first");
  });
});
