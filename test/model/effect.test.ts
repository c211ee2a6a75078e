import { describe, expect, it } from "vitest";
import { effects } from "../../src/model/effect.ts";

describe("effects", () => {
  it("ask under a key that names the attempt", () => {
    for (const { input } of Object.values(effects)) expect(input.shape).toHaveProperty("key");
  });

  it("may be answered by a denial where a limit is asked", () => {
    const denial = { kind: "denied", limit: "maxGlobalIterations", task: "1.3", max: 100 };
    for (const name of ["delegate", "insertFix"] as const) expect(effects[name].answer.parse(denial)).toEqual(denial);
    expect(effects.recordPass.answer.safeParse(denial).success).toBe(false);
  });

  it("may be answered by a question where only a person can decide", () => {
    const question = { kind: "gate", reason: "Verify changed", hint: "Look at it" };
    for (const name of ["chooseTask", "verify", "confirmCompletion"] as const) {
      expect(effects[name].answer.parse(question)).toEqual(question);
    }
  });
});
