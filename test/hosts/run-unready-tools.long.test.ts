import { describe, expect, it } from "vitest";
import { launch } from "../support/cli.ts";
import { temporaryFolder } from "../support/folder.ts";
import { programs } from "../support/programs.ts";
import { contentOf } from "../support/traces.ts";
import { planText, workspaceWith } from "./cli/sample-spec.ts";

const sound = planText.replace("- [x] 1.1 First\n", "");
const basics = ["sh", "git"];

describe("a start", () => {
  const qwen = `cat > /dev/null; touch a.txt b.txt; echo '{"type":"result","is_error":false,"result":"TASK_COMPLETE"}'`;
  const words = ["run", "demo", "--executor", "qwen,claude", "--yes", "--reporter", "plain"];

  it("reports once what may keep a tool from working, and begins", async () => {
    const path = [programs([...basics, "cat", "touch", "test"], { qwen }), "/bin"].join(":");
    const env = { PATH: path, HOME: temporaryFolder(), OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "", GEMINI_API_KEY: "" };
    const workspace = workspaceWith(sound);
    const { out, exitCode } = await launch(workspace, words, { ...env, DASHSCOPE_API_KEY: "" }).end;
    expect(out.match(/^notice: qwen does not look logged in: .*To fix it: .*$/gm)).toHaveLength(1);
    expect(exitCode).toBe(0);
    const told = await launch(workspaceWith(sound), words, { ...env, DASHSCOPE_API_KEY: "a key" }).end;
    expect(told.out).not.toContain("logged in");
  });

  it("reports everything that certainly keeps a tool from working, and begins nothing", async () => {
    const workspace = workspaceWith(sound);
    const before = contentOf(workspace);
    const env = { PATH: programs(basics, { gemini: "touch started" }), HOME: temporaryFolder() };
    const { end } = launch(workspace, ["run", "demo", "--executor", "gemini", "--yes"], env);
    const { err, exitCode } = await end;
    expect(err).toMatch(/^ERROR: Cannot begin: gemini refuses to work in .*; gemini can neither write files nor run/);
    const line =
      'fixpoint run demo --executor gemini --yes --executor-args "gemini: --approval-mode auto_edit" --commit all';
    const remedy = `Allow gemini to write files, and let fixpoint commit them: ${line}`;
    expect(err).toContain(`\nexport GEMINI_CLI_TRUST_WORKSPACE=true\n${remedy}\n`);
    expect(exitCode).toBe(2);
    expect(contentOf(workspace)).toEqual(before);
  });
});
