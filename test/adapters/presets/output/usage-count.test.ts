import { describe, expect, it } from "vitest";
import {
  addUsage,
  anthropicUsage,
  readUsage,
  type UsageFields,
} from "../../../../src/adapters/presets/output/usage-count.ts";
import { Usage } from "../../../../src/model/reply.ts";

const most = Number.MAX_SAFE_INTEGER;
const fields: UsageFields = { input: [["in"], ["cache", "read"]], output: [["out"]], cost: ["cost"] };
const told = (usage: unknown): Usage => readUsage({ message: { usage } }, ["message", "usage"], fields);

describe("readUsage", () => {
  it("adds up what is told of input, what came from a cache included", () => {
    expect(told({ in: 3, cache: { read: 40 }, out: 5, cost: 0.25 })).toEqual({
      ...{ inputTokens: 43, outputTokens: 5, costUsd: 0.25 },
    });
    const event = { input_tokens: 1, cache_creation_input_tokens: 20, cache_read_input_tokens: 300, output_tokens: 4 };
    expect(readUsage(event, [], anthropicUsage)).toEqual({ inputTokens: 321, outputTokens: 4 });
  });

  it("leaves out what is not told, and takes nothing for it", () => {
    expect(told({})).toEqual({});
    expect(told(undefined)).toEqual({});
    expect(readUsage({}, ["message", "usage"], fields)).toEqual({});
    expect(told({ cache: { read: 7 } })).toEqual({ inputTokens: 7 });
    expect(told({ out: 0 })).toEqual({ outputTokens: 0 });
    expect(told({ cost: 0 })).toEqual({ costUsd: 0 });
    expect(readUsage({ cost: 2, in: 1 }, [], { ...fields, cost: undefined } as unknown as UsageFields)).toEqual({
      inputTokens: 1,
    });
  });

  it.each([["text"], ["5"], [-1], [Number.NaN], [Number.POSITIVE_INFINITY], [null], [{}], [[4]]])(
    "takes %o for no amount",
    (amount) => {
      expect(told({ in: amount, out: amount, cost: amount })).toEqual({});
      expect(told({ in: amount, cache: { read: 2 } })).toEqual({ inputTokens: 2 });
    },
  );

  it("makes whole numbers of tokens that can be recorded, whatever is told", () => {
    expect(told({ in: 1.5, out: 0.4 })).toEqual({ inputTokens: 2, outputTokens: 0 });
    const flood = told({ in: 1e300, cache: { read: 1e300 }, out: most + 9, cost: 1.5 });
    expect(flood).toEqual({ inputTokens: most, outputTokens: most, costUsd: 1.5 });
    expect(Usage.safeParse(flood).success).toBe(true);
  });
});

describe("addUsage", () => {
  it("adds field by field, and leaves untold what neither has", () => {
    expect(addUsage({}, {})).toEqual({});
    expect(addUsage({ inputTokens: 1 }, { outputTokens: 2 })).toEqual({ inputTokens: 1, outputTokens: 2 });
    const one = { inputTokens: 1, outputTokens: 2, costUsd: 0.5 };
    expect(addUsage(one, { inputTokens: 10, outputTokens: 20, costUsd: 0.25 })).toEqual({
      ...{ inputTokens: 11, outputTokens: 22, costUsd: 0.75 },
    });
    expect(one).toEqual({ inputTokens: 1, outputTokens: 2, costUsd: 0.5 });
  });

  it("stays a number that can be recorded, however often it is added to", () => {
    const sum = addUsage({ inputTokens: most, outputTokens: 1 }, { inputTokens: most, outputTokens: most });
    expect(sum).toEqual({ inputTokens: most, outputTokens: most });
    expect(Usage.safeParse(sum).success).toBe(true);
  });
});
