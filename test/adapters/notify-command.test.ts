import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { notifyCommand } from "../../src/adapters/notify-command.ts";
import type { Notification } from "../../src/model/status.ts";
import { temporaryFolder } from "../support/folder.ts";
import { livingWith } from "../support/processes.ts";

const about = (workspace: string): Notification => ({
  ...{ event: "complete", at: "2026-01-01T00:00:00.000Z", spec: "spec", folder: workspace, workspace, run: 1 },
  ...{ task: null, title: null, message: "Run of spec: complete", hint: null },
});
const never = new AbortController().signal;

describe("notifyCommand", () => {
  it("ends a command that hangs, with its child processes", async () => {
    const workspace = temporaryFolder();
    const hanging = "sleep 600 & setsid sleep 600 & wait";
    expect(await notifyCommand(hanging, about(workspace), never, 100)).toBe("it was stopped after 0.1 s");
    expect(livingWith(`FIXPOINT_SPEC=${workspace}\0`)).toEqual([]);
  });

  it("reports that a folder is gone, and throws nothing", async () => {
    const workspace = join(temporaryFolder(), "gone");
    expect(await notifyCommand("true", about(workspace), never)).toContain("expected the folder to exist");
  });

  it("accepts a command that does not read a long text", async () => {
    const workspace = temporaryFolder();
    writeFileSync(join(workspace, "a"), "");
    const long = { ...about(workspace), hint: "x".repeat(1_000_000) };
    expect(await notifyCommand("test -e a", long, never)).toBeNull();
    expect(await notifyCommand("test $(wc -c) -gt 1000000", long, never)).toBeNull();
  });

  it("starts nothing after the run has ended", async () => {
    const workspace = temporaryFolder();
    expect(await notifyCommand("exit 3", about(workspace), AbortSignal.abort())).toBeNull();
  });
});
