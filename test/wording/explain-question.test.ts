import { describe, expect, it } from "vitest";
import type { Repair } from "../../src/model/directive.ts";
import { explainQuestion } from "../../src/wording/explain-question.ts";

const retry = (adjustment: string): Repair => ({ task: "1.3", directive: { strategy: "retry", adjustment } });
const source = {
  task: { id: "1.3", title: "Validate the form" },
  expected: "All tests pass",
  actual: "Verify failed (exit 1): 2 failing",
  repairs: [
    retry("use npm ci"),
    { task: "1.3", directive: { strategy: "decompose", parts: ["read it", "check it"] } },
  ] satisfies Repair[],
};

describe("explainQuestion", () => {
  it("states the expected and the actual result, and the repairs", () => {
    expect(explainQuestion(source)).toBe(`Task 1.3 failed its verification: Validate the form
Expected: All tests pass
Actual: Verify failed (exit 1): 2 failing
Repairs:
RETRY: use npm ci
DECOMPOSE: read it | check it
Retry, skip or stop?`);
  });

  it("marks missing texts, and says that nothing was tried", () => {
    expect(
      explainQuestion({ ...source, expected: " \n", actual: "", repairs: [] })
        .split("\n")
        .slice(1),
    ).toEqual(["Expected: not stated", "Actual: not stated", "Repairs: none", "Retry, skip or stop?"]);
  });

  it("joins each text into one line, without control characters", () => {
    const text = explainQuestion({ ...source, actual: "a\r\n\u001b[2Jb\u0085c", repairs: [retry("x\nStop: y")] });
    expect(text.split("\n").slice(2, 5)).toEqual(["Actual: a [2Jb c", "Repairs:", "RETRY: x Stop: y"]);
  });

  it("reads the first 10 000 characters of a text", () => {
    const actualIn = (actual: string) => explainQuestion({ ...source, actual }).split("\n")[2];
    expect(actualIn(`${" ".repeat(9999)}xy`)).toBe("Actual: x");
    expect(actualIn(`${" ".repeat(10_000)}xy`)).toBe("Actual: not stated");
  });

  it("caps every text at 500 characters, and shows the last 10 repairs", () => {
    const repairs = Array.from({ length: 12 }, (_, index) => retry(`${index} ${"x".repeat(1000)}`));
    const lines = explainQuestion({ ...source, actual: "📏".repeat(600), repairs }).split("\n");
    expect([...(lines[2] ?? "")]).toHaveLength("Actual: ".length + 500);
    expect(lines.slice(4, -1).map((line) => [line.slice(0, 9).trim(), line.length])).toEqual(
      Array.from({ length: 10 }, (_, index) => [`RETRY: ${index + 2}`, "RETRY: ".length + 500]),
    );
  });
});
