import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lint } from "../../../../src/hosts/cli/commands/lint.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { fakeTerminal } from "../fake-terminal.ts";
import { planText, workspaceWith } from "../sample-spec.ts";

async function check(folder: string, given?: string, json = false): Promise<{ exitCode: number; out: string }> {
  const terminal = fakeTerminal();
  const signal = new AbortController().signal;
  const exitCode = await lint.run(given, json ? { json } : {}, { terminal, folder, signal });
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
    const { exitCode, out } = await check(workspace, undefined, true);
    const found: unknown = JSON.parse(out);
    expect(found).toMatchObject({
      file: join(workspace, "specs", "demo", "tasks.md"),
      problems: expect.arrayContaining([expect.objectContaining({ rule: "duplicate-id", severity: "error" })]),
    });
    expect(exitCode).toBe(1);
  });

  it("refuses what is not there or cannot be read", async () => {
    const workspace = workspaceWith();
    await expect(check(workspace, "nowhere")).rejects.toMatchObject({ blame: "input", code: "spec-missing" });
    await expect(check("/", "/proc/self/mem")).rejects.toMatchObject({ blame: "input", code: "plan-unreadable" });
    await expect(check(temporaryFolder())).rejects.toMatchObject({ blame: "input", code: "spec-not-named" });
  });
});
