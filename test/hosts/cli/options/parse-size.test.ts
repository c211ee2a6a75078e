import { describe, expect, it } from "vitest";
import { parseSize } from "../../../../src/hosts/cli/options/parse-value.ts";

describe("parseSize", () => {
  it.each([
    ["1", 1],
    ["1000000", 1_000_000],
    ["1k", 1024],
    ["256m", 268_435_456],
    ["1.5G", 1_610_612_736],
    ["10g", 10_737_418_240],
  ])("reads %s", (text, bytes) => {
    expect(parseSize("--max-output", text)).toBe(bytes);
  });

  it.each(["", "0", "0g", "-1", "1.5", "0.3k", "1t", "1 g", "10gb", "g", "1e3", "99999999g", "Infinity"])(
    "refuses %j",
    (text) => {
      expect(() => parseSize("--max-output", text)).toThrow(
        `Cannot use --max-output \`${text}\`, expected a whole number of bytes, such as \`256m\` (MiB) or \`10g\` (GiB)`,
      );
    },
  );
});
