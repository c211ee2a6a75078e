import { describe, expect, it } from "vitest";
import { parseCount } from "../../../../src/hosts/cli/options/parse-value.ts";

describe("parseCount", () => {
  it("reads whole numbers from the minimum", () => {
    expect(parseCount("--max-fix-tasks", "0", 0)).toBe(0);
    expect(parseCount("--max-fix-tasks", "12", 1)).toBe(12);
  });

  it.each(["", "0", "-1", "1.5", "1e3", "0x10", " 1", "three", "9007199254740993", "Infinity", "NaN"])(
    "refuses %j",
    (text) => {
      expect(() => parseCount("--max-tokens", text, 1)).toThrow(
        `Cannot use --max-tokens \`${text}\`, expected a whole number of at least 1`,
      );
    },
  );
});
