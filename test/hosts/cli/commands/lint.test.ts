import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OptionValues } from "../../../../src/hosts/cli/cli-command.ts";
import { lint } from "../../../../src/hosts/cli/commands/lint.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { fakeTerminal } from "../fake-terminal.ts";
import { planText, workspaceWith } from "../sample-spec.ts";

async function check(
  folder: string,
  given?: string,
  values: OptionValues = {},
  signal = new AbortController().signal,
): Promise<{ exitCode: number; out: string }> {
  const terminal = fakeTerminal();
  const exitCode = await lint.run({
    ...{ words: given === undefined ? [] : [given], values },
    surroundings: { terminal, folder, signal },
  });
  return { exitCode, out: terminal.printed.out };
}

const sound = planText.replace("- [x] 1.1 First\n", "");
const broken = `${sound}- [ ] 1.2 Second\u001b again\n`;

describe("fixpoint lint", () => {
  it("finds nothing in a sound plan", async () => {
    expect(await check(workspaceWith(sound))).toEqual({ exitCode: 0, out: "0 errors, 0 warnings\n" });
  });

  it("ends with 0 when there are warnings only", async () => {
    const { exitCode, out } = await check(workspaceWith(planText), "demo");
    expect(out).toMatch(/^tasks\.md:3 warning missing-field: Task `1\.1` has no .*\n {2}\S.*\n0 errors, 1 warning\n$/);
    expect(exitCode).toBe(0);
  });

  it("ends with 1 when a run would be refused, and prints no control", async () => {
    const { exitCode, out } = await check(workspaceWith(broken));
    expect(out).toMatch(/^tasks\.md:\d+ error duplicate-id: /m);
    expect(out).not.toContain("\u001b");
    expect(exitCode).toBe(1);
  });

  it("takes a file", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "plan.md"), broken);
    const { exitCode, out } = await check(folder, "plan.md");
    expect(out).toMatch(/^plan\.md:\d+ error duplicate-id: /m);
    expect(exitCode).toBe(1);
  });

  it("prints one object for programs", async () => {
    const workspace = workspaceWith(broken);
    const { exitCode, out } = await check(workspace, undefined, { json: true });
    const found: unknown = JSON.parse(out);
    expect(found).toMatchObject({
      file: join(workspace, "specs", "demo", "tasks.md"),
      dialect: "ralph-specum",
      errors: 1,
      warnings: 1,
      problems: expect.arrayContaining([expect.objectContaining({ rule: "duplicate-id", severity: "error" })]),
    });
    expect(exitCode).toBe(1);
  });

  it("says which Verify cannot work on this machine, by line", async () => {
    const plan = sound.replace("`test -f a.txt`", "`test -f 'a.txt`").replace("`test -f b.txt`", "`no-such-tool`");
    const { exitCode, out } = await check(workspaceWith(`${plan}> - [ ] note\n`));
    expect(out.match(/^tasks\.md:\d+ warning [a-z-]+/gm)).toEqual([
      "tasks.md:3 warning broken-verify",
      "tasks.md:9 warning broken-verify",
      "tasks.md:15 warning stray-box",
    ]);
    expect(exitCode).toBe(0);
  });

  it("looks for spec and programs in the workspace of a run", async () => {
    const workspace = workspaceWith(sound);
    expect((await check("/", undefined, { cwd: workspace })).exitCode).toBe(0);
    writeFileSync(join(workspace, "fixpoint.config.json"), '{ "cwd": "nowhere" }');
    await expect(check(workspace)).rejects.toMatchObject({ code: "command-not-started" });
  });

  it("weighs as the config file beside the plan says", async () => {
    const workspace = workspaceWith(planText);
    const config = join(workspace, "specs", "demo", "fixpoint.config.json");
    writeFileSync(config, '{ "lint": { "missing-field": "off" } }');
    expect(await check(workspace)).toEqual({ exitCode: 0, out: "0 errors, 0 warnings\n" });
    writeFileSync(config, '{ "lint": { "missing-field": "error" } }');
    expect((await check(workspace, "specs/demo/tasks.md")).out).toMatch(
      /^specs\/demo\/tasks\.md:3 error missing-field/,
    );
    expect((await check(workspace)).exitCode).toBe(1);
    writeFileSync(config, '{ "lint": { "duplicate-id": "warning" } }');
    await expect(check(workspace)).rejects.toMatchObject({ code: "config-bad-value" });
  });

  it("ends as interrupted when it is", async () => {
    expect(await check(workspaceWith(sound), undefined, {}, AbortSignal.abort())).toEqual({ exitCode: 130, out: "" });
  });

  it("refuses what is not there or cannot be read", async () => {
    const workspace = workspaceWith();
    await expect(check(workspace, "nowhere")).rejects.toMatchObject({ blame: "input", code: "spec-missing" });
    await expect(check("/", "/proc/self/mem")).rejects.toMatchObject({ blame: "input", code: "plan-unreadable" });
    await expect(check(temporaryFolder())).rejects.toMatchObject({ blame: "input", code: "spec-not-named" });
  });
});
