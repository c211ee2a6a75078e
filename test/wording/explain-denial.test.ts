import { describe, expect, it } from "vitest";
import { addressOf } from "../../src/model/command-line.ts";
import type { SpentByTask } from "../../src/model/ledger.ts";
import type { Denial, Limit } from "../../src/model/limits.ts";
import { explainDenial as explain, nextValue } from "../../src/wording/explain-denial.ts";

const denied = (limit: Limit, task: string, max: number): Denial => ({ kind: "denied", limit, task, max });
const used = { iterations: 100, elapsedMs: 7_230_500, costUsd: 2.6, tokens: 100_200 };
const explainDenial = (denial: Denial, spent: SpentByTask, lastError: string | null, hasLearnings = true) =>
  explain(denial, spent, lastError, { address: addressOf("my-feature"), used, rerunsFirst: () => true, hasLearnings });
const goOn = (task: string) =>
  `Fix task ${task} yourself, then continue (its Verify runs first): fixpoint run my-feature`;
const why = (task: string) => `See why the run stopped: fixpoint why ${task} my-feature`;
const hintOf = (task: string, raised: string) =>
  `${goOn(task)}\nOr raise the limit: fixpoint run my-feature ${raised}\n${why(task)}`;
const spent: SpentByTask = {
  "1.3": { attempts: 5, retries: 4, fixes: ["1.3.1", "1.3.2", "1.3.3"] },
  "1.3.1": { attempts: 1, retries: 0, fixes: ["1.3.1.1"] },
};

describe("explainDenial", () => {
  it("reports how often a task was attempted, and its last error", () => {
    expect(explainDenial(denied("maxTaskIterations", "1.3", 5), spent, "File not found: src/parser.ts")).toEqual({
      error:
        "Max retries reached for task 1.3 after 5 attempts\nLast error: File not found: src/parser.ts\nReview .progress.md Learnings section for failure details",
      hint: hintOf("1.3", "--max-task-iterations 6"),
    });
    expect(explainDenial(denied("maxTaskIterations", "1.3", 5), spent, null).error).toBe(
      "Max retries reached for task 1.3 after 5 attempts\nReview .progress.md Learnings section for failure details",
    );
  });

  it("lists the fixes of a task that reached its limit", () => {
    expect(explainDenial(denied("maxFixTasksPerOriginal", "1.3", 3), spent, "x")).toEqual({
      error: "Max fix attempts (3) reached for task 1.3\nFix attempts: 1.3.1, 1.3.2, 1.3.3",
      hint: hintOf("1.3", "--max-fix-tasks 4"),
    });
    expect(explainDenial(denied("maxFixTasksPerOriginal", "2.1", 0), spent, null).error).toBe(
      "Max fix attempts (0) reached for task 2.1\nFix attempts: none",
    );
  });

  it("shows the lineage of a task that is too deep", () => {
    const { error, hint } = explainDenial(denied("maxFixTaskDepth", "1.3.1.1", 2), spent, "x");
    expect(error).toBe(
      "Max fix task depth (2) exceeded for task 1.3 (its fix 1.3.1.1)\nLineage: 1.3 -> 1.3.1 -> 1.3.1.1",
    );
    expect(hint).toBe(hintOf("1.3", "--max-fix-depth 3"));
    expect(explainDenial(denied("maxFixTaskDepth", "1.3", 0), spent, "x").error).toBe(
      "Max fix task depth (0) exceeded for task 1.3\nLineage: 1.3",
    );
  });

  it("lists all fixes of a tree that reached its limit", () => {
    const { error, hint } = explainDenial(denied("maxFixTasksPerRoot", "1.3", 4), spent, "x");
    expect(error).toBe("Max fix tasks (4) reached for root task 1.3\nFix attempts: 1.3.1, 1.3.1.1, 1.3.2, 1.3.3");
    expect(hint).toBe(hintOf("1.3", "--max-fix-total 5"));
  });

  it.each([
    ["repairBudget", 2, "Repair budget (2) used up for task 1.3", "--repair-budget"],
    ["maxPivotAttempts", 3, "Max pivot attempts (3) reached for task 1.3", "--max-pivot-attempts"],
    ["maxResearchAttempts", 3, "Max research attempts (3) reached for task 1.3", "--max-research-attempts"],
    ["maxTotalAttempts", 10, "Max total attempts (10) reached for task 1.3", "--max-total-attempts"],
  ] as const)("names the limit %s (%d) of a stuck task and its flag", (limit, max, error, flag) => {
    expect(explainDenial(denied(limit, "1.3", max), spent, "x")).toEqual({
      error,
      hint: hintOf("1.3", `${flag} ${max + 1}`),
    });
  });

  it("names no higher limit if there is none", () => {
    expect(explainDenial(denied("race", "1.3", 5), spent, "x").hint).toBe(hintOf("1.3", "--race 8"));
    expect(explainDenial(denied("race", "1.3", 8), spent, "x").hint).toBe(`${goOn("1.3")}\n${why("1.3")}`);
  });

  it.each([
    ["maxGlobalIterations", 100, "Maximum global iterations (100) reached", "--max-global-iterations 200"],
    ["maxRunTime", 7_200_000, "Maximum run time (2h) reached", "--max-run-time 241m"],
    ["maxRunTime", 1_800_000, "Maximum run time (30m) reached", "--max-run-time 151m"],
    ["maxRunTime", 90_000, "Maximum run time (90s) reached", "--max-run-time 123m"],
    ["maxRunTime", 1, "Maximum run time (1ms) reached", "--max-run-time 121m"],
    ["maxCost", 2.5, "Maximum cost ($2.5) reached", "--max-cost 5.1"],
    ["maxTokens", 100_000, "Maximum tokens (100000) reached", "--max-tokens 200200"],
  ] as const)("names the limit %s (%d) of the run, and suggests to double it", (limit, max, error, raised) => {
    expect(explainDenial(denied(limit, "", max), spent, "x")).toEqual({
      error,
      hint: `Allow as much again: fixpoint run my-feature ${raised}\nSee the state of the run: fixpoint status my-feature`,
    });
  });

  it.each([
    ["maxTime", 7_200_000, "Maximum time of a pull request (2h) reached for pull request 7", "--pr-time 4h"],
    ["maxCycles", 9, "Maximum tasks (9) for pull request 7 reached", "--pr-cycles 10"],
    ["maxFixesPerCheck", 2, "Max fix tasks (2) reached for pull request 7", "--pr-fixes 3"],
    ["maxTasksPerThread", 2, "Max tasks (2) reached for pull request 7", "--pr-thread-tasks 3"],
  ] as const)("names the limit %s (%d) of a pull request, and its option", (limit, max, error, raised) => {
    expect(explainDenial(denied(limit, "pull request 7", max), spent, "x")).toEqual({
      error,
      hint: [
        "See the open points on the page of the pull request, and continue by hand",
        `Or raise the limit: fixpoint run my-feature --pull-request ${raised}`,
        "See the state of the run: fixpoint status my-feature",
      ].join("\n"),
    });
  });

  it.each([
    [300, 400, "700ms"],
    [500, 0, "1s"],
    [60_000, 61_500, "122s"],
    [900_000, 930_500, "31m"],
    [7_200_000, 28_900_000, "11h"],
  ])("raises a run time of %d ms, of which %d ms are used, to %s, rounded up", (max, elapsedMs, raised) => {
    expect(nextValue({ limit: "maxRunTime", max }, { ...used, elapsedMs })).toBe(raised);
  });

  it("keeps its text for a limit of the run that a task reached", () => {
    expect(explainDenial(denied("maxGlobalIterations", "1.3", 100), spent, "x").hint).toBe(
      explainDenial(denied("maxGlobalIterations", "", 100), spent, "x").hint,
    );
  });

  it("refers to the planned task of a part, which is in no plan", () => {
    const { error, hint } = explainDenial(denied("maxTaskIterations", "1.3~2", 5), spent, null);
    expect(error).toContain("task 1.3~2");
    expect(hint).toMatch(/^Fix task 1\.3 yourself, then continue/);
    expect(hint).toContain("fixpoint why 1.3 ");
  });

  it("has the number of the last attempt, and how many count", () => {
    const told = (waits: number) =>
      explainDenial(
        denied("maxTaskIterations", "1.3", 2),
        { "1.3": { attempts: 3, retries: 1, fixes: [], waits } },
        null,
      );
    expect(told(1).error).toContain("after 3 attempts (2 of them count)\n");
    expect(told(2).error).toContain("after 3 attempts (1 of them counts)\n");
  });

  it("names the learnings only if there are any", () => {
    const once = { "1.3": { attempts: 1, retries: 0, fixes: [] } };
    expect(explainDenial(denied("maxTaskIterations", "1.3", 1), once, "no luck", false).error).toBe(
      "Max retries reached for task 1.3 after 1 attempt\nLast error: no luck",
    );
  });

  it("counts a single attempt as one", () => {
    const once = { "1.3": { attempts: 1, retries: 0, fixes: [] } };
    expect(explainDenial(denied("maxTaskIterations", "1.3", 1), once, null).error).toBe(
      "Max retries reached for task 1.3 after 1 attempt\nReview .progress.md Learnings section for failure details",
    );
  });
});
