import { describe, expect, it } from "vitest";
import { EnvironmentError, FixpointError, InputError, InvariantError } from "../../src/model/errors.ts";

describe("errors", () => {
  it.each([
    [InputError, "InputError", "input"],
    [EnvironmentError, "EnvironmentError", "environment"],
    [InvariantError, "InvariantError", "invariant"],
  ] as const)("%o says whose move it is", (Kind, name, blame) => {
    const cause = new Error("inner");
    const error = new Kind("Cannot read plan `x`, expected a file", { code: "plan-missing", hint: "Make it", cause });
    expect(error).toBeInstanceOf(FixpointError);
    expect(error).toMatchObject({ name, blame, code: "plan-missing", hint: "Make it", cause });
    expect(String(error)).toBe(`${name}: Cannot read plan \`x\`, expected a file`);
  });

  it("carries no hint when none is given", () => {
    expect(new InputError("x", { code: "y" }).hint).toBeUndefined();
  });
});
