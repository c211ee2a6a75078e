import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { launch } from "../support/cli.ts";
import { writeScript } from "../support/folder.ts";
import { adviceIn, paste, pasteAll, projectNamed, start, useTools } from "../support/paste.ts";
import { twoTasks, writeExecutor } from "../support/project.ts";
import { read } from "../support/traces.ts";

const clumsy = `case $id in 1.1) touch one;; esac; made`;
const operator = "printf 'ESCALATE: all I know | which file\\n'";

useTools();

describe("a printed command", () => {
  it.each([
    ["retries", ["--max-task-iterations", "2"]],
    ["fix tasks of one task", ["--recovery-mode", "--max-fix-tasks", "1"]],
    ["the depth of fix tasks", ["--recovery-mode", "--max-fix-depth", "1"]],
    ["all fix tasks of a task", ["--recovery-mode", "--max-fix-total", "1"]],
    ["failed attempts", ["--max-total-attempts", "2", "--recovery-mode"]],
    ["delegations of the run", ["--max-global-iterations", "2"]],
    ["working time", ["--max-run-time", "1ms"]],
  ])("works when pasted, at a limit on %s", async (_, words) => {
    const project = projectNamed("it's a plan", clumsy);
    const stopped = await start(project, "--yes", ...words);
    expect(stopped.exitCode).toBe(1);
    expect((await pasteAll(project, stopped)).length).toBeGreaterThanOrEqual(2);
    const { out } = await paste(project, `fixpoint why 1.2 "specs/it's a plan"`);
    await pasteAll(project, { out, err: "" });
  });

  it("works at a checkpoint", async () => {
    const project = projectNamed("wc", clumsy);
    const soon = ["--escalation", "--stuck-after-same-errors", "1", "--max-pivot-attempts", "0"];
    const stopped = await start(project, "--yes", ...soon, "--max-research-attempts", "0");
    expect(stopped.exitCode).toBe(3);
    expect((await pasteAll(project, stopped)).length).toBeGreaterThanOrEqual(4);
    await pasteAll(project, await paste(project, "fixpoint why 1.2"));
    await pasteAll(project, await paste(project, "fixpoint status"));
  });

  it("works at a question about a repair, and at an executor's question", async () => {
    const project = projectNamed("a $b", clumsy);
    writeScript(project.workspace, "operator.sh", `cat > /dev/null; ${operator}`);
    const stopped = await start(project, "--yes", "--repair", "--operator-exec", "./operator.sh");
    expect((await pasteAll(project, stopped)).length).toBe(4);
    const blocked = projectNamed("wc", "[ $id = 1.1 ] && { touch one; made; } || echo 'BLOCKED: which one?'");
    expect((await pasteAll(blocked, await start(blocked, "--yes"))).length).toBe(4);
  });

  it("keeps the typed options if the start was refused", async () => {
    const project = projectNamed("my plan", clumsy);
    const refused = await start(project, "--max-task-iterations", "1");
    expect(refused.exitCode).toBe(2);
    const [advice] = adviceIn(refused);
    expect(advice?.line).toBe('fixpoint run "specs/my plan" --exec ./executor.sh --max-task-iterations 1 --yes');
    expect((await paste(project, advice?.line ?? "")).err).toMatch(/^ERROR: Max retries reached for task 1\.2 /);
  });

  it("asks about a changed plan together with the typed options, and keeps them", async () => {
    const project = projectNamed("wc", clumsy);
    await start(project, "--yes", "--max-task-iterations", "1");
    writeFileSync(project.tasks, read(project.tasks).replace("test -e two", "test -e three"));
    const asked = await paste(project, "fixpoint run wc --max-task-iterations 2");
    expect(asked.exitCode).toBe(3);
    expect(await pasteAll(project, asked)).toEqual(["Look at what has changed, then agree", "Or begin a new run"]);
  });

  it("names spec and workspace if they are not in the current folder", async () => {
    const project = projectNamed("wc", clumsy);
    const above = join(project.workspace, "..");
    const name = project.workspace.slice(above.length + 1);
    const words = ["run", "wc", "--cwd", name, "--exec", "./executor.sh", "--yes", "--max-task-iterations", "1"];
    const { err } = await launch(above, words).end;
    expect(adviceIn({ out: "", err }).map(({ line }) => line)).toEqual([
      `fixpoint run wc --cwd ${name}`,
      `fixpoint run wc --cwd ${name} --max-task-iterations 2`,
      `fixpoint why 1.2 ${name}/specs/wc`,
    ]);
    const elsewhere = { ...project, workspace: above };
    expect((await paste(elsewhere, `fixpoint why 1.2 ${name}/specs/wc`)).exitCode).toBe(0);
    expect((await paste(elsewhere, `fixpoint run wc --cwd ${name} --max-task-iterations 2`)).out).toContain(
      "delegated 1.2 (attempt 2)",
    );
  });
});

describe("the executor", () => {
  it("is remembered with the consent, reported, and replaced by another", async () => {
    const project = projectNamed("wc", clumsy);
    await start(project, "--yes", "--max-task-iterations", "1", "--reviewer-exec", "./reviewer.sh");
    writeScript(project.workspace, "reviewer.sh", "cat > /dev/null; echo REVIEW_PASS");
    await start(project, "--yes", "--max-task-iterations", "1", "--reviewer-exec", "./reviewer.sh");
    const again = await paste(project, "fixpoint run");
    expect(again.err).toMatch(/^executor: \.\/executor\.sh, as before\nreviewer: \.\/reviewer\.sh, as before\n/);
    writeScript(project.workspace, "other.sh", "cat > /dev/null; touch two; echo TASK_COMPLETE");
    const other = await paste(project, "fixpoint run --exec ./other.sh --reviewer-exec off --max-task-iterations 2");
    expect([other.exitCode, other.err]).toEqual([0, ""]);
    writeFileSync(project.tasks, read(project.tasks).replace("- [x] 1.2", "- [ ] 1.2"));
    expect((await paste(project, "fixpoint run")).err).toMatch(
      /^executor: \.\/other\.sh, as before\nreviewer: off, as before\n/,
    );
    expect(JSON.stringify(readFileSync(project.tasks, "utf8"))).not.toContain("other.sh");
  });

  it("keeps the permissions that were given with it, and the answer of a start that needs consent", async () => {
    const project = projectNamed("wc", "[ $id = 1.1 ] && { touch one; made; } || echo 'BLOCKED: which one?'");
    const config = { executor: "claude", permissions: "edit" };
    const file = join(project.workspace, "fixpoint.config.json");
    writeFileSync(file, JSON.stringify(config));
    expect((await start(project, "--yes", "--permissions", "tool")).exitCode).toBe(3);
    const line = 'fixpoint resume wc --guidance "the second"';
    const answered = await paste(project, line);
    expect(answered.err).toMatch(/^executor: \.\/executor\.sh; --permissions tool, as before\n/);
    expect(answered.out).toContain("delegated 1.2 (attempt 2)");
    writeFileSync(file, JSON.stringify({ ...config, passEnv: ["A_TOKEN"] }));
    const asked = await paste(project, line);
    const [advice, other] = adviceIn(asked);
    expect(asked.err).not.toContain("permissions: edit");
    expect(advice?.line).toMatch(/^fixpoint resume wc --guidance "the second" --accept \w+$/);
    expect(other?.line).toBe("fixpoint run wc --new-run");
    expect((await paste(project, advice?.line ?? "")).out).toContain("delegated 1.2 (attempt 3)");
    writeScript(project.workspace, "other.sh", "cat > /dev/null; touch two; echo TASK_COMPLETE");
    const refused = await paste(project, "fixpoint run --exec ./other.sh");
    expect(refused.err).toContain("Cannot restrict `./other.sh` to --permissions edit");
  });

  it("is required if none is known", async () => {
    const project = projectNamed("wc", clumsy);
    const { exitCode, err } = await paste(project, "fixpoint run");
    expect([exitCode, err]).toEqual([
      2,
      "ERROR: Cannot run without an executor, expected --executor or --exec, here or in the config file\nFor example: fixpoint run wc --executor claude\n",
    ]);
    writeExecutor(project.workspace, "made");
    const typed = await paste(project, "fixpoint run --exec executor.sh --yes");
    expect(typed.err).toContain("\nDid you mean ./executor.sh?\n");
  });
});

describe("the intended spec", () => {
  it("is the only one; if there are several, all are listed with the typed command", async () => {
    const project = projectNamed("wc", clumsy);
    expect((await paste(project, "fixpoint status")).out).toMatch(/^0\/2 completed\n/);
    mkdirSync(join(project.workspace, "specs", "other"));
    writeFileSync(join(project.workspace, "specs", "other", "tasks.md"), twoTasks);
    const { exitCode, err } = await paste(project, "fixpoint lint");
    expect([exitCode, err]).toEqual([
      2,
      "ERROR: No active spec. Expected its name in `specs/.current-spec`; specs found: other, wc\nName the spec, such as: fixpoint lint other\n",
    ]);
    expect((await paste(project, "fixpoint why 1.1")).err).toContain("fixpoint why 1.1 other\n");
    expect((await paste(project, "fixpoint lint nope")).err).toMatch(
      /specs found: other, wc\nName the spec, such as: fixpoint lint other\n$/,
    );
    expect((await paste(project, "fixpoint lint othr")).err).toMatch(/\nDid you mean other\?\n$/);
    expect((await paste(project, "fixpoint why 9.9 wc")).err).toMatch(/\nList the tasks: fixpoint status wc\n$/);
    expect((await paste(project, "fixpoint why 1.3 wc")).err).toMatch(/\nDid you mean 1\.[12]\?\n$/);
  });

  it("is the one under specs, if a folder of that name in the workspace is not a spec", async () => {
    const project = projectNamed("docs", clumsy);
    mkdirSync(join(project.workspace, "docs"));
    expect((await paste(project, "fixpoint status docs")).out).toMatch(/^0\/2 completed\n/);
    writeFileSync(join(project.workspace, "docs", "tasks.md"), "- [ ] 1.1 Only\n");
    expect((await paste(project, "fixpoint status docs")).out).toMatch(/^0\/1 completed\n/);
  });
});
