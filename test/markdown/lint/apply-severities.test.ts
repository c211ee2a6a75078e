import { describe, expect, it } from "vitest";
import { applySeverities, type Severities } from "../../../src/markdown/lint-plan.ts";
import { lintProblem } from "../../../src/model/rule.ts";

const problems = [lintProblem("duplicate-id", 1, "a", "b"), lintProblem("stray-box", 2, "c", "d")];

describe("applySeverities", () => {
  it("keeps what it is not told to change", () => {
    expect(applySeverities(problems, {})).toEqual(problems);
  });

  it("weighs and drops by rule", () => {
    expect(applySeverities(problems, { "stray-box": "error" })).toMatchObject([{}, { severity: "error" }]);
    expect(applySeverities(problems, { "stray-box": "off", "duplicate-id": "error" })).toEqual([problems[0]]);
  });

  it.each([
    ["nope", "off"],
    ["stray-box", "fatal"],
    ["toString", "off"],
  ])("refuses to set %s to %s", (rule, level) => {
    expect(() => applySeverities(problems, { [rule]: level } as Severities)).toThrow(
      expect.objectContaining({ code: "severity-unknown" }),
    );
  });

  it("says what can be set, and to what", () => {
    expect(() => applySeverities(problems, { nope: "fatal" } as Severities)).toThrow(
      expect.objectContaining({
        message: "Cannot set rule `nope` to `fatal`, expected a rule and off, warning, error",
        hint: expect.stringMatching(/^Rules are no-tasks, duplicate-id, .*, red-verify\.$/),
      }),
    );
  });

  it("refuses to make light of what a run refuses", () => {
    expect(() => applySeverities(problems, { "duplicate-id": "off" })).toThrow(
      expect.objectContaining({
        code: "severity-fixed",
        message: "Cannot set rule `duplicate-id` to `off`, expected `error`",
        hint: "A run refuses such a plan",
      }),
    );
  });
});
