import { describe, expect, it } from "vitest";
import { randomFrom } from "../../src/model/random.ts";

describe("randomFrom", () => {
  it("returns the same for the same seed, also after a fork", () => {
    const draw = (seed: number): unknown[] => {
      const random = randomFrom(seed);
      const weights = { never: 0, often: 9, seldom: 1 };
      return [random.next(), random.below(10), random.chance(0.5), random.pick(["a", "b"]), random.among(weights)];
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(randomFrom(7).fork("one").next()).toBe(randomFrom(7).fork("one").next());
    expect(randomFrom(7).fork("one").next()).not.toBe(randomFrom(7).fork("other").next());
  });

  it("never chooses a weight of zero, and chooses the first if all weights are zero", () => {
    const random = randomFrom(1);
    const taken = Array.from({ length: 200 }, () => random.among({ never: 0, one: 1, other: 1 }));
    expect(new Set(taken)).toEqual(new Set(["one", "other"]));
    expect(random.among({ first: 0, second: 0 })).toBe("first");
    expect(random.chance(0)).toBe(false);
  });
});
