import { describe, expect, it } from "vitest";
import { applySeverities, type Severities } from "../../../src/markdown/lint-plan.ts";
import { lintProblem } from "../../../src/model/rule.ts";

const problems = [lintProblem("duplicate-id", 1, "a", "b"), lintProblem("stray-box", 2, "c", "d")];

describe("applySeverities", () => {
  it("keeps the severity of other rules", () => {
    expect(applySeverities(problems, {})).toEqual(problems);
  });

  it("changes and drops findings by rule", () => {
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

  it("lists what can be set, and the allowed values", () => {
    expect(() => applySeverities(problems, { nope: "fatal" } as Severities)).toThrow(
      expect.objectContaining({
        message: "Cannot set rule `nope` to `fatal`, expected a known rule, and one of off, warning, error",
        hint: expect.stringMatching(/^Rules are no-tasks, duplicate-id, .*, red-verify\.$/),
      }),
    );
  });

  it("refuses to lower the severity of what a run refuses", () => {
    expect(() => applySeverities(problems, { "duplicate-id": "off" })).toThrow(
      expect.objectContaining({
        code: "severity-fixed",
        message: "Cannot set rule `duplicate-id` to `off`, expected `error`",
        hint: "A run refuses a plan with this problem",
      }),
    );
  });
});
