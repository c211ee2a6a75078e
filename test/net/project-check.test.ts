import { describe, expect, it } from "vitest";
import { again, edit, planOf, run, type Story, tell } from "./story.ts";

// The project's check command verifies tasks without a Verify, under the same rules as a Verify.

const claims = "echo TASK_COMPLETE";
const files = { "check.sh": 'test -f page.html || { echo "FAIL page: there is none"; exit 1; }\n' };
const plan = planOf("- [ ] 1.1 Add the page");
const byCheck = run("--recovery-mode --verify 'sh check.sh'");

async function told(name: string, more: Partial<Story>) {
  const { transcript, printed } = await tell({ name, plan, files, steps: [byCheck], ...more });
  const delegated = /^delegated (.*)$/m.exec(transcript)?.[1]?.split(", ") ?? [];
  return { transcript, delegated, all: `${printed}\n${transcript}` };
}

const writes = (name: string, forgets = false): string =>
  [
    "mkdir -p src test",
    `echo 'import assert from "node:assert"; import test from "node:test"; import { ${name} } from "../src/${name}.mjs"; test("${name}", () => assert.equal(${name}(2), 4));' > test/${name}.test.mjs`,
    ...(forgets ? [] : [`echo 'export const ${name} = (n) => n + 2;' > src/${name}.mjs`]),
    claims,
  ].join("; ");

const projects = {
  "spec-kit": {
    plan: "# Tasks: Sums\n\n## Phase 3: User Story 1 - Sums (Priority: P1)\n\n**Goal**: Numbers are summed\n\n### Implementation for User Story 1\n\n- [ ] T001 [US1] Create add in src/add.mjs\n- [ ] T002 [P] [US1] Create sum in src/sum.mjs (depends on T001)\n\n**Checkpoint**: User Story 1 works\n",
    tasks: ["T001", "T002"],
    verify: "npm test",
    fix: ["- [x] T002.1 [US1] [FIX T002] Fix: ", "**Files**: src/sum.mjs"],
  },
  kiro: {
    plan: "# Implementation Plan\n\n- [ ] 1. Sums\n  - [ ] 1.1 Create add\n    - Write src/add.mjs\n    - _Requirements: 1.1_\n  - [ ] 1.2 Create sum\n    - Write src/sum.mjs\n    - _Requirements: 1.2_\n  - [ ]* 1.3 Write a property test\n    - _Requirements: 1.2_\n",
    tasks: ["1.1", "1.2"],
    verify: "node --test",
    fix: ["- [x] 1.2.1 [FIX 1.2] Fix: "],
  },
  openspec: {
    plan: "## 1. Sums\n\n- [ ] 1.1 Create add in src/add.mjs\n- [ ] 1.2 Create sum in src/sum.mjs\n",
    tasks: ["1.1", "1.2"],
    verify: "node --test",
    fix: ["- [x] 1.2.1 [FIX 1.2] Fix: ", "**Files**: src/sum.mjs"],
  },
};

describe.concurrent("a project of another tool, with a suite and without a Verify", () => {
  it.each(Object.entries(projects))(
    "ends green by recovery: %s",
    async (dialect, { plan: written, tasks, verify, fix }) => {
      const [first = "", second = ""] = tasks;
      const { transcript, delegated, all } = await told(`check, ${dialect}`, {
        plan: written,
        files: { "package.json": '{"scripts": {"test": "node --test"}}', "spec/spec.md": "# Sums\n" },
        does: {
          [first]: writes("add"),
          [`${second}#1`]: writes("sum", true),
          [`${second}.1`]: writes("sum"),
          [second]: claims,
        },
        steps: [run(`--recovery-mode --verify '${verify}'`)],
      });
      expect(transcript).toMatch(/^exit 0$/m);
      // The tests passed before the second task, so a pass proves nothing about that task.
      expect(delegated).toEqual([`${first}#1`, `${second}#1`, `${second}.1#1`, `${second}#2`]);
      expect(all).toMatch(/^2 (?:of 3 )?tasks: 1 proven, 1 unproven/m);
      expect(all).toContain("Tasks: 0/2 completed");
      expect(all).toContain("Cannot find module");
      for (const part of fix) expect(transcript).toContain(part);
      // `*` marks optional tasks, which stay open.
      expect([...transcript.matchAll(/^ *- \[ \].*$/gm)].every(([line]) => line.includes("[ ]*"))).toBe(true);
    },
  );
});

describe.concurrent("the check of a project", () => {
  it("rejects a false claim, and is the Verify of the fix", async () => {
    const { delegated, all } = await told("check, rejects", {
      does: { "1.1#1": `told 'check of the project'; ${claims}`, "1.1.1": `touch page.html; ${claims}` },
    });
    expect(delegated).toEqual(["1.1#1", "1.1.1#1"]);
    expect(all).toContain("**Verify**: `sh check.sh`");
    expect(all).toMatch(/1 task: 1 proven/);
    expect(all).toContain("FAIL page: there is none");
  });

  it("does not run for a task that has a Verify", async () => {
    const { delegated, all } = await told("check, own", {
      plan: planOf("- [ ] 1.1 Add the page\n  - **Verify**: `test -f own`\n"),
      does: { "1.1": `touch own; ${claims}` },
    });
    expect(delegated).toEqual(["1.1#1"]);
    expect(all).toMatch(/1 task: 1 proven/);
  });

  it("is kept for the next start of the run, which does not ask about it", async () => {
    const { delegated, all } = await told("check, kept", {
      does: { "1.1#1": claims, "1.1#2": `touch page.html; ${claims}`, "1.1.1": claims },
      steps: [run("--recovery-mode --max-fix-tasks 1 --verify 'sh check.sh'"), again("--max-fix-tasks 2")],
    });
    expect(delegated[0]).toBe("1.1#1");
    expect(all).not.toContain("--accept");
    expect(all.match(/FAIL page: there is none/g)?.length).toBeGreaterThan(1);
  });

  it("needs consent if the config file names it", async () => {
    const { transcript, all } = await told("check, asked", {
      files: { ...files, "fixpoint.config.json": '{"verify": "sh check.sh"}' },
      steps: ["run spec --exec ./executor.sh"],
    });
    expect(transcript).toMatch(/^exit 2$/m);
    expect(all).toContain("1 item:\n  Verify: sh check.sh\n");
  });

  const suite = { "package.json": '{"scripts": {"test": "node --test"}}' };

  it("is suggested if the project has one and some tasks have no Verify", async () => {
    const { all } = await told("check, named", {
      plan: `${planOf("- [ ] 1.1 Add the page\n")}- [ ] 1.2 Add a list\n  - **Verify**: \`true\`\n`,
      files: suite,
      does: { "1.1": claims, "1.2": claims },
      steps: [run(), edit("spec/tasks.md", "[x] 1.1", "[ ] 1.1"), "doctor spec --exec ./executor.sh"],
    });
    expect(all).toContain("1 open task has no Verify; package.json says that `npm test` checks this project.");
    expect(all).toContain('fixpoint run spec --verify "npm test"');
    expect(all.match(/no Verify; package\.json/g)?.length).toBe(2);
  });

  const phases = {
    plan: "## Phase 1: Sums\n\n- [ ] T001 Create src/add.mjs\n- [ ] T002 Create src/sum.mjs\n\n## Phase 2: More\n\n- [ ] T003 Create src/max.mjs\n",
    files: suite,
    does: { "T001#1": writes("add", true), "T001.1": writes("add"), T002: writes("sum"), T003: writes("max") },
  };

  it("runs after each phase of a plan without any Verify, with consent", async () => {
    const later = "`npm test`, is run once all tasks of this phase are done";
    const { delegated, all } = await told("check, by itself", {
      ...phases,
      does: { ...phases.does, T003: `told '${later}'; ${writes("max")}` },
      steps: [run("--recovery-mode")],
    });
    expect(delegated).toEqual(["T001#1", "T002#1", "T001.1#1", "T003#1"]);
    expect(all).toContain(`T003#1 was told: ${later}`);
    expect(all).toContain("`npm test` checks this project: it runs before the first task and after each phase.");
    expect(all).toMatch(/^3 tasks: 2 proven, 1 unproven \(T003\)$/m);
  });

  it("is named once by --plan, and not on the line of each task", async () => {
    const { all } = await told("check, in a forecast", { ...phases, steps: ["run spec --exec ./executor.sh --plan"] });
    expect(all).toContain("  T001 Create src/add.mjs\n  T002 Create src/sum.mjs\n");
    expect(all.match(/npm test/g)).toHaveLength(2);
    expect(all).not.toContain("no check of its own");
  });

  it.each([
    ["nobody agrees to it", "run spec --exec ./executor.sh", "With your consent"],
    ["it is off", run("--verify off"), "To verify each task with it"],
  ])("does not run by itself if %s", async (why, step, said) => {
    const { delegated, all } = await told(`check, not by itself: ${why}`, { ...phases, steps: [step] });
    expect(delegated).toEqual(["T001#1", "T002#1", "T003#1"]);
    expect(all).toContain("3 tasks: 3 unverified");
    expect(all).toContain(said);
  });
});
