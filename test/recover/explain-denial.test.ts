import { describe, expect, it } from "vitest";
import type { Denial } from "../../src/model/effect.ts";
import type { SpentByTask } from "../../src/model/ledger.ts";
import type { Limit } from "../../src/model/policy.ts";
import { explainDenial } from "../../src/recover/explain-denial.ts";

const denied = (limit: Limit, task: string, max: number): Denial => ({ kind: "denied", limit, task, max });
const spent: SpentByTask = {
  "1.3": { attempts: 5, retries: 4, fixes: ["1.3.1", "1.3.2", "1.3.3"] },
  "1.3.1": { attempts: 1, retries: 0, fixes: ["1.3.1.1"] },
};

describe("explainDenial", () => {
  it("says how often a task was tried, and what it last failed with", () => {
    expect(explainDenial(denied("maxTaskIterations", "1.3", 5), spent, "File not found: src/parser.ts")).toEqual({
      error: "Max retries reached for task 1.3 after 5 attempts\nLast error: File not found: src/parser.ts",
      hint: "Review .progress.md Learnings section for failure details. Fix the issue manually then run `fixpoint run` to resume, or raise --max-task-iterations.",
    });
    expect(explainDenial(denied("maxTaskIterations", "1.3", 5), spent, null).error).toBe(
      "Max retries reached for task 1.3 after 5 attempts",
    );
  });

  it("names the fixes of a task that may have no more", () => {
    expect(explainDenial(denied("maxFixTasksPerOriginal", "1.3", 3), spent, "x")).toEqual({
      error: "Max fix attempts (3) reached for task 1.3\nFix attempts: 1.3.1, 1.3.2, 1.3.3",
      hint: "Fix task 1.3 by hand and edit or tick it in tasks.md, or raise --max-fix-tasks: `fixpoint run` goes on from there.",
    });
    expect(explainDenial(denied("maxFixTasksPerOriginal", "2.1", 0), spent, null).error).toBe(
      "Max fix attempts (0) reached for task 2.1\nFix attempts: none",
    );
  });

  it("names the lineage of a task that is too deep", () => {
    const { error, hint } = explainDenial(denied("maxFixTaskDepth", "1.3.1.1", 2), spent, "x");
    expect(error).toBe("Max fix task depth (2) exceeded for task 1.3.1.1\nLineage: 1.3 -> 1.3.1 -> 1.3.1.1");
    expect(hint).toContain("--max-fix-depth");
  });

  it("names all fixes of a tree that may have no more", () => {
    const { error, hint } = explainDenial(denied("maxFixTasksPerRoot", "1.3", 4), spent, "x");
    expect(error).toBe("Max fix tasks (4) reached for root task 1.3\nFix attempts: 1.3.1, 1.3.1.1, 1.3.2, 1.3.3");
    expect(hint).toContain("--max-fix-total");
  });

  it.each([
    ["repairBudget", 2, "Repair budget (2) used up for task 1.3", "--repair-budget"],
    ["maxPivotAttempts", 3, "Max pivot attempts (3) reached for task 1.3", "--max-pivot-attempts"],
    ["maxResearchAttempts", 3, "Max research attempts (3) reached for task 1.3", "--max-research-attempts"],
    ["maxTotalAttempts", 10, "Max total attempts (10) reached for task 1.3", "--max-total-attempts"],
  ] as const)("names the limit %s (%d) of a stuck task and its flag", (limit, max, error, flag) => {
    expect(explainDenial(denied(limit, "1.3", max), spent, "x")).toEqual({
      error,
      hint: `Fix task 1.3 by hand and edit or tick it in tasks.md, or raise ${flag}: \`fixpoint run\` goes on from there.`,
    });
  });

  it.each([
    ["maxGlobalIterations", 100, "Maximum global iterations (100) reached.", "--max-global-iterations"],
    ["maxRunTime", 7_200_000, "Maximum run time (2h) reached.", "--max-run-time"],
    ["maxRunTime", 1_800_000, "Maximum run time (30m) reached.", "--max-run-time"],
    ["maxRunTime", 90_000, "Maximum run time (90s) reached.", "--max-run-time"],
    ["maxRunTime", 1, "Maximum run time (1ms) reached.", "--max-run-time"],
    ["maxCost", 2.5, "Maximum cost ($2.5) reached.", "--max-cost"],
    ["maxTokens", 100_000, "Maximum tokens (100000) reached.", "--max-tokens"],
  ] as const)("names the limit %s (%d) of the run and its flag", (limit, max, error, flag) => {
    expect(explainDenial(denied(limit, "", max), spent, "x")).toEqual({
      error: `${error} Review .progress.md for failure patterns.`,
      hint: `To continue, raise ${flag}: \`fixpoint run\` goes on from there.`,
    });
  });

  it("keeps its words for a limit of the run that was met at a task", () => {
    expect(explainDenial(denied("maxGlobalIterations", "1.3", 100), spent, "x").hint).toBe(
      "To continue, raise --max-global-iterations: `fixpoint run` goes on from there.",
    );
  });
});
