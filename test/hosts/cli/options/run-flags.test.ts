import { describe, expect, it } from "vitest";
import { readAll } from "../../../../src/hosts/cli/all/all-flags.ts";
import { readInspect, readRunFlags, readTelemetry, runFlags } from "../../../../src/hosts/cli/options/run-flags.ts";

describe("readRunFlags", () => {
  it("gives nothing when nothing was given", () => {
    expect(readRunFlags({})).toEqual({ policy: {} });
  });

  it("reads every option", () => {
    const settings = readRunFlags({
      exec: "agent -p",
      verifierExec: "qa",
      operatorExec: "mender",
      reviewerExec: "judge",
      cwd: "sub",
      shareWorkspace: true,
      recoveryMode: true,
      repair: true,
      escalation: true,
      repairBudget: "1",
      maxPivotAttempts: "0",
      maxResearchAttempts: "2",
      maxTotalAttempts: "7",
      stuckAfterSameErrors: "4",
      stuckAfterUnchanged: "6",
      maxEvidence: "1000",
      stuckReport: "out/stuck.md",
      maxTaskIterations: "1",
      maxFixTasks: "0",
      maxFixDepth: "2",
      maxFixTotal: "4",
      maxGlobalIterations: "50",
      maxRunTime: "2h",
      maxCost: "2.50",
      maxTokens: "100000",
      taskTimeout: "90s",
      idleTimeout: "500ms",
      maxOutput: "1.5g",
      maxWait: "2h",
      verifyTimeout: "1m",
      trustExecutor: true,
      requireExecutorTick: true,
      requireCommit: true,
      commit: "all",
      permissions: "edit",
      finalVerify: "npm test",
      maxParallel: "2",
      scope: "core",
      structuredClaim: true,
      yes: true,
      accept: "any",
      newRun: true,
      notify: "say it",
      reporter: "json",
      pullRequest: true,
      base: "trunk",
      branch: "work",
      remote: "upstream",
      title: "Sell more",
      draft: true,
      ready: true,
      prChecks: "all",
      trustReviewer: ["lint[bot]", "review[bot]"],
      resolveThreads: "own",
      updateBranch: true,
      autoMerge: "squash",
      fixBase: true,
      prTime: "72h",
      prCycles: "3",
      prFixes: "2",
      prThreadTasks: "5",
      prInterval: "30s",
    });
    expect(settings).toEqual({
      exec: "agent -p",
      structuredClaim: true,
      verifierExec: "qa",
      operatorExec: "mender",
      reviewerExec: "judge",
      cwd: "sub",
      shareWorkspace: true,
      notify: "say it",
      reporter: "json",
      policy: {
        repairBudget: 1,
        maxPivotAttempts: 0,
        maxResearchAttempts: 2,
        maxTotalAttempts: 7,
        stuckAfterSameErrors: 4,
        stuckAfterUnchanged: 6,
        maxEvidence: 1000,
        stuckReport: "out/stuck.md",
        maxTaskIterations: 1,
        maxFixTasksPerOriginal: 0,
        maxFixTaskDepth: 2,
        maxFixTasksPerRoot: 4,
        maxGlobalIterations: 50,
        maxRunTime: 7_200_000,
        maxCost: 2.5,
        maxTokens: 100_000,
        taskTimeout: 90_000,
        idleTimeout: 500,
        maxOutput: 1_610_612_736,
        maxWait: 7_200_000,
        verifyTimeout: 60_000,
        trustExecutor: true,
        requireExecutorTick: true,
        requireCommit: true,
        commit: "all",
        permissions: "edit",
        finalVerify: "npm test",
        maxParallel: 2,
        scope: "core",
        pullRequest: {
          base: "trunk",
          branch: "work",
          remote: "upstream",
          title: "Sell more",
          draft: true,
          ready: true,
          checks: "all",
          trustedReviewers: ["lint[bot]", "review[bot]"],
          resolveThreads: "own",
          updateBranch: true,
          autoMerge: "squash",
          fixBase: true,
          maxTime: 259_200_000,
          maxCycles: 3,
          maxFixesPerCheck: 2,
          maxTasksPerThread: 5,
          interval: 30_000,
        },
      },
      ladder: { recoveryMode: true, repair: true, escalation: true },
    });
    expect(runFlags).toHaveLength(73);
  });

  it("takes one viewer to inspect a run with, and none for many runs", () => {
    expect([readInspect({}), readInspect({ inspect: "stately" })]).toEqual([false, true]);
    expect(() => readInspect({ inspect: "other" })).toThrow("Cannot use --inspect `other`, expected stately");
    expect(() => readAll(undefined, { all: "specs", inspect: "stately" })).toThrow("Cannot use --inspect beside --all");
    expect(() => readAll(undefined, { all: "specs", watch: true })).toThrow("Cannot use --watch beside --all");
  });

  it("tells telemetry, with content only where that is asked for, and no content alone", () => {
    expect([readTelemetry({}), readTelemetry({ telemetry: true })]).toEqual([null, { traceContent: false }]);
    expect(readTelemetry({ telemetry: true, traceContent: true })).toEqual({ traceContent: true });
    expect(() => readTelemetry({ traceContent: true })).toThrow("Cannot use --trace-content alone");
  });

  it("takes each remedy as it is added or taken away", () => {
    const words = { recoveryMode: true, repair: false };
    expect(readRunFlags(words)).toEqual({ policy: {}, ladder: { recoveryMode: true, repair: false } });
    expect(readRunFlags({ escalation: false })).toEqual({ policy: {}, ladder: { escalation: false } });
  });

  it("takes off what may be off", () => {
    const off = {
      maxTotalAttempts: "off",
      maxRunTime: "off",
      maxCost: "off",
      maxTokens: "off",
      idleTimeout: "off",
      maxOutput: "off",
      maxWait: "off",
      finalVerify: "off",
    };
    expect(readRunFlags(off).policy).toEqual({
      maxTotalAttempts: null,
      maxRunTime: null,
      maxCost: null,
      maxTokens: null,
      idleTimeout: null,
      maxOutput: null,
      maxWait: null,
      finalVerify: null,
    });
    expect(() => readRunFlags({ taskTimeout: "off" })).toThrow("--task-timeout `off`");
  });

  it.each([
    ["claude", ["claude"]],
    ["Claude, codex,gemini", ["claude", "codex", "gemini"]],
  ])("reads the executors in %j", (executor, names) => {
    expect(readRunFlags({ executor })).toEqual({ executor: names, policy: {} });
  });

  it("lists what may be committed, nothing too", () => {
    expect(readRunFlags({ commit: "off" }).policy).toEqual({ commit: false });
    expect(() => readRunFlags({ commit: "foo" })).toThrow("Cannot use --commit `foo`, expected one of off, spec, all");
  });

  it("refuses evidence that says next to nothing", () => {
    expect(() => readRunFlags({ maxEvidence: "999" })).toThrow("--max-evidence `999`");
    expect(() => readRunFlags({ maxEvidence: "off" })).toThrow("--max-evidence `off`");
  });

  it("names the nearest executor for one that is unknown", () => {
    expect(() => readRunFlags({ executor: "claude,codx" })).toThrow(
      expect.objectContaining({
        code: "preset-unknown",
        message: expect.stringMatching(/^Cannot use executor `codx`, expected one of claude, codex, /),
        hint: "Did you mean codex?",
      }),
    );
  });

  it("takes a command beside the name of one tool, not of several", () => {
    expect(readRunFlags({ executor: "claude", exec: "claude -p --model x" })).toMatchObject({
      executor: ["claude"],
      exec: "claude -p --model x",
    });
    expect(() => readRunFlags({ executor: "claude,codex", exec: "agent" })).toThrow(
      expect.objectContaining({ code: "bad-option" }),
    );
  });

  it.each([
    [{ maxTaskIterations: "0" }, "Cannot use --max-task-iterations `0`, expected a whole number of at least 1"],
    [{ maxFixTasks: "-1" }, "Cannot use --max-fix-tasks `-1`, expected a whole number of at least 0"],
    [{ maxCost: "free" }, "Cannot use --max-cost `free`, expected an amount in US dollars above 0"],
    [{ reporter: "pretty" }, "Cannot use --reporter `pretty`, expected one of tree, plain, json"],
    [{ exec: " " }, "Cannot use --exec ` `, expected some text"],
    [{ executor: "claude,,codex" }, "Cannot use executor ``, expected one of claude, codex,"],
    [{ executor: " " }, "Cannot use --executor ` `, expected some text"],
    [{ reviewerExec: "" }, "Cannot use --reviewer-exec ``, expected some text"],
    [{ finalVerify: " " }, "Cannot use --final-verify ` `, expected some text"],
    [{ maxParallel: "0" }, "Cannot use --max-parallel `0`, expected a whole number of at least 1"],
    [{ operatorExec: " " }, "Cannot use --operator-exec ` `, expected some text"],
    [{ stuckReport: "" }, "Cannot use --stuck-report ``, expected some text"],
    [{ maxTotalAttempts: "0" }, "Cannot use --max-total-attempts `0`, expected a whole number of at least 1"],
    [{ stuckAfterUnchanged: "x" }, "Cannot use --stuck-after-unchanged `x`, expected a whole number of at least 1"],
    [{ scope: "" }, "Cannot use --scope ``, expected some text"],
  ])("refuses %j", (words, message) => {
    expect(() => readRunFlags(words)).toThrow(message);
  });
});
