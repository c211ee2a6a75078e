import { describe, expect, it } from "vitest";
import { renderState } from "../../../src/wording/report/report-parts.ts";

describe("tellState", () => {
  it.each([
    [50, "- src/49.ts"],
    [51, "- and 1 more"],
  ])("of %i changed files ends with %j", (count, last) => {
    const changed = Array.from({ length: count }, (_, index) => `src/${index}.ts`);
    const [title, list] = renderState({ changed, verify: null });
    expect([title, list?.split("\n").at(-1)]).toEqual(["Files modified:", last]);
  });

  it.each([
    ["3 passing\n2 failing\n", ["- Last line: 2 failing"]],
    [`2 failing${"\n".repeat(1900)}`, ["- Last line: 2 failing"]],
    [`2 failing${"\n".repeat(2000)}`, []],
  ])("searches the last line in the last 2000 characters of an output (row %#)", (output, told) => {
    const [, , list] = renderState({ changed: null, verify: { command: "npm test", exitCode: 1, output } });
    expect(list?.split("\n")).toEqual(["- Verify: `npm test`", "- Exit code: 1", ...told]);
  });
});
