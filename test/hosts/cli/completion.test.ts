import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cli } from "../../support/cli.ts";
import { programs } from "../../support/programs.ts";
import { callCli } from "./call-cli.ts";
import { planText, workspaceWith } from "./sample-spec.ts";

function twoSpecs(): string {
  const workspace = workspaceWith();
  mkdirSync(join(workspace, "specs", "other"));
  writeFileSync(join(workspace, "specs", "other", "tasks.md"), planText.replaceAll("1.", "7."));
  return workspace;
}

async function completed(...words: string[]): Promise<string[]> {
  const { out } = await callCli(twoSpecs(), ["completion", "bash", "--", ...words]);
  return out.split("\n").slice(0, -1);
}

describe("completion", () => {
  it("lists every command, and the options of the program itself", async () => {
    const { out } = await callCli("/", ["--help"]);
    const listed = [...out.matchAll(/^ {2}([a-z-]+)(?: (?:\[options\] )?[[<]| {2,}\S)/gm)].map(([, name]) => name);
    expect((await completed("")).sort()).toEqual([...listed, "--help", "--version"].sort());
    expect(await completed("help", "wh")).toEqual(["why"]);
  });

  it("lists the options of a command that are not yet given", async () => {
    const { out } = await callCli("/", ["run", "--help-all"], { look: { columns: 200 } });
    const listed = [...out.matchAll(/^ {2}(?:-h, )?(--[a-z-]+)/gm)].map(([, name]) => name);
    expect((await completed("run", "--")).sort()).toEqual(listed.sort());
    expect(await completed("run", "--yes", "--recovery-mode", "--exec", "x", "--y")).toEqual([]);
    expect(await completed("run", "--pass-env", "A", "--pass")).toEqual(["--pass-env"]);
  });

  it.each([
    [
      ["run", ""],
      ["demo", "other"],
    ],
    [["run", "--yes", "o"], ["other"]],
    [["run", "--exec", "demo", "d"], ["demo"]],
    [["run", "--", "d"], ["demo"]],
    [["run", "demo", ""], []],
    [["run", "--cwd", "nowhere", ""], []],
    [
      ["pull-request", ""],
      ["demo", "other"],
    ],
    [
      ["why", ""],
      ["1.1", "1.2", "1.3"],
    ],
    [["why", "1.2", "d"], ["demo"]],
    [
      ["resume", "other", "--task", ""],
      ["7.1", "7.2", "7.3"],
    ],
    [["resume", "none", "--task", ""], []],
    [
      ["resume", "--decision", "skip"],
      ["skip", "skip-task"],
    ],
    [
      ["run", "--permissions", ""],
      ["tool", "edit", "full"],
    ],
    [["run", "--permissions", "=", "e"], ["edit"]],
    [
      ["run", "--permissions", "="],
      ["tool", "edit", "full"],
    ],
    [
      ["run", "--commit", ""],
      ["off", "spec", "all"],
    ],
    [["run", "--executor", "claude,cod"], ["claude,codex"]],
    [["run", "--exec", ""], []],
    [["run", "--unknown=x"], []],
    [["say", "skip", "d"], ["demo"]],
    [["say", "guidance", "d"], []],
    [["say", "guidance", "go", "d"], ["demo"]],
    [["install", "cla"], ["claude"]],
    [["hook", "st"], ["stop"]],
    [["diagram", "ba"], ["batch"]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["unknown", ""], []],
  ])("completes %j", async (words, expected) => {
    expect(await completed(...words)).toEqual(expected);
  });

  it("adds descriptions for zsh and fish, and completes the value of an option", async () => {
    const workspace = workspaceWith("- [ ] 1.1 Count\u001b[2J\twords: all\n");
    const { out } = await callCli(workspace, ["completion", "zsh", "--", "why", ""]);
    expect(out).toBe("1.1:Count\\x1b[2J\\twords: all\n");
    const { out: values } = await callCli(workspace, ["completion", "fish", "--", "run", "--guard=r"]);
    expect(values).toBe("--guard=reject\t\n");
  });

  it("refuses another shell", async () => {
    await expect(callCli("/", ["completion", "ksh"])).rejects.toMatchObject({
      code: "bad-usage",
      message: "Cannot print a completion script for `ksh`, expected one of bash, zsh, fish",
    });
    await expect(callCli("/", ["completion"])).rejects.toMatchObject({ code: "bad-usage" });
  });
});

const inShell = (words: readonly string[], lines: string): string => {
  const bin = programs([], { fixpoint: `exec '${process.execPath}' '${cli}' "$@"` });
  const [program = "", ...options] = words;
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"]}` };
  return execFileSync(program, [...options, "-c", lines], { cwd: twoSpecs(), env, encoding: "utf8" });
};
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

describe("the script for a shell", () => {
  it.runIf(has("bash"))("works in bash", () => {
    const lines = `
      source <(fixpoint completion bash)
      complete -p fixpoint
      try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fixpoint "$1"; echo "\${COMPREPLY[*]}"; }
      try fixpoint run ""
      try fixpoint why 1.
      try fixpoint run --commit = s
      try fixpoint run --exec ""`;
    expect(inShell(["bash", "--norc"], lines)).toBe(
      "complete -o default -F _fixpoint fixpoint\ndemo other\n1.1 1.2 1.3\nspec\n\n",
    );
  });

  it.runIf(has("zsh"))("works in zsh", () => {
    const lines = `
      compdef() { print -r -- compdef "$@" }
      _describe() { print -rl -- "\${(@P)2}" }
      _files() { print files }
      source <(fixpoint completion zsh)
      try() { words=("$@"); CURRENT=$#; _fixpoint }
      try fixpoint run ""
      try fixpoint why 1.2
      try fixpoint run --exec ""`;
    expect(inShell(["zsh", "-f"], lines)).toBe("compdef _fixpoint fixpoint\ndemo\nother\n1.2:Second\nfiles\n");
  });

  it.runIf(has("fish"))("works in fish", () => {
    const lines = `
      fixpoint completion fish | source
      complete -C "fixpoint run "
      complete -C "fixpoint why 1.2"
      complete -C "fixpoint run --commit=s"
      complete -C "fixpoint run --exec spe"`;
    expect(inShell(["fish", "--no-config"], lines)).toBe("demo\nother\n1.2\tSecond\n--commit=spec\nspecs/\n");
  });
});
