import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { takeSpecLease } from "../../../../src/adapters/lease/spec-lease.ts";
import type { OptionValues } from "../../../../src/hosts/cli/cli-command.ts";
import { lint } from "../../../../src/hosts/cli/commands/lint.ts";
import { rewritePlan } from "../../../../src/hosts/node/rewrite-plan.ts";
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
    ...{ words: given === undefined ? [] : [given], values, commands: [] },
    surroundings: { terminal, folder, signal },
  });
  return { exitCode, out: terminal.printed.out };
}

const sound = planText.replace("- [x] 1.1 First\n", "");
const broken = `${sound}- [ ] 1.2 Second\u001b again\n`;

const readAs = (tasks: number): string => `Read as a plan of ralph-specum; ${tasks} tasks to be delegated\n`;

describe("fixpoint lint", () => {
  it("reports the dialect of a plan, and what would be delegated if that may be unintended", async () => {
    const folder = temporaryFolder();
    const boxes = Array.from({ length: 13 }, (_, at) => `- [ ] Task ${at + 1} \u001b${"x".repeat(60)}\n`).join("");
    writeFileSync(join(folder, "plan.md"), `- [x] Done\n- [ ] Later (optional)\n${boxes}`);
    const known = "Read as a checklist: no other dialect fits; 13 tasks to be delegated";
    expect((await check(folder, "plan.md")).out).toContain(`\n${known}\n0 errors`);
    writeFileSync(join(folder, "plan.md"), `-[ ] Missed\n\n${boxes}`);
    const { out } = await check(folder, "plan.md");
    const named = out.slice(out.indexOf(`${known}:\n`)).split("\n");
    expect(named).toHaveLength(16);
    expect(named[1]).toMatch(/^ {2}H\d{6} Task 1 \\x1bx+…$/);
    expect(named[13]).toBe("  and 1 more");
    writeFileSync(join(folder, "plan.md"), "# Nothing\n");
    expect((await check(folder, "plan.md")).out).toContain("dialect fits; 0 tasks to be delegated\n1 error");
    writeFileSync(join(folder, "plan.md"), "-[ ] Missed\n\n- [ ] One\n");
    expect(JSON.parse((await check(folder, "plan.md", { json: true })).out)).toMatchObject({
      delegated: [{ title: "One", line: 3 }],
    });
  });

  it("fixes unambiguous problems with --fix, and reports the others", async () => {
    const folder = temporaryFolder();
    const path = join(folder, "plan.md");
    const crooked = "- [ ] 1.1 [verify] Check\n-[ ] 1.2 Add\n- [?] 1.3 Ask\n";
    writeFileSync(path, crooked);
    const { out } = await check(folder, "plan.md", { fix: true });
    expect(out).toMatch(/^fixed line 1 near-miss-marker\nfixed line 2 near-miss-task\nplan\.md:/);
    expect(out).toContain("plan.md:3 warning near-miss-task");
    expect(readFileSync(path, "utf8")).toBe("- [ ] 1.1 [VERIFY] Check\n- [ ] 1.2 Add\n- [?] 1.3 Ask\n");
    writeFileSync(path, crooked);
    const { out: json } = await check(folder, "plan.md", { fix: true, json: true });
    expect(JSON.parse(json).fixed).toEqual([
      { line: 1, rule: "near-miss-marker" },
      { line: 2, rule: "near-miss-task" },
    ]);
    expect(JSON.parse((await check(folder, "plan.md", { fix: true, json: true })).out).fixed).toEqual([]);
    expect(readdirSync(folder)).toEqual(["plan.md"]);
  });

  it("fixes nothing during a run", async () => {
    const folder = workspaceWith("-[ ] 1.1 Add\n\n- [ ] 1.2 Test\n");
    const path = join(folder, "specs", "demo", "tasks.md");
    const lease = takeSpecLease(join(folder, "specs", "demo", ".fixpoint"), { takeOver: false });
    await expect(check(folder, "demo", { fix: true })).rejects.toMatchObject({ code: "spec-locked" });
    lease.release();
    expect(readFileSync(path, "utf8")).toContain("-[ ] 1.1 Add");
    await check(folder, "demo", { fix: true });
    expect(readFileSync(path, "utf8")).toContain("- [ ] 1.1 Add");
  });

  it("does not overwrite a concurrent change", () => {
    const path = join(temporaryFolder(), "tasks.md");
    writeFileSync(path, "- [ ] 1.1 Mine\n");
    expect(() => rewritePlan(path, "- [ ] 1.1 Yours\n", "- [ ] 1.1 Ours\n")).toThrow("was changed after it was read");
    expect(readFileSync(path, "utf8")).toBe("- [ ] 1.1 Mine\n");
  });

  it("reports nothing for a sound plan", async () => {
    const out = `${readAs(2)}0 errors, 0 warnings\n`;
    expect(await check(workspaceWith(sound))).toEqual({ exitCode: 0, out });
  });

  it("exits with 0 if there are only warnings", async () => {
    const open = planText.replace("- [x] 1.1", "- [ ] 1.1");
    const { exitCode, out } = await check(workspaceWith(open), "demo");
    expect(out).toMatch(
      /^tasks\.md:3 warning missing-field: Task `1\.1` has no .*\n {2}\S.*\nRead as .*\n0 errors, 1 warning\n$/,
    );
    expect(exitCode).toBe(0);
  });

  it("says that a plan is finished", async () => {
    const folder = workspaceWith(planText.replaceAll("- [ ]", "- [x]"));
    expect((await check(folder, "demo")).out).toContain(readAs(0).replace("\n", ": every task is done\n"));
    expect(JSON.parse((await check(folder, "demo", { json: true })).out)).toMatchObject({ finished: true });
  });

  it("counts findings about done tasks, and shows them on request", async () => {
    const folder = workspaceWith(planText);
    expect((await check(folder, "demo")).out).toBe(
      `${readAs(2)}0 errors, 0 warnings; 1 more in completed tasks (show them with --all)\n`,
    );
    expect((await check(folder, "demo", { all: true })).out).toMatch(/^tasks\.md:3 warning missing-field: /);
    const { out } = await check(folder, "demo", { json: true });
    expect(JSON.parse(out)).toMatchObject({ warnings: 0, problems: [], done: [{ rule: "missing-field", line: 3 }] });
  });

  it("gives one remedy for several lines", async () => {
    const verify = (number: number): string => `- [ ] 1.${number} Task\n  - **Verify**: \`npm test | tail -5\`\n`;
    const folder = temporaryFolder();
    writeFileSync(join(folder, "plan.md"), `# P\n\n${Array.from({ length: 15 }, (_, at) => verify(at + 1)).join("")}`);
    const { out } = await check(folder, "plan.md");
    expect(out.match(/vacuous-verify/g)?.length).toBe(1);
    expect(out).toContain("  also on lines 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27 and 2 more\n");
    expect(out).toContain("0 errors, 15 warnings\n");
    expect((await check(folder, "plan.md", { all: true })).out.match(/vacuous-verify/g)?.length).toBe(15);
  });

  it("writes the formats of CI annotations and viewers of findings", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "a, plan.md"), broken);
    const github = await check(folder, "a, plan.md", { format: "github" });
    expect(github.out).toMatch(/^::error file=a%2C plan\.md,line=\d+,title=duplicate-id::.+\n/m);
    const sarif = await check(folder, "a, plan.md", { format: "sarif" });
    const [run] = (JSON.parse(sarif.out) as { runs: { tool: object; results: object[] }[] }).runs;
    expect(run?.results).toContainEqual(
      expect.objectContaining({
        ruleId: "duplicate-id",
        level: "error",
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "a,%20plan.md" },
              region: { startLine: expect.any(Number) as number },
            },
          },
        ],
      }),
    );
    expect([github.exitCode, sarif.exitCode]).toEqual([1, 1]);
  });

  it("exits with 1 if a run would be refused, and prints no control characters", async () => {
    const { exitCode, out } = await check(workspaceWith(broken));
    expect(out).toMatch(/^tasks\.md:\d+ error duplicate-id: /m);
    expect(out).not.toContain("\u001b");
    expect(exitCode).toBe(1);
  });

  it("accepts a file", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "plan.md"), broken);
    const { exitCode, out } = await check(folder, "plan.md");
    expect(out).toMatch(/^plan\.md:\d+ error duplicate-id: /m);
    expect(exitCode).toBe(1);
  });

  it("prints one JSON object with --json", async () => {
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

  it("reports by line which Verify cannot run on this machine", async () => {
    const plan = sound.replace("`test -f a.txt`", "`test -f 'a.txt`").replace("`test -f b.txt`", "`no-such-tool`");
    const { exitCode, out } = await check(workspaceWith(`${plan}> - [ ] note\n`));
    expect(out.match(/^tasks\.md:\d+ warning [a-z-]+/gm)).toEqual([
      "tasks.md:3 warning broken-verify",
      "tasks.md:9 warning broken-verify",
      "tasks.md:15 warning stray-box",
    ]);
    expect(exitCode).toBe(0);
  });

  it("looks up spec and programs in the workspace of a run", async () => {
    const workspace = workspaceWith(sound);
    expect((await check("/", undefined, { cwd: workspace })).exitCode).toBe(0);
    writeFileSync(join(workspace, "fixpoint.config.json"), '{ "cwd": "nowhere" }');
    await expect(check(workspace)).rejects.toMatchObject({ code: "command-not-started" });
  });

  it("applies the severities of the config file next to the plan", async () => {
    const workspace = workspaceWith(planText);
    const config = join(workspace, "specs", "demo", "fixpoint.config.json");
    writeFileSync(config, '{ "lint": { "missing-field": "off" } }');
    expect(await check(workspace)).toEqual({ exitCode: 0, out: `${readAs(2)}0 errors, 0 warnings\n` });
    writeFileSync(config, '{ "lint": { "missing-field": "error" } }');
    expect((await check(workspace, "specs/demo/tasks.md")).out).toMatch(
      /^specs\/demo\/tasks\.md:3 error missing-field/,
    );
    expect((await check(workspace)).exitCode).toBe(1);
    writeFileSync(config, '{ "lint": { "duplicate-id": "warning" } }');
    await expect(check(workspace)).rejects.toMatchObject({ code: "config-bad-value" });
  });

  it("exits as interrupted on a signal", async () => {
    expect(await check(workspaceWith(sound), undefined, {}, AbortSignal.abort())).toEqual({ exitCode: 130, out: "" });
  });

  it("refuses missing and unreadable files", async () => {
    const workspace = workspaceWith();
    await expect(check(workspace, "nowhere")).rejects.toMatchObject({ blame: "input", code: "spec-missing" });
    await expect(check("/", "/proc/self/mem")).rejects.toMatchObject({ blame: "input", code: "plan-unreadable" });
    await expect(check(temporaryFolder())).rejects.toMatchObject({ blame: "input", code: "spec-not-named" });
  });
});
