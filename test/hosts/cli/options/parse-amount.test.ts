import { describe, expect, it } from "vitest";
import { parseAmount } from "../../../../src/hosts/cli/options/parse-value.ts";

describe("parseAmount", () => {
  it("reads positive amounts", () => {
    expect(parseAmount("--max-cost", "5")).toBe(5);
    expect(parseAmount("--max-cost", "0.25")).toBe(0.25);
  });

  it.each(["", "0", "0.0", "-1", "$5", "1,50", "1e3", ".5", "Infinity"])("refuses %j", (text) => {
    expect(() => parseAmount("--max-cost", text)).toThrow(
      `Cannot use --max-cost \`${text}\`, expected an amount in US dollars above 0, such as \`2.50\``,
    );
  });
});
