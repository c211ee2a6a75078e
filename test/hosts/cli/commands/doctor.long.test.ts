import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkNode } from "../../../../src/hosts/node/doctor/check-folders.ts";
import { type End, launch } from "../../../support/cli.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { programs } from "../../../support/programs.ts";
import { contentOf } from "../../../support/traces.ts";
import { planText, workspaceWith } from "../sample-spec.ts";

const sound = planText.replace("- [x] 1.1 First\n", "");

const basics = ["sh", "git"];
const claude = { claude: 'test "$*" = --version && echo "9.8.7 (Claude Code)"' };

function examine(workspace: string, path: string, ...words: readonly string[]): Promise<End> {
  return launch(workspace, ["doctor", ...words], { PATH: path }).end;
}

const lines = ({ out }: End): string[] => out.trimEnd().split("\n");

describe("fixpoint doctor", () => {
  it("reports programs, folders, the plan and the tool with its version, and leaves no files", async () => {
    const workspace = workspaceWith(sound);
    const before = contentOf(workspace);
    const end = await examine(workspace, programs(basics, claude), "demo", "--exec", "claude");
    expect(lines(end)).toEqual([
      expect.stringMatching(/^ok {7}Node \d/),
      expect.stringMatching(/^ok {7}git \d/),
      expect.stringMatching(/^ok {7}sh is \//),
      `ok       run data can be written in ${join(workspace, "specs", "demo")}`,
      expect.stringMatching(/^ok {7}consent is remembered in \//),
      "ok       the plan of demo: 2 of 2 tasks open",
      "ok       the Verify of 1.2 is not run here: you have not agreed to it yet",
      "ok       `claude` 9.8.7 is there",
      "ok       a start asks whether you agree to 2 items: Verify: test -f a.txt; Verify: test -f b.txt",
      "         At a terminal you are asked; elsewhere, --yes agrees in advance",
      "0 errors, 0 warnings",
    ]);
    expect(end.exitCode).toBe(0);
    expect(contentOf(workspace)).toEqual(before);
  });

  it("checks the executors that a run of the spec would use", async () => {
    const workspace = workspaceWith(sound);
    const path = programs([...basics, "cat"], { agent: "cat > /dev/null; exit 1" });
    const words = ["run", "demo", "--exec", "agent", "--yes", "--max-task-iterations", "1"];
    expect((await launch(workspace, words, { PATH: path }).end).exitCode).toBe(3);
    const { out, exitCode } = await examine(workspace, path, "demo");
    expect(out).toContain("ok       `agent` is there\n");
    expect(out).toContain(`run data can be written in ${join(workspace, "specs", "demo", ".fixpoint")}\n`);
    expect(exitCode).toBe(0);
  });

  it("asks a known tool for its version, and no other program", async () => {
    const path = programs(basics, { ...claude, other: "touch started" });
    const workspace = workspaceWith(sound);
    expect((await examine(workspace, path, "--executor", "claude")).out).toContain("claude 9.8.7");
    await examine(workspace, path, "--exec", "other");
    expect(Object.keys(contentOf(path))).not.toContain(join(path, "started"));
    expect(Object.keys(contentOf(workspace))).not.toContain(join(workspace, "started"));
  });

  it("explains why a tool reports no version", async () => {
    const { out, exitCode } = await examine(
      workspaceWith(sound),
      programs(basics, { claude: "exit 3" }),
      "--executor",
      "claude",
    );
    expect(out).toContain("warning  claude: its --version ended with exit code 3\n");
    expect(exitCode).toBe(0);
  });

  it("reports a missing program as an error unless there is a fallback", async () => {
    const path = programs(basics, claude);
    const workspace = workspaceWith(sound);
    const alone = await examine(workspace, path, "--executor", "amp");
    expect(alone.out).toMatch(/^error {4}Cannot find executor `amp`.*\n {9}Check its spelling/m);
    expect(alone.exitCode).toBe(1);
    const chained = await examine(workspace, path, "--executor", "amp,claude");
    expect(chained.out).toMatch(/^warning {2}Cannot find executor `amp`/m);
    expect(chained.exitCode).toBe(0);
  });

  it("reports what a tool would refuse and the fix, without a request", async () => {
    const workspace = workspaceWith(sound);
    const path = programs(basics, { gemini: "echo 0.61.0" });
    const env = { PATH: path, HOME: temporaryFolder(), GEMINI_CLI_TRUST_WORKSPACE: "", GEMINI_API_KEY: "" };
    const words = ["doctor", "demo", "--executor", "gemini", "--permissions", "full"];
    const untrusted = await launch(workspace, words, env).end;
    expect(untrusted.out).toContain("ok       gemini 0.61.0 is there\n");
    expect(untrusted.out).toMatch(
      /^error {4}gemini refuses to work in .*does not trust\n {9}export GEMINI_CLI_TRUST_WORKSPACE=true$/m,
    );
    expect(untrusted.out).toMatch(/^warning {2}gemini does not look logged in: .*\n {9}export GEMINI_API_KEY=…/m);
    expect(untrusted.exitCode).toBe(1);
    const mended = { ...env, GEMINI_CLI_TRUST_WORKSPACE: "true", GEMINI_API_KEY: "a key" };
    const { out, exitCode } = await launch(workspace, words, mended).end;
    expect(out).toContain("\n0 errors, 0 warnings\n");
    expect(exitCode).toBe(0);
  });

  it("names the tool that cannot be restricted to the permissions", async () => {
    const workspace = workspaceWith(sound);
    const path = programs(basics, { codex: "echo codex-cli 1.2.3" });
    const { out, exitCode } = await examine(workspace, path, "--executor", "codex", "--permissions", "edit");
    const line = "fixpoint run --executor codex --permissions";
    const own = '--executor-args "codex: --sandbox workspace-write --add-dir .git"';
    const remedy = `\n         Leave permissions to the tool's own flags: ${line} tool ${own}\n         Or allow the tool to do everything: ${line} full\n`;
    expect(out).toMatch(/^error {4}Cannot restrict codex to --permissions edit: /m);
    expect(out).toContain(remedy);
    expect(exitCode).toBe(1);
  });

  it("lists the installed tools if none is given", async () => {
    const { out, exitCode } = await examine(workspaceWith(sound), programs(basics, claude));
    expect(out).toContain("claude 9.8.7");
    expect(out).toMatch(/^ok {7}not on the PATH: codex, .*crush$/m);
    expect(exitCode).toBe(0);
  });

  it("reports that the spec has no executor", async () => {
    const { out } = await examine(workspaceWith(sound), programs(basics), "demo");
    expect(out).toMatch(/^warning {2}no known tool is on the PATH: claude, /m);
    expect(out).toMatch(/^warning {2}no executor is named for demo\n {9}For example: fixpoint run/m);
  });

  it("reports what is missing", async () => {
    const { out, exitCode } = await examine(workspaceWith(sound), programs([]), "--exec", process.execPath);
    expect(out).toMatch(/^warning {2}git is not on the PATH/m);
    expect(out).toMatch(/^error {4}sh is not on the PATH/m);
    expect(exitCode).toBe(1);
  });

  it("lists what a start would ask consent for, until it is given", async () => {
    const workspace = workspaceWith(sound);
    const words = ["demo", "--exec", "true"];
    const asked = await examine(workspace, programs([...basics, "true"]), ...words);
    expect(asked.out).toContain(
      "agree to 2 items: Verify: test -f a.txt; Verify: test -f b.txt\n         At a terminal",
    );
    await launch(workspace, ["run", ...words, "--yes", "--max-global-iterations", "1"]).end;
    const agreed = await examine(workspace, programs([...basics, "true"]), ...words);
    expect(agreed.out).not.toContain("a start asks");
    writeFileSync(join(workspace, "specs/demo/tasks.md"), sound.replace("test -f b.txt", "test -f c.txt"));
    const changed = await examine(workspace, programs([...basics, "true"]), ...words);
    expect(changed.out).toMatch(/agree to 1 item: .*test -f c\.txt\n.*: fixpoint run demo --exec true --accept \w+\n/);
  });

  it("reports a plan that a run refuses, and one that only has warnings", async () => {
    const path = programs(basics, claude);
    const broken = await examine(workspaceWith(`${sound}- [ ] 1.2 Again\n`), path, "demo", "--exec", "claude");
    expect(broken.out).toMatch(
      /^error {4}the plan of demo: 3 of 3 tasks open, 1 error, 1 warning\n.*fixpoint lint demo$/m,
    );
    expect(broken.exitCode).toBe(1);
    const unverified = sound.replace("  - **Verify**: `test -f b.txt`\n", "");
    const plain = await examine(workspaceWith(unverified), path, "demo", "--exec", "claude");
    expect(plain.out).toMatch(/^warning {2}the plan of demo: 2 of 2 tasks open, 0 errors, 1 warning$/m);
    expect(plain.exitCode).toBe(0);
  });

  it("reports settings that a run refuses, and continues", async () => {
    const workspace = workspaceWith(sound);
    writeFileSync(join(workspace, "fixpoint.config.json"), '{ "maxFixTask": 1 }');
    const { out, exitCode } = await examine(workspace, programs(basics, claude), "demo", "--exec", "claude");
    expect(out).toMatch(/^error {4}Cannot use key `maxFixTask`.*\n {9}Correct fixpoint.config.json$/m);
    expect(out).toContain("`claude` 9.8.7 is there");
    expect(exitCode).toBe(1);
  });

  it("reports that there is no repository to commit to", async () => {
    const workspace = workspaceWith(sound);
    writeFileSync(join(workspace, "fixpoint.config.json"), '{ "commit": true, "exec": "claude" }');
    const { out, exitCode } = await examine(workspace, programs(basics, claude), "demo");
    expect(out).toMatch(/^error {4}Cannot find the repository around .*\n {9}Create a repository with git init/m);
    expect(exitCode).toBe(1);
  });

  it("reports a folder that cannot be written", async () => {
    const workspace = workspaceWith(sound);
    mkdirSync(join(workspace, "state"));
    const { end } = launch(workspace, ["doctor", "demo", "--exec", "true"], {
      XDG_STATE_HOME: join(workspace, "state"),
    });
    const { out, exitCode } = await end;
    expect(out).toMatch(/^error {4}Cannot remember consent in .*\n {9}.*XDG_STATE_HOME$/m);
    expect(exitCode).toBe(1);
  });

  it("reports run data that is not a folder inside the spec", async () => {
    const workspace = workspaceWith(sound);
    symlinkSync(temporaryFolder(), join(workspace, "specs", "demo", ".fixpoint"));
    const { out, exitCode } = await examine(workspace, programs(basics), "demo", "--exec", process.execPath);
    expect(out).toMatch(/^error {4}Cannot use .*\.fixpoint`.*\n {9}Move it away/m);
    expect(exitCode).toBe(1);
  });

  it("prints one JSON object with --json", async () => {
    const end = await examine(workspaceWith(sound), programs(basics), "--executor", "amp", "--json");
    const found: unknown = JSON.parse(end.out);
    expect(found).toMatchObject({
      errors: 1,
      warnings: 0,
      findings: expect.arrayContaining([
        { about: "sh", level: "ok", what: expect.any(String), remedy: null },
        { about: "tool", level: "error", what: expect.stringContaining("amp"), remedy: expect.any(String) },
      ]),
    });
    expect(end.exitCode).toBe(1);
  });

  it("refuses a missing spec", async () => {
    const { err, exitCode } = await examine(workspaceWith(sound), programs(basics), "nope");
    expect(err).toMatch(/^ERROR: Spec directory missing/);
    expect(exitCode).toBe(2);
  });
});

describe("checkNode", () => {
  it.each(["20.19.0", "20.20.2", "22.0.0", "100.1.0"])("accepts %s", (version) => {
    expect(checkNode(version).level).toBe("ok");
  });
  it.each(["18.20.0", "20.18.3", "20.9.0"])("refuses %s", (version) => {
    expect(checkNode(version)).toMatchObject({ level: "error", remedy: "Install Node >=20.19" });
  });
});
