import { describe, expect, it } from "vitest";
import {
  EnvironmentError,
  FixpointError,
  InputError,
  InvariantError,
  isLost,
  takenOver,
} from "../../src/model/errors.ts";

describe("errors", () => {
  it.each([
    [InputError, "InputError", "input"],
    [EnvironmentError, "EnvironmentError", "environment"],
    [InvariantError, "InvariantError", "invariant"],
  ] as const)("%o says who has to act", (Kind, name, blame) => {
    const cause = new Error("inner");
    const error = new Kind("Cannot read plan `x`, expected a file", { code: "plan-missing", hint: "Make it", cause });
    expect(error).toBeInstanceOf(FixpointError);
    expect(error).toMatchObject({ name, blame, code: "plan-missing", hint: "Make it", cause });
    expect(String(error)).toBe(`${name}: Cannot read plan \`x\`, expected a file`);
  });

  it("carries no hint by default", () => {
    expect(new InputError("x", { code: "y" }).hint).toBeUndefined();
  });

  it.each([
    [takenOver("specs/shop/.fixpoint"), true],
    [new EnvironmentError("x", { code: "run-data-removed" }), true],
    [new EnvironmentError("x", { code: "disk-full" }), false],
    [new InputError("x", { code: "spec-taken-over" }), false],
    [undefined, false],
  ])("detects the loss of the lease: %s", (error, lost) => {
    expect(isLost(error)).toBe(lost);
  });
});
