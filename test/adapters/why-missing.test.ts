import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { whyMissing } from "../../src/adapters/command-executor.ts";
import { temporaryFolder, writeScript } from "../support/folder.ts";

describe("whyMissing", () => {
  it("accepts programs on the path and in the workspace", () => {
    const workspace = temporaryFolder();
    writeScript(workspace, "agent.sh", "exit 0");
    for (const program of ["sh", "./agent.sh", join(workspace, "agent.sh")]) {
      expect(whyMissing(program, workspace)).toBeNull();
    }
  });

  it.each([
    ["no-such-agent", /^Check its spelling/],
    ["./missing.sh", /^Check its spelling/],
    ["bin/agent.sh", /^Check its spelling/],
    ["./notes.md", /executable/],
    ["/tmp", /^Check its spelling/],
    ["agent.sh", /^Did you mean \.\/agent\.sh\?$/],
  ])("reports %s, which is missing or not executable, and suggests a name", (program, hint) => {
    const workspace = temporaryFolder();
    writeFileSync(join(workspace, "notes.md"), "");
    writeScript(workspace, "agent.sh", "exit 0");
    expect(whyMissing(program, workspace)).toMatchObject({
      code: "executor-not-found",
      message: expect.stringContaining(program),
      hint: expect.stringMatching(hint),
    });
  });
});
