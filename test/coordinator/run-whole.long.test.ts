import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call } from "../support/cli-here.ts";
import { lastingFolder } from "../support/project.ts";
import { delegations, read } from "../support/traces.ts";
import { git, runActive, sourceProject, specFiles, withRepository } from "./fixtures/source-project.ts";

const plan = readFileSync(join(import.meta.dirname, "fixtures/user-search.md"), "utf8");

const progressBefore = `# Progress: user-search

## Original Goal
An empty query must not find everybody

## Reality Check (BEFORE)
**Reproduction command**: \`sh tests/empty.txt\`
**Exit code**: 2
**Confirmed failing**: yes

## Completed Tasks

## Learnings
- The list of users is short
`;

const script = `
printf '%s' "$prompt" > "prompts/$FIXPOINT_KEY.md"
echo "$FIXPOINT_ROLE $id" >> roles.log
commit() { until git add "$2" && git commit -qm "$1" -- "$2"; do sleep 0.1; done; }
module() {
  echo "$1" > "src/$1.txt"
  commit "feat(search): $2" "src/$1.txt"
  printf '## Completed Tasks\\n- [x] %s mine\\n\\n## Learnings\\n- learned at %s\\n' "$id" "$id" > "$FIXPOINT_PROGRESS_FILE"
}
case $FIXPOINT_KEY in
  1.1\\#1) mkdir src tests; echo nothing > src/search.txt; commit 'feat(search): scaffold the search' src/search.txt;;
  1.2\\#1) module index 'write the index';;
  1.3\\#1) sleep 0.3; module query 'read a query';;
  1.4\\#1) module rank 'rank the hits';;
  2.1\\#1) echo 'grep -q refused src/search.txt' > tests/empty.txt; commit 'test(search): red' tests/empty.txt;;
  2.2\\#1) broke 'AssertionError: nothing was refused'; exit;;
  2.2.1\\#1) echo refused >> src/search.txt; commit 'fix(search): address test from task 2.2' src/search.txt;;
  2.3\\#1) echo refused > src/search.txt; commit 'refactor(search): yellow' src/search.txt;;
  VE1\\#1) echo ready > server.log;;
  VE3\\#1) rm server.log;;
esac
[ $FIXPOINT_ROLE = verifier ] && echo VERIFICATION_PASS || made`;

describe("a whole spec of the source coordinator", () => {
  it("is run to ALL_TASKS_COMPLETE", async () => {
    const project = withRepository(sourceProject({ name: "user-search", plan, progress: progressBefore, script }));
    mkdirSync(join(project.workspace, "prompts"));
    const { exitCode, out, err } = await runActive(project, "--recovery-mode", "--commit", "spec");
    expect({ exitCode, err, out }).toEqual({
      exitCode: 0,
      err: "",
      out: expect.stringMatching(
        /^Starting execution for 'user-search'\n\nTasks: 0\/14 completed\nStarting from task 1\.1\n\n[\s\S]*\nOutcome: complete\nTasks: 14 original, 1 fix\nDelegations: 15\n[\s\S]*\n\nALL_TASKS_COMPLETE\n$/,
      ),
    });

    const made = delegations(project);
    expect([made[0], made.slice(1, 4).sort(), made.slice(4)]).toEqual([
      "1.1#1",
      ["1.2#1", "1.3#1", "1.4#1"],
      ["1.5#1", "1.6#1", "2.1#1", "2.2#1", "2.2.1#1", "2.3#1", "2.4#1", "VE1#1", "VE2#1", "VE3#1", "VF#1"],
    ]);
    const verified = read(join(project.workspace, "roles.log")).match(/(?<=^verifier )\S+/gm);
    expect(verified).toEqual(["1.5", "2.4", "VE1", "VE2", "VE3", "VF"]);

    const told = (key: string): string => read(join(project.workspace, "prompts", `${key}.md`));
    expect(told("1.1#1")).toContain("Task: Execute task 1.1 for spec user-search\n");
    expect(told("1.1#1")).toContain("  - _Requirements: FR-1, AC-1.1_\n  - _Design: Search module_\n");
    expect(told("1.1#1")).toContain("- The list of users is short");
    expect(told("1.3#1")).toContain(`Update ${join(project.spec, ".progress-task-1.3.md")} with completion`);
    expect(told("1.5#1")).toContain("Task: Execute verification task 1.5 for spec user-search\n");
    expect(told("1.5#1")).toContain("Output VERIFICATION_PASS on a line of its own if verification succeeds");
    expect(told("2.1#1")).toContain("Write only the failing test, and nothing that makes it pass");
    expect(told("2.2#1")).toContain("Write the least code that makes the failing test pass");
    expect(told("2.2.1#1")).toContain("AssertionError: nothing was refused");
    expect(told("2.3#1")).toContain("Clean up without changing what the code does");
    expect(told("VE2#1")).toContain("against the real system: no mocks, no stubs");
    expect(told("VE3#1")).toContain("Remove everything that the end-to-end tasks have set up");
    expect(told("VF#1")).toContain("Leave Reality Check (AFTER) alone");

    expect(read(project.tasks).replace(/- \[x\] 2\.2\.1[\s\S]*?\n\n/, "")).toBe(plan.replaceAll("[ ]", "[x]"));

    const subjects = git(project, "log", "--reverse", "--format=%s").trim().split("\n");
    const progressOf = "chore(spec): update progress for task";
    expect(subjects.filter((subject) => subject.startsWith("chore"))).toEqual([
      `${progressOf} 1.1`,
      `${progressOf}s 1.2, 1.3, 1.4`,
      ...["1.5", "1.6", "2.1", "2.2.1", "2.2", "2.3", "2.4", "VE1", "VE2", "VE3", "VF"].map(
        (id) => `${progressOf} ${id}`,
      ),
    ]);
    expect(subjects.slice(0, 3)).toEqual(["begin", "feat(search): scaffold the search", `${progressOf} 1.1`]);
    const touched = git(project, "log", "--grep=^chore(spec)", "--format=", "--name-only").trim().split("\n");
    expect([...new Set(touched)].sort()).toEqual(["specs/user-search/.progress.md", "specs/user-search/tasks.md"]);
    expect(git(project, "status", "--porcelain")).toBe("");

    const hash = (subject: string): string =>
      git(project, "log", "--format=%h", "-F", `--grep=${subject}`, "-1").trim().slice(0, 7);
    const progress = read(project.progress);
    const completed = /## Completed Tasks\n([\s\S]*?)\n\n/.exec(progress)?.[1]?.split("\n") ?? [];
    expect(completed.map((line) => /^- \[x\] (\S+)/.exec(line)?.[1])).toEqual([
      ...["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "2.1", "2.2.1", "2.2", "2.3", "2.4", "VE1", "VE2", "VE3", "VF"],
    ]);
    expect(completed[0]).toBe(`- [x] 1.1 Scaffold the search - ${hash("feat(search): scaffold the search")}`);
    expect(completed[4]).toBe("- [x] 1.5 Quality checkpoint: all modules are there");
    expect(progress).toContain("## Fix Task History\n- Task 2.2: 1 fix attempted (2.2.1) - Final: PASS\n");
    expect(progress).toContain(
      "## Learnings\n- The list of users is short\n- learned at 1.2\n- learned at 1.3\n- learned at 1.4\n",
    );
    expect(progress).toContain(
      "**Confirmed failing**: yes\n\n## Reality Check (AFTER)\n**Command**: `sh tests/empty.txt`\n**Exit code**: 0\n**Verdict**: PASS\n",
    );
    expect(specFiles(project)).toEqual([".fixpoint", ".progress.md", "tasks.md"]);
  });
});

describe("a plan with a Phase 5: PR Lifecycle", () => {
  it("is reported at the end of a run, and by lint, if the phase has no task", async () => {
    const plan =
      "## Phase 4: Quality Gates\n\n- [ ] 4.1 Check\n\n## Phase 5: PR Lifecycle\n\n> until all is green\n\n## Notes\n";
    const project = sourceProject({ plan, script: "made" });
    const linted = await call(project, "lint", project.spec);
    expect(linted.out).toContain(
      'Without `--pull-request`, no pull request is created or watched: in "Phase 5: PR Lifecycle" nothing is done, as it has no task',
    );
    expect(linted.out).toMatch(/\b5\b.*\bpr-lifecycle\b/);
    expect(await runActive(project)).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(
        /\nNo pull request was made \(--pull-request makes one\); in "Phase 5: PR Lifecycle" nothing is done, as it has no task\n\nALL_TASKS_COMPLETE\n$/,
      ),
    });
  });

  it("is reported with its open tasks if a run stops before", async () => {
    const plan = "- [ ] 1.1 A\n\n## Phase 5: PR Lifecycle\n\n- [ ] 5.1 Create the PR\n- [ ] 5.2 Watch CI\n";
    const project = sourceProject({ plan, script: "broke it" });
    const { exitCode, out } = await runActive(project, "--max-task-iterations", "1");
    expect({ exitCode, out }).toEqual({
      exitCode: 1,
      out: expect.stringMatching(/ in "Phase 5: PR Lifecycle" only tasks are done, and 5\.1, 5\.2 are still open\n$/),
    });
  });

  it("has the tasks of that phase done like all others, and nothing pushed", async () => {
    const phase =
      "## Phase 4: Quality Gates\n\n- [ ] 4.1 Check\n\n## Phase 5: PR Lifecycle\n\n- [ ] 5.1 Create the PR\n";
    const project = withRepository(sourceProject({ plan: phase, script: "made" }));
    const remote = lastingFolder();
    git({ ...project, workspace: remote }, "init", "-q", "--bare");
    git(project, "remote", "add", "origin", remote);
    expect(await runActive(project, "--commit", "spec")).toMatchObject({
      exitCode: 0,
      err: "",
      out: expect.stringMatching(
        /\nNo pull request was made \(--pull-request makes one\); in "Phase 5: PR Lifecycle" only the steps with a box are done\n\nALL_TASKS_COMPLETE\n$/,
      ),
    });
    expect(delegations(project)).toEqual(["4.1#1", "5.1#1"]);
    expect(git({ ...project, workspace: remote }, "for-each-ref")).toBe("");
    expect(existsSync(project.state)).toBe(false);
  });
});
