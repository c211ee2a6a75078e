import { describe, expect, it } from "vitest";
import { readRunFlags, runFlags } from "../../../src/hosts/cli/run-flags.ts";

describe("readRunFlags", () => {
  it("gives nothing when nothing was given", () => {
    expect(readRunFlags({})).toEqual({ policy: {} });
  });

  it("reads every option", () => {
    const settings = readRunFlags({
      exec: "agent -p",
      verifierExec: "qa",
      cwd: "sub",
      recoveryMode: true,
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
      verifyTimeout: "1m",
      trustExecutor: true,
      requireExecutorTick: true,
      scope: "core",
      yes: true,
      reporter: "json",
    });
    expect(settings).toEqual({
      exec: "agent -p",
      verifierExec: "qa",
      cwd: "sub",
      reporter: "json",
      policy: {
        recovery: ["fix"],
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
        verifyTimeout: 60_000,
        trustExecutor: true,
        requireExecutorTick: true,
        scope: "core",
      },
    });
    expect(runFlags).toHaveLength(21);
  });

  it("takes off what may be off", () => {
    expect(readRunFlags({ maxRunTime: "off", maxCost: "off", maxTokens: "off", idleTimeout: "off" }).policy).toEqual({
      maxRunTime: null,
      maxCost: null,
      maxTokens: null,
      idleTimeout: null,
    });
    expect(() => readRunFlags({ taskTimeout: "off" })).toThrow("--task-timeout `off`");
  });

  it.each([
    [{ maxTaskIterations: "0" }, "Cannot use --max-task-iterations `0`, expected a whole number of at least 1"],
    [{ maxFixTasks: "-1" }, "Cannot use --max-fix-tasks `-1`, expected a whole number of at least 0"],
    [{ maxCost: "free" }, "Cannot use --max-cost `free`, expected an amount in US dollars above 0"],
    [{ reporter: "pretty" }, "Cannot use --reporter `pretty`, expected one of tree, plain, json"],
    [{ exec: " " }, "Cannot use --exec ` `, expected some text"],
    [{ scope: "" }, "Cannot use --scope ``, expected some text"],
  ])("refuses %j", (words, message) => {
    expect(() => readRunFlags(words)).toThrow(message);
  });
});
