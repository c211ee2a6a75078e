import { describe, expect, it } from "vitest";
import { readAll, readAnswer, readRunFlags, typedOptions } from "../../../../src/hosts/cli/options/run-flags.ts";

describe("readRunFlags", () => {
  it("returns nothing without options", () => {
    expect(readRunFlags({})).toEqual({ policy: {} });
  });

  it("maps each option to its setting", () => {
    const words = {
      ...{ exec: "agent -p", verifierExec: "qa", maxFixTasks: "0", maxRunTime: "2h", maxCost: "off" },
      ...{ pullRequest: true, base: "trunk", trustReviewer: ["lint[bot]"], prTime: "72h", yes: true, keepRuns: "3" },
    };
    expect(readRunFlags(words)).toEqual({
      ...{ exec: "agent -p", verifierExec: "qa", yes: true, keepRuns: 3 },
      policy: {
        ...{ maxFixTasksPerOriginal: 0, maxRunTime: 7_200_000, maxCost: null },
        pullRequest: { base: "trunk", trustedReviewers: ["lint[bot]"], maxTime: 259_200_000 },
      },
    });
  });

  it("adds and removes a remedy", () => {
    expect(readRunFlags({ recoveryMode: true, repair: false })).toEqual({
      policy: {},
      ladder: { recoveryMode: true, repair: false },
    });
  });

  it("reads executors for all attempts and for rungs", () => {
    expect(readRunFlags({ executor: ["Claude, codex", "fix: claude --model opus"] })).toEqual({
      executor: ["claude", "codex"],
      rungs: { fix: "claude --model opus" },
      policy: {},
    });
  });

  it("accepts a command together with the name of one tool", () => {
    const exec = "claude -p --model x";
    expect(readRunFlags({ executor: ["claude"], exec })).toEqual({ executor: ["claude"], exec, policy: {} });
  });

  it.each([
    [{ executor: ["claude,codex"], exec: "agent" }, "Cannot use --exec with several names of --executor"],
    [{ traceContent: true }, "Cannot use --trace-content alone, expected it with --telemetry"],
    [{ base: "trunk" }, "Cannot use --base alone, expected it with --pull-request"],
    [{ inspect: "other" }, "Cannot use --inspect `other`, expected stately"],
  ])("refuses %j", (words, message) => {
    expect(() => readRunFlags(words)).toThrow(message);
  });
});

describe("readAnswer", () => {
  const guidance = `Use\u001b[2J the parser\n${"x".repeat(3900)}`;

  it.each([{}, { guidance }, { decision: "retry" }, { decision: "skip-task" }])("reads %j unchanged", (words) => {
    expect(readAnswer(words)).toEqual(words);
  });

  it.each([
    [{ guidance: " … " }, "Cannot use --guidance `…`, expected your own advice"],
    [{ guidance: " " }, "Cannot use --guidance ` `, expected 1 to 4000 characters"],
    [{ guidance: "x".repeat(4001) }, "Cannot use --guidance of 4001 characters, expected 1 to 4000 characters"],
    [{ guidance: "x", decision: "skip" }, "Cannot use --guidance with --decision, expected one of them"],
    [{ decision: "" }, "Cannot use --decision ``, expected one of retry, skip, skip-task, stop, accept"],
  ])("refuses %j", (words, message) => {
    expect(() => readAnswer(words)).toThrow(expect.objectContaining({ code: "bad-option", message }));
  });

  it.each([
    ["skp", "Did you mean skip?"],
    ["Retry", "Did you mean retry?"],
    ["abandon", undefined],
  ])("suggests the nearest decision for %s", (decision, hint) => {
    expect(() => readAnswer({ decision })).toThrow(expect.objectContaining({ code: "bad-option", hint }));
  });
});

describe("readAll", () => {
  it("reads a folder and the number of parallel runs", () => {
    expect([readAll(undefined, {}), readAll(undefined, { all: "specs", jobs: "3" })]).toEqual([
      null,
      { folder: "specs", jobs: 3 },
    ]);
  });

  it.each([
    [undefined, { jobs: "2" }, "Cannot use --jobs for one spec, expected it with --all"],
    [undefined, { all: " " }, "Cannot use --all ` `, expected some text"],
    ["demo", { all: "specs" }, "Cannot use --all with the spec `demo`, expected one of them"],
    [undefined, { all: "specs", inspect: "stately" }, "Cannot use --inspect with --all"],
    [undefined, { all: "specs", watch: true }, "Cannot use --watch with --all"],
    [undefined, { all: "specs", reporter: "tree" }, "Cannot use --reporter tree with --all"],
  ])("refuses the combination with %s: %j", (spec, words, message) => {
    expect(() => readAll(spec, words)).toThrow(message);
  });
});

it("renders the options of a run again, without those that only its first start needs", () => {
  const values = { yes: true, cwd: "sub", repair: false, executor: ["claude", "fix: codex"], maxCost: "5", json: true };
  const again = ["--no-repair", "--executor", "claude", "--executor", "fix: codex", "--max-cost", "5"];
  expect([typedOptions(values), typedOptions(values, false)]).toEqual([again, ["--yes", ...again]]);
});
