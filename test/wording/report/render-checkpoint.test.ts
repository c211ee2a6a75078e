import { describe, expect, it } from "vitest";
import { addressOf } from "../../../src/model/command-line.ts";
import { renderCheckpoint } from "../../../src/wording/report/render-checkpoint.ts";
import { bareReport, fullReport } from "./sample-report.ts";

describe("renderCheckpoint", () => {
  it("says what was tried, what is needed and how to resume", () => {
    expect(renderCheckpoint({ ...fullReport, path: "specs/signup/stuck-report.md" })).toBe(`CHECKPOINT - STUCK

After 10 failed attempts on task 1.3, fixpoint cannot proceed on its own.

Attempts Summary:
- 3 pivot attempts (different approaches)
- 3 research attempts (deeper investigation)
- 3 attempts side by side
- 1 attempt before these

Stuck Report saved to: specs/signup/stuck-report.md

What's Needed:
- To be decided: Which library is it to be?
- What should be done about this report of the executor: Blocked, the API key is missing
- The executor says "I don't know how to". Which way should it take?

To resume: fixpoint resume signup --guidance "…"
To skip the task: fixpoint resume signup --decision skip
To end the run: fixpoint resume signup --decision stop`);
  });

  it("counts one attempt as one, and none before the levels as none", () => {
    const text = renderCheckpoint({ ...fullReport, failures: 1, pivots: 1, researches: 1, path: "stuck-report.md" });
    expect(text).toContain("After 1 failed attempt on task 1.3, ");
    expect(text).toContain("- 1 pivot attempt (");
    expect(text).toContain("- 1 research attempt (");
    expect(text).not.toContain("before these");
  });

  it("counts the attempts before the last answer separately", () => {
    const text = renderCheckpoint({ ...bareReport, failures: 4, earlier: 5, pivots: 3, path: "r.md" });
    expect(text).toContain("After 9 failed attempts on task 1.3 (4 since the last answer), fixpoint cannot");
    expect(text).toContain("(different approaches)\n- 1 attempt before these\n- 5 attempts before the last answer\n");
  });

  it("omits kinds of attempts without any", () => {
    const summaryOf = (failures: number, pivots: number, researches: number): string =>
      renderCheckpoint({ ...bareReport, failures, pivots, researches, path: "r.md" }).split("\n\n")[2] ?? "";
    expect(summaryOf(2, 0, 1)).toBe(
      "Attempts Summary:\n- 1 research attempt (deeper investigation)\n- 1 attempt before these",
    );
    expect(summaryOf(3, 0, 0)).toBe("Attempts Summary:\n- 3 attempts");
    expect(summaryOf(0, 0, 0)).toBe("Stuck Report saved to: r.md");
  });

  it("has one line for each statement, without control characters", () => {
    const status = "a\n\nTo resume: rm -rf /\u001b]0;x\u0007";
    const text = renderCheckpoint({ ...bareReport, status, address: addressOf("a\nb"), path: "x\r\u001b[2Jy" });
    expect(text).toContain("\n- What should be done about this report of the executor: a To resume: rm -rf /\n");
    expect(text).toContain("\nStuck Report saved to: x y\n");
    expect(text).toMatch(/\nTo resume: fixpoint resume "a b" --guidance "…"\n.*\n.*resume "a b" --decision stop$/);
  });
});
