import { describe, expect, it } from "vitest";
import { mergeSettings } from "../../../src/hosts/cli/merge-settings.ts";

describe("mergeSettings", () => {
  const config = {
    folder: "/w/specs/demo",
    settings: {
      exec: "from file",
      verifierExec: "qa",
      cwd: "../..",
      reporter: "plain" as const,
      policy: { maxFixTasksPerOriginal: 5, scope: "file" },
    },
  };

  it("takes the command line over the file", () => {
    const words = { exec: "from words", cwd: "sub", reporter: "json" as const, policy: { scope: "words" } };
    expect(mergeSettings(words, config, "/w")).toEqual({
      exec: "from words",
      verifierExec: "qa",
      cwd: "/w/sub",
      reporter: "json",
      policy: { maxFixTasksPerOriginal: 5, scope: "words" },
    });
  });

  it("takes the file where the command line says nothing, its workspace seen from the file", () => {
    expect(mergeSettings({ policy: {} }, config, "/elsewhere")).toEqual({
      exec: "from file",
      verifierExec: "qa",
      cwd: "/w",
      reporter: "plain",
      policy: { maxFixTasksPerOriginal: 5, scope: "file" },
    });
  });

  it("works in the current folder without a file", () => {
    expect(mergeSettings({ exec: "agent", policy: {} }, null, "/w")).toEqual({ exec: "agent", cwd: "/w", policy: {} });
  });

  it("refuses to go without an executor, with an example", () => {
    expect(() => mergeSettings({ policy: {} }, null, "/w")).toThrow(
      expect.objectContaining({ code: "no-executor", hint: 'For example: fixpoint run --exec "claude -p"' }),
    );
  });
});
