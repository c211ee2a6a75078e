import { describe, expect, it } from "vitest";
import { highestSeed, noSeed, type RunSeed } from "../../src/model/run-seed.ts";

describe("highestSeed", () => {
  it("takes of each count the highest one, and all fix tasks", () => {
    const a: RunSeed = {
      ...noSeed,
      iterations: 4,
      costUsd: 2,
      tasks: { "1.1": { attempts: 3, retries: 1, fixes: ["1.1.1"] } },
      changes: { "1.1": 1 },
    };
    const b: RunSeed = {
      ...noSeed,
      iterations: 2,
      elapsedMs: 50,
      tokens: 9,
      tasks: { "1.1": { attempts: 2, retries: 2, fixes: ["1.1.2"] }, "1.2": { attempts: 1, retries: 0, fixes: [] } },
      changes: { "1.1": 3, "1.2": 1 },
    };
    expect(highestSeed([a, b])).toEqual({
      iterations: 4,
      elapsedMs: 50,
      costUsd: 2,
      tokens: 9,
      tasks: {
        "1.1": { attempts: 3, retries: 2, fixes: ["1.1.1", "1.1.2"] },
        "1.2": { attempts: 1, retries: 0, fixes: [] },
      },
      changes: { "1.1": 3, "1.2": 1 },
    });
  });

  it("is nothing without any, and does not change what it is made of", () => {
    expect(highestSeed([])).toEqual(noSeed);
    const one: RunSeed = { ...noSeed, tasks: { "1.1": { attempts: 1, retries: 0, fixes: ["1.1.1"] } } };
    const before = structuredClone(one);
    highestSeed([one, { ...one, tasks: { "1.1": { attempts: 2, retries: 0, fixes: ["1.1.2"] } } }]);
    expect(one).toEqual(before);
    expect(noSeed).toEqual({ iterations: 0, tasks: {}, changes: {}, elapsedMs: 0, costUsd: 0, tokens: 0 });
  });
});
