import { describe, expect, it } from "vitest";
import { parseDuration } from "../../../../src/hosts/cli/options/parse-value.ts";
import { InputError } from "../../../../src/model/errors.ts";

describe("parseDuration", () => {
  it.each([
    ["500ms", 500],
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["2h", 7_200_000],
    ["596h", 2_145_600_000],
  ])("reads %s", (text, ms) => {
    expect(parseDuration("--task-timeout", text)).toBe(ms);
  });

  it.each(["", "30", "0s", "-1s", "1.5h", "30 m", "1h30m", "1d", "597h", "99999999999999s", "s", "١s"])(
    "refuses %j",
    (text) => {
      expect(() => parseDuration("--task-timeout", text)).toThrow(InputError);
    },
  );

  it("names option, value and expected form", () => {
    expect(() => parseDuration("--task-timeout", "30")).toThrow(
      "Cannot use --task-timeout `30`, expected a duration such as `90s`, `30m`, `2h` or `500ms`, of at most 596h",
    );
  });
});
