import { describe, expect, it } from "vitest";
import { gitRefused, reasonOf } from "../../../src/adapters/git/call-git.ts";

describe("reasonOf", () => {
  it.each([
    ["warning: a\nfatal: b\n \t\n\n", "fatal: b"],
    ["error: a\nhint: mend it\nhint: or not\n", "error: a"],
    ["", "git ended with 128"],
  ])("finds in %j: %s", (stderr, reason) => {
    expect(reasonOf({ exitCode: 128, stdout: "", stderr })).toBe(reason);
  });

  it("tells a git that cannot be started, and one that took too long", () => {
    expect(reasonOf(null)).toBe("git cannot be started");
    expect(reasonOf({ exitCode: null, stdout: "", stderr: "x" })).toBe("git was ended before it was done");
  });
});

describe("gitRefused", () => {
  it("is safe to print, and says what to do", () => {
    expect(gitRefused("commit", "/a\n\u001B[2Jb", "fatal: \u001B]0;x\u0007c")).toMatchObject({
      name: "EnvironmentError",
      code: "git-refused",
      message: "Cannot commit in `/a b`: fatal: c",
      hint: expect.stringContaining("run again"),
    });
  });
});
