import { describe, expect, it } from "vitest";
import { renderError } from "../../../src/hosts/cli/render-error.ts";
import { EnvironmentError, InputError, InvariantError } from "../../../src/model/errors.ts";

describe("renderError", () => {
  it.each([
    [new InputError("Cannot a, expected b", { code: "x", hint: "Do c" }), "ERROR: Cannot a, expected b\nDo c\n", 2],
    [new InputError("No\u001b[2J", { code: "x" }), "ERROR: No\\x1b[2J\n", 2],
    [new EnvironmentError("Held by 42", { code: "spec-locked" }), "ERROR: Held by 42\n", 4],
    [new EnvironmentError("Held there", { code: "spec-on-other-host" }), "ERROR: Held there\n", 4],
    [new EnvironmentError("Taken", { code: "spec-taken-over" }), "ERROR: Taken\n", 4],
    [new EnvironmentError("No space", { code: "disk-full" }), "ERROR: No space\n", 5],
  ])("names the problem and who has to act: %s", (error, text, exitCode) => {
    expect(renderError(error)).toEqual({ text, exitCode });
  });

  it("reports a defect with its stack", () => {
    const { text, exitCode } = renderError(new InvariantError("Cannot be", { code: "x", hint: "Tell us" }));
    expect(exitCode).toBe(70);
    expect(text).toMatch(/^ERROR: This is a defect in fixpoint\..*\nTell us\nInvariantError: Cannot be\n {4}at /);
  });

  it("accepts any thrown value", () => {
    expect(renderError("odd").text).toMatch(/\nodd\n$/);
    expect(renderError(Object.assign(new Error("bare"), { stack: undefined })).text).toMatch(/\nbare\n$/);
  });
});
