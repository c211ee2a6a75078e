import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type PresetExecutorOptions, presetExecutor, withWords } from "../../src/adapters/command-executor.ts";
import { findPreset } from "../../src/adapters/presets/presets.ts";
import { outputPaths } from "../../src/adapters/processes/open-output.ts";
import type { PermissionLevel, Reply } from "../../src/model/reply.ts";
import { never } from "../support/command-options.ts";
import { temporaryFolder, writeScript } from "../support/folder.ts";
import { stopClock } from "../support/stop-clock.ts";
import { until } from "../support/until.ts";

const key = "1.3#1";

async function replyOf(name: string, script: string, over: Partial<PresetExecutorOptions> = {}) {
  const workspace = temporaryFolder();
  writeScript(workspace, "tool.sh", `printf '%s\\n' "$@" >args; ${script}`);
  const outputFolder = join(workspace, "out");
  const options = { command: "./tool.sh", outputFolder, taskTimeoutMs: 3_600_000, graceMs: 200, ...over };
  const files = { workspace, spec: join(workspace, "spec"), progressFile: join(workspace, "spec", ".progress.md") };
  const task = { key, role: "executor", taskId: "1.3", attempt: 1, prompt: "Do it\\n", ...files } as const;
  const replying = presetExecutor(name, options)(task, never) as Promise<Reply>;
  const args = () => readFileSync(join(workspace, "args"), "utf8").trimEnd().split("\n");
  return { replying, args, workspace, outputFolder };
}

describe("withWords", () => {
  it.each([
    ["claude -p", "", "claude -p"],
    ["claude -p", " \t", "claude -p"],
    ["claude -p", "--model opus", "claude -p --model opus"],
    ["codex exec -", "--model x", "codex exec --model x -"],
    ["codex exec -", "", "codex exec -"],
    [" -p claude", "--model x", " -p claude --model x"],
  ])("adds to `%s` the arguments `%s`", (command, words, expected) => {
    expect(withWords(command, words)).toBe(expected);
  });
});

describe("a denial of a tool", () => {
  const denied = (...commands: string[]) => {
    const denials = commands.map((command) => ({ tool_name: "Bash", tool_input: { command } }));
    const event = { type: "result", subtype: "success", result: "TASK_COMPLETE", permission_denials: denials };
    return `cat <<'E'\n${JSON.stringify(event)}\nE`;
  };

  it.each<[string, PermissionLevel, string[], string[], string[] | undefined]>([
    ["reported by a tool with its own settings", "tool", ["npm test"], ["npm test", "curl x"], ["npm test", "curl x"]],
    ["reported by a tool with all permissions", "full", ["npm test"], ["npm test"], ["npm test"]],
    ["reported except Verify, which is allowed", "edit", ["make", "npm test"], ["npm test", "curl x"], ["curl x"]],
    ["not reported if every action is a Verify", "edit", ["npm test", "make"], ["npm test", "make"], undefined],
    ["not reported if the action is truncated", "edit", ["npm test -- --all"], ["npm test -- --a"], undefined],
    ["not reported if Verify has many lines", "edit", [" npm \\\n\t  test"], ["npm \\\n  test"], undefined],
    ["reported if Verify only ends like it", "edit", ["cd app && npm test"], ["npm test"], ["npm test"]],
    ["reported if nothing is allowed", "edit", [], ["npm test"], ["npm test"]],
    ["not reported if nothing was denied", "edit", [], [], undefined],
  ])("is %s", async (_, permissions, commands, acts, expected) => {
    const given = commands.length === 0 ? {} : { commands: () => commands };
    const { replying } = await replyOf("claude", denied(...acts), { permissions, ...given });
    const reply = await replying;
    expect(reply.denials?.map(({ act }) => act)).toEqual(expected);
    expect(Object.hasOwn(reply, "denials")).toBe(expected !== undefined);
    expect(reply).toMatchObject({ text: "TASK_COMPLETE", exitCode: 0 });
  });

  it("is reported with how to allow it", async () => {
    const { replying } = await replyOf("claude", denied("npm test"));
    expect((await replying).denials).toEqual([
      {
        tool: "Bash",
        act: "npm test",
        allow: "Allow the tool to write files, run Verify and commit",
        words: ["--permissions", "edit"],
      },
    ]);
  });
});

describe("presetExecutor", () => {
  it("calls a tool with the given permissions, by default none", async () => {
    const { edit } = findPreset("claude").rights;
    const rights = (commands: string[]) => (typeof edit === "function" ? edit(commands).args : []);
    const called = async (over: Partial<PresetExecutorOptions>) => {
      const { replying, args } = await replyOf("claude", "true", over);
      await replying;
      return args();
    };
    expect(await called({})).toEqual([""]);
    expect(await called({ permissions: "edit" })).toEqual(rights([]));
    expect(await called({ permissions: "edit", commands: () => ["make"] })).toEqual(rights(["make"]));
    expect(rights(["make"])).not.toEqual(rights([]));
  });

  it.each([
    ["claude", 600_000, { ended: "idle", limit: 600_000 }],
    ["aider", 3_600_000, { ended: "timeout", limit: 3_600_000 }],
  ])("ends %s if it is silent for the limit of its preset", async (name, leapMs, end) => {
    const leap = stopClock();
    const { replying, workspace } = await replyOf(name, "touch begun; sleep 60");
    await until(() => existsSync(join(workspace, "begun")));
    leap(leapMs);
    expect(await replying).toMatchObject(end);
  });

  it.each(["amp", "aider"])("does not ask %s for a structured claim, which it does not support", async (name) => {
    const { replying, args } = await replyOf(name, "true", { structuredClaim: true });
    await replying;
    expect(args()).toEqual([""]);
  });

  it("reports that a message cannot be written, and leaves no descriptor open", async () => {
    const result = `echo '{"type":"result","subtype":"success","result":"TASK_COMPLETE"}'`;
    const { replying } = await replyOf("claude", result);
    expect(await replying).toStrictEqual({ text: "TASK_COMPLETE", stderr: "", exitCode: 0, ended: "exit" });
    const before = readdirSync("/proc/self/fd").length;
    await (await replyOf("claude", result)).replying;
    expect(readdirSync("/proc/self/fd")).toHaveLength(before);
    const name = outputPaths("out", key).message;
    await expect((await replyOf("claude", `mkdir '${name}'; ${result}`)).replying).rejects.toMatchObject({
      blame: "environment",
      message: expect.stringContaining(name),
    });
  });
});
