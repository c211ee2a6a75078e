import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { temporaryFolder, writeScript } from "../../../support/folder.ts";
import { programs } from "../../../support/programs.ts";
import { callCli } from "../call-cli.ts";

const gsd =
  "<objective>\nOne page\n</objective>\n<task>\n<name>Task 1: Add it</name>\n<verify>test -f page.html</verify>\n</task>\n";
const workspaceOf = (...names: readonly string[]): string => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "phases"));
  for (const name of names) writeFileSync(join(folder, "phases", name), gsd);
  return folder;
};

describe("fixpoint init --from", () => {
  it("writes a plan next to its source, which stays unchanged", async () => {
    const folder = workspaceOf("01-PLAN.md");
    const { out } = await callCli(folder, ["init", "--from", "phases/01-PLAN.md"]);
    expect(out).toBe("Wrote phases/tasks.md: 1 task, 1 with a Verify\nRead it, then: fixpoint init phases\n");
    expect(readFileSync(join(folder, "phases/tasks.md"), "utf8")).toBe(
      "# Tasks: phases\n\n## 01-PLAN.md: One page\n\n- [ ] 1 Add it\n  - **Do**: Do the task of lines 4 to 7 of 01-PLAN.md: read all of it there, and do not change that file\n  - **Verify**: `test -f page.html`\n",
    );
    expect(readFileSync(join(folder, "phases/01-PLAN.md"), "utf8")).toBe(gsd);
  });

  it("accepts several plans, and another folder", async () => {
    const folder = workspaceOf("01-PLAN.md", "02-PLAN.md");
    mkdirSync(join(folder, "spec"));
    const from = ["--from", "phases/01-PLAN.md", "--from", "phases/02-PLAN.md"];
    const { out } = await callCli(folder, ["init", "spec", ...from, "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      file: join(folder, "spec/tasks.md"),
      tasks: [{ id: "1.1" }, { id: "2.1" }],
    });
    expect(readFileSync(join(folder, "spec/tasks.md"), "utf8")).toContain("of ../phases/02-PLAN.md: read");
  });

  it.each([
    ["source-unreadable", ["--from", "phases/none.md"]],
    ["source-empty", ["--from", "phases/empty.md"]],
    ["tasks-exist", ["there", "--from", "phases/01-PLAN.md"]],
  ])("refuses with %s, and writes nothing", async (code, words) => {
    const folder = workspaceOf("01-PLAN.md");
    writeFileSync(join(folder, "phases/empty.md"), "# None\n");
    mkdirSync(join(folder, "there"));
    writeFileSync(join(folder, "there/tasks.md"), "mine");
    await expect(callCli(folder, ["init", ...words])).rejects.toMatchObject({ code, blame: "input" });
    expect(readFileSync(join(folder, "there/tasks.md"), "utf8")).toBe("mine");
    expect(() => readFileSync(join(folder, "phases/tasks.md"))).toThrow("ENOENT");
  });

  it("copies a plan with boxes to its own folder", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "My plan.md"), "- [ ] Count\n");
    const { out } = await callCli(folder, ["init", "--from", "My plan.md"]);
    expect(out).toBe(
      "Wrote specs/My-plan/tasks.md: 1 task, 0 with a Verify\nRead it, then: fixpoint init specs/My-plan\n",
    );
    expect(readFileSync(join(folder, "specs/My-plan/tasks.md"), "utf8")).toBe("- [ ] Count\n");
  });

  it("refers to the headings of a plan whose only boxes are criteria", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "docs"));
    writeFileSync(join(folder, "docs/it.md"), "### Task 1: Count\n\nCount it.\n\n## Success Criteria\n\n- [ ] Fast\n");
    const { out } = await callCli(folder, ["init", "--from", "docs/it.md"]);
    expect(out).toContain("Wrote specs/it/tasks.md: 1 task, 0 with a Verify\n");
    expect(readFileSync(join(folder, "specs/it/tasks.md"), "utf8")).toContain("of lines 1 to 3 of docs/it.md: read");
  });

  it("gives plans without ASCII letters separate folders", async () => {
    const folder = temporaryFolder();
    const made = [];
    for (const name of ["計画", "план", "!!!", "???"]) {
      writeFileSync(join(folder, `${name}.md`), "- [ ] Count\n");
      const { out } = await callCli(folder, ["init", "--from", `${name}.md`]);
      made.push(/^Wrote specs\/(.*)\/tasks\.md: /.exec(out)?.[1]);
    }
    expect(made.slice(0, 2)).toEqual(["計画", "план"]);
    expect(made[2]).toMatch(/^plan-[0-9a-f]{8}$/);
    expect(new Set(made).size).toBe(4);
  });

  it("writes only the plan", async () => {
    const folder = workspaceOf("01-PLAN.md");
    const words = ["init", "--from", "phases/01-PLAN.md", "--executor", "claude"];
    await expect(callCli(folder, words)).rejects.toMatchObject({ code: "bad-option" });
    expect(existsSync(join(folder, "phases/tasks.md"))).toBe(false);
  });
});

const version = 'test "$*" = --version && echo "9.8.7 (Claude Code)"';
const plan = "- [ ] 1.1 Count words\n  - **Verify**: `test -f a.txt`\n";
const unchecked = "- [ ] 1.1 Count words\n- [ ] 1.2 Print them\n";

function machine(
  files: Readonly<Record<string, string>>,
  tools: readonly string[],
  env: Record<string, string> = {},
): string {
  const folder = temporaryFolder();
  execFileSync("git", ["init", "--quiet", folder]);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const path = programs(["sh", "git"], Object.fromEntries(tools.map((tool) => [tool, version])));
  const keys = { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "", CODEX_API_KEY: "" };
  for (const [name, value] of Object.entries({ PATH: path, HOME: temporaryFolder(), ...keys, ...env }))
    vi.stubEnv(name, value);
  return folder;
}
const loggedIn = { ANTHROPIC_API_KEY: "a key" };
const configIn = (folder: string): unknown => JSON.parse(readFileSync(join(folder, "fixpoint.config.json"), "utf8"));

function typing(...answers: readonly string[]) {
  const left = [...answers];
  return { look: { ask: async () => left.shift() ?? "" } };
}

describe("fixpoint init", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("finds plan and agent, writes the config file and prints one command, as in the README", async () => {
    const folder = machine(
      { "specs/my-feature/tasks.md": "- [ ] 1.1 Count words\n  - **Verify**: `npm test`\n" },
      ["claude"],
      loggedIn,
    );
    const { exitCode, out } = await callCli(folder, ["init"]);
    expect(exitCode).toBe(0);
    expect(configIn(folder)).toEqual({ executor: "claude", permissions: "edit", recoveryMode: true, escalation: true });
    const shown = out.replace(/^(?:warning|error).*\n(?: {9}.*\n)*/gm, "");
    expect(shown).toMatch(/^Now: fixpoint run my-feature$/m);
    const readme = readFileSync(join(import.meta.dirname, "../../../../README.md"), "utf8");
    expect(readme).toContain(`$ fixpoint init\n${shown}`);
  });

  it("counts the tasks that a run would do: no groups, and no optional tasks", async () => {
    const plan = "- [ ] 1. One\n- [ ] 2. Two\n  - [ ] 2.1 Inner\n- [ ]* 3. Tests\n";
    const folder = machine({ ".kiro/specs/login/tasks.md": plan }, ["claude"], loggedIn);
    expect((await callCli(folder, ["init"])).out).toMatch(
      /^plan {3}\S+: 2 open tasks\ncheck {2}none found for 2 tasks /,
    );
  });

  it("checks tasks without a Verify by the project's own command", async () => {
    const files = { "specs/one/tasks.md": unchecked, "package.json": '{"scripts":{"test":"true"}}' };
    const folder = machine(files, ["claude"], loggedIn);
    expect((await callCli(folder, ["init"])).out).toContain(
      "\ncheck  npm test (from package.json), for 2 tasks without a Verify, after each phase\n",
    );
    expect((await callCli(folder, ["init"])).out).toContain(
      "\ncheck  npm test, for 2 tasks without a Verify, after each phase\n",
    );
    expect(configIn(folder)).toMatchObject({ verify: "npm test", checkEvery: "phase" });
    const bare = machine({ "specs/one/tasks.md": unchecked }, ["claude"], loggedIn);
    const { out } = await callCli(bare, ["init"]);
    expect(out).toContain("\ncheck  none found for 2 tasks without a Verify\n");
    expect(out).toMatch(
      /\nNow: fixpoint run one --verify "…", with a command that checks 2 tasks without a Verify\n {5}Without it, they end unverified: fixpoint run one\n$/,
    );
    expect(configIn(bare)).not.toHaveProperty("verify");
  });

  it.each([
    [".kiro/specs/login/tasks.md", "login"],
    ["openspec/changes/login/tasks.md", "login"],
    ["specs/001-login/tasks.md", "001-login"],
    ["tasks.md", "."],
  ])("finds the plan %s, but no finished or archived plan", async (path, named) => {
    const done = { "specs/done/tasks.md": "- [x] 1.1 Done\n", "openspec/changes/archive/old/tasks.md": plan };
    const folder = machine({ ...done, [path]: plan, "node_modules/a/tasks.md": plan }, ["claude"], loggedIn);
    const { out } = await callCli(folder, ["init"]);
    expect(out).toContain(`Now: fixpoint run ${named}\n`);
  });

  it("writes a tasks.md from an unfinished GSD plan, and from a plan with steps", async () => {
    const files = {
      ".planning/phases/1/01-01-PLAN.md": gsd,
      ".planning/phases/1/01-01-SUMMARY.md": "",
      ".planning/phases/1/01-02-PLAN.md": gsd,
    };
    const folder = machine(files, ["claude"], loggedIn);
    const { out } = await callCli(folder, ["init"]);
    expect(out).toContain("Wrote .planning/phases/1/tasks.md: 1 task, 1 with a Verify\n");
    expect(out).toContain("\nNow: fixpoint run 1\n");
    const steps = "# Plan\n\n### Task 1: Add it\n\n- [ ] **Step 1: Write**\n- [ ] **Step 2: Test**\n";
    const other = machine(
      { "docs/plans/feature.md": steps, "docs/plans/notes.md": "- [ ] buy milk\n" },
      ["claude"],
      loggedIn,
    );
    expect((await callCli(other, ["init"])).out).toContain(
      "\n     Without it, they end unverified: fixpoint run feature\n",
    );
    expect(readFileSync(join(other, "specs/feature/tasks.md"), "utf8")).toBe(steps);
  });

  it("takes the active one of several specs, and otherwise asks", async () => {
    const files = { "specs/one/tasks.md": plan, "specs/two/tasks.md": plan };
    const active = machine({ ...files, "specs/.current-spec": "two\n" }, ["claude"], loggedIn);
    expect((await callCli(active, ["init"])).out).toContain("Now: fixpoint run two\n");
    const folder = machine(files, ["claude"], loggedIn);
    await expect(callCli(folder, ["init"])).rejects.toMatchObject({
      ...{ code: "plan-not-named", message: "Cannot choose among 2 plans: specs/one, specs/two" },
      hint: "Name one: fixpoint init specs/one",
    });
    await expect(callCli(folder, ["init"], typing("3"))).rejects.toMatchObject({ code: "plan-not-named" });
    await expect(callCli(folder, ["init"], typing(""))).rejects.toMatchObject({ code: "plan-not-named" });
    expect(existsSync(join(folder, "fixpoint.config.json"))).toBe(false);
    const { out } = await callCli(folder, ["init"], typing("2"));
    expect(out).toContain("There are 2 plans with open tasks:\n  1  specs/one (1 open)\n  2  specs/two (1 open)\n");
    expect(out).toContain("Now: fixpoint run two\n");
    expect((await callCli(folder, ["init", "one"])).out).toContain("Now: fixpoint run one\n");
  });

  it("takes the agent that is logged in, asks if there are several, and permits it to write", async () => {
    const both = machine({ "specs/one/tasks.md": plan }, ["claude", "codex"], { OPENAI_API_KEY: "a key" });
    expect((await callCli(both, ["init"])).out).toMatch(
      /^agent {2}codex 9\.8\.7\n {7}not ready: claude does not look logged in.*$/m,
    );
    expect(configIn(both)).toMatchObject({
      executor: "codex",
      executorArgs: { codex: "--sandbox workspace-write --add-dir .git" },
    });
    const folder = machine({ "specs/one/tasks.md": plan }, ["claude", "codex"]);
    await expect(callCli(folder, ["init"])).rejects.toMatchObject({
      code: "agent-not-named",
      hint: "Name one: fixpoint init --executor claude",
    });
    const { out } = await callCli(folder, ["init"], typing("1"));
    expect(out).toContain("There are 2 agents that do not seem logged in:\n  1  claude 9.8.7\n  2  codex 9.8.7\n");
    expect(out).toContain("warning  claude does not look logged in");
    expect(configIn(folder)).toMatchObject({ executor: "claude", permissions: "edit" });
  });

  it("names an installed agent that is not ready, if several others are", async () => {
    const keys = { ANTHROPIC_API_KEY: "a key", OPENAI_API_KEY: "a key", GEMINI_API_KEY: "", GOOGLE_API_KEY: "" };
    const folder = machine({ "specs/one/tasks.md": plan }, ["claude", "codex", "gemini"], keys);
    await expect(callCli(folder, ["init"])).rejects.toMatchObject({
      code: "agent-not-named",
      hint: expect.stringMatching(/^Name one: fixpoint init --executor claude\nNot ready: gemini /),
    });
  });

  it("refuses without an agent or a plan, and says what to do next", async () => {
    const folder = machine({ "specs/one/tasks.md": plan }, []);
    await expect(callCli(folder, ["init"])).rejects.toMatchObject({
      code: "agent-missing",
      hint: "Install one of them, or name any other program: fixpoint init --exec ./agent.sh",
    });
    const empty = machine({ "README.md": "- [ ] none\n" }, ["claude"], loggedIn);
    await expect(callCli(empty, ["init"])).rejects.toMatchObject({ code: "plan-missing" });
    await expect(callCli(empty, ["init", "nowhere"])).rejects.toMatchObject({ code: "spec-missing" });
  });

  it("writes no config file that a run would refuse", async () => {
    const folder = machine({ "specs/one/tasks.md": plan }, ["claude"], loggedIn);
    await expect(callCli(folder, ["init", "--permissions", "full"])).rejects.toMatchObject({
      code: "config-bad-value",
    });
    expect(existsSync(join(folder, "fixpoint.config.json"))).toBe(false);
  });

  it("makes a run possible without further settings", async () => {
    const folder = machine({ "specs/one/tasks.md": plan }, []);
    writeScript(folder, "agent.sh", "touch a.txt; echo TASK_COMPLETE");
    const { out } = await callCli(folder, ["init", "--exec", "./agent.sh"]);
    expect(out).toContain(
      "ok       a start asks whether you agree to 2 items: Verify: test -f a.txt; exec: ./agent.sh\n",
    );
    expect(out).toContain("Now: fixpoint run one\n");
    vi.unstubAllEnvs();
    expect((await callCli(folder, ["run", "one", "--yes"])).out).toContain("ALL_TASKS_COMPLETE");
  });

  it("changes a config file only after asking, and keeps its settings", async () => {
    const mine = { executor: "codex", recovery: ["fix"], maxRunTime: "2h" };
    const files = { "specs/one/tasks.md": unchecked, "go.mod": "", "fixpoint.config.json": JSON.stringify(mine) };
    const folder = machine(files, ["claude", "codex"], loggedIn);
    const error: unknown = await callCli(folder, ["init"]).catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      code: "config-exists",
      hint: "Add --yes to have the file changed, or edit it yourself",
    });
    expect((error as Error).message).toContain('\n  verify: "go test ./..."\n');
    expect((await callCli(folder, ["init"], typing("n"))).out).toContain("\nfixpoint.config.json stays as it is\n");
    expect(configIn(folder)).toEqual(mine);
    await callCli(folder, ["init"], typing("y"));
    const args = { codex: "--sandbox workspace-write --add-dir .git" };
    const filled = { ...mine, executorArgs: args, verify: "go test ./...", checkEvery: "phase" };
    expect(configIn(folder)).toEqual(filled);
    expect((await callCli(folder, ["init"])).out).toContain("\nfixpoint.config.json stays as it is\n");
    const { out } = await callCli(folder, ["init", "--executor", "claude", "--yes"]);
    expect(out).toContain('  executor: "claude", was "codex"\n  executorArgs: nothing, was {"codex":');
    const { executorArgs, ...others } = filled;
    expect(configIn(folder)).toEqual({ ...others, executor: "claude", permissions: "edit" });
  });

  it("reports what it found with --json, and asks nothing", async () => {
    const folder = machine({ "specs/one/tasks.md": plan }, ["claude"], loggedIn);
    const { out } = await callCli(folder, ["init", "--json"], typing());
    expect(JSON.parse(out)).toMatchObject({
      plan: join(folder, "specs/one/tasks.md"),
      changes: [
        { key: "executor", after: "claude" },
        { key: "permissions" },
        { key: "recoveryMode" },
        { key: "escalation" },
      ],
      findings: expect.arrayContaining([expect.objectContaining({ about: "consent" })]),
      run: "fixpoint run one",
    });
  });
});
