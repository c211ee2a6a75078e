import { describe, expect, it } from "vitest";
import { mergeSettings } from "../../../../src/hosts/cli/options/merge-settings.ts";

describe("mergeSettings", () => {
  const config = {
    folder: "/w/specs/demo",
    settings: {
      exec: "from file",
      verifierExec: "qa",
      cwd: "../..",
      shareWorkspace: false,
      reporter: "plain" as const,
      policy: { maxFixTasksPerOriginal: 5, scope: "file" },
    },
    acting: { exec: "from file", verifierExec: "qa", cwd: "../.." },
  };
  const executorOf = (...[words, file]: Parameters<typeof mergeSettings>) =>
    mergeSettings(words, file, "/w").executors.executor;

  it("prefers the command line to the file", () => {
    const words = {
      exec: "from words",
      reviewerExec: "judge",
      cwd: "sub",
      shareWorkspace: true,
      policy: { scope: "words" },
    };
    expect(mergeSettings({ ...words, reporter: "json" }, config, "/w")).toEqual({
      executors: { executor: "from words", verifier: "qa", reviewer: "judge" },
      cwd: "/w/sub",
      shareWorkspace: true,
      reporter: "json",
      policy: { maxFixTasksPerOriginal: 5, scope: "words" },
      ladder: {},
      fromFiles: { maxFixTasksPerOriginal: "5", verifierExec: "qa" },
    });
  });

  it("uses the file for options that are not given, its workspace relative to the file", () => {
    expect(mergeSettings({ policy: {} }, config, "/elsewhere")).toEqual({
      executors: { executor: "from file", verifier: "qa" },
      cwd: "/w",
      shareWorkspace: false,
      reporter: "plain",
      policy: { maxFixTasksPerOriginal: 5, scope: "file" },
      ladder: {},
      fromFiles: { maxFixTasksPerOriginal: "5", exec: "from file", verifierExec: "qa", cwd: "../.." },
    });
  });

  it("ranks the settings of another system below both", () => {
    const planned = { policy: { repairBudget: 1, maxFixTasksPerOriginal: 7 }, ladder: { repair: true } };
    const words = { operatorExec: "mender", policy: { repairBudget: 4 } };
    expect(mergeSettings(words, config, "/w", planned)).toMatchObject({
      executors: { operator: "mender" },
      policy: { repairBudget: 4, maxFixTasksPerOriginal: 5 },
      ladder: { repair: true },
    });
  });

  it("takes each choice about the ladder from the place of highest rank that makes it", () => {
    const file = { folder: "/w", settings: { policy: {}, ladder: { recoveryMode: true, repair: true } }, acting: {} };
    const words = { exec: "agent", policy: {}, ladder: { repair: false, escalation: true } };
    expect(mergeSettings(words, file, "/w").ladder).toEqual({ recoveryMode: true, repair: false, escalation: true });
  });

  it("works in the current folder if there is no file", () => {
    expect(mergeSettings({ exec: "agent", policy: {} }, null, "/w")).toEqual({
      executors: { executor: "agent" },
      cwd: "/w",
      policy: {},
      ladder: {},
      fromFiles: {},
    });
  });

  it("makes tools that support a schema claim in that form", () => {
    const words = { executor: ["gemini", "codex"], structuredClaim: true, policy: {} };
    expect(executorOf(words, null, "/w")).toEqual([{ preset: "gemini" }, { preset: "codex", structuredClaim: true }]);
    const own = { executor: ["claude"], exec: "claude -p --model opus", policy: {} };
    const file = { folder: "/w", settings: { structuredClaim: true, policy: {} }, acting: { structuredClaim: "true" } };
    expect(executorOf(own, file, "/w")).toEqual([
      { preset: "claude", command: "claude -p --model opus", structuredClaim: true },
    ]);
    expect(mergeSettings(own, file, "/w").fromFiles).toEqual({ structuredClaim: "true" });
  });

  it.each([{ exec: "./agent" }, { executor: ["gemini", "droid"] }])(
    "refuses a schema if no executor supports it: %o",
    (words) => {
      expect(() => executorOf({ ...words, structuredClaim: true, policy: {} }, null, "/w")).toThrow(
        expect.objectContaining({
          code: "bad-option",
          message: "Cannot use --structured-claim, expected --executor with claude or codex",
        }),
      );
    },
  );

  it("accepts tools by name", () => {
    expect(mergeSettings({ executor: ["claude", "codex"], policy: {} }, null, "/w").executors).toEqual({
      executor: [{ preset: "claude" }, { preset: "codex" }],
    });
  });

  it("takes the executor of each rung from the command line or else from the file", () => {
    const rungs = { fix: "claude --model opus, codex", pivot: "./strong.sh --hard" };
    const fix = [{ preset: "claude", args: "--model opus" }, { preset: "codex" }];
    const asked = { fix, pivot: ["./strong.sh --hard"] };
    expect(mergeSettings({ exec: "agent", rungs, policy: {} }, null, "/w").executors).toEqual({
      executor: "agent",
      rungs: asked,
    });
    const named = { folder: "/w", settings: { rungs, policy: {} }, acting: { rungs: "as shown" } };
    const words = { exec: "agent", policy: {} };
    expect(mergeSettings(words, named, "/w")).toMatchObject({
      executors: { rungs: asked },
      fromFiles: { rungs: "as shown" },
    });
    expect(mergeSettings({ ...words, rungs: { fix: "b" } }, named, "/w")).toMatchObject({
      executors: { rungs: { fix: ["b"] } },
      fromFiles: {},
    });
  });

  it("applies the given arguments to a named tool on its rungs as well", () => {
    const words = { executor: ["claude"], exec: "claude -p", rungs: { fix: "claude --model opus" }, policy: {} };
    expect(mergeSettings(words, null, "/w").executors).toEqual({
      executor: [{ preset: "claude", command: "claude -p" }],
      rungs: { fix: [{ preset: "claude", args: "--model opus", command: "claude -p" }] },
    });
  });

  it("uses the executor of retries for all attempts if there is no other", () => {
    expect(mergeSettings({ rungs: { retry: "a", fix: "b" }, policy: {} }, null, "/w").executors).toEqual({
      executor: ["a"],
      rungs: { fix: ["b"] },
    });
  });

  it("prefers either form on the command line to either form in the file", () => {
    const named = { folder: "/w", settings: { executor: ["gemini"], policy: {} }, acting: { executor: "gemini" } };
    expect(executorOf({ executor: ["claude"], policy: {} }, config, "/w")).toEqual([{ preset: "claude" }]);
    expect(executorOf({ exec: "agent", policy: {} }, named, "/w")).toBe("agent");
    expect(executorOf({ policy: {} }, named, "/w")).toEqual([{ preset: "gemini" }]);
  });

  it("refuses to run without an executor, with an example", () => {
    expect(() => mergeSettings({ policy: {} }, { folder: "/w", settings: { policy: {} }, acting: {} }, "/w")).toThrow(
      expect.objectContaining({ code: "no-executor", hint: "For example: fixpoint run --executor claude" }),
    );
  });
});
