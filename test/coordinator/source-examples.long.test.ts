import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { boxes, delegations, eventsIn, read } from "../support/traces.ts";
import { failure, keepState, runActive, sourceProject, stateAt } from "./fixtures/source-project.ts";

const failsAt = (failures: Record<string, readonly [error: string, attemptedFix: string]>): string => `${keepState}
case $FIXPOINT_KEY in
${Object.entries(failures)
  .map(([key, [error, fix]]) => `${key})\n${failure(`${key.split("#")[0]}: it`, error, fix)};;`)
  .join("\n")}
*) made;;
esac`;

const plan = (tasks: readonly string[], open: string): string =>
  `# Tasks\n\n${tasks.map((id) => `- [${id < open ? "x" : " "}] ${id} Task ${id}\n`).join("")}`;

const ofTen = plan(["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8", "1.9", "2.1"], "1.3");

describe.concurrent("the source's §6b", () => {
  it('reads the output of "Example Parsing" into the same failure object', async () => {
    const output = [
      "Task 1.3: Add failure parser FAILED",
      "- Error: File not found: src/parser.ts",
      "- Attempted fix: Checked alternate paths",
      "- Status: Blocked, needs manual intervention",
      "",
    ].join("\n");
    const project = sourceProject({
      plan: "- [ ] 1.3 Add failure parser\n",
      script: failure("1.3: Add failure parser", "File not found: src/parser.ts", "Checked alternate paths"),
    });
    const { exitCode, out } = await runActive(project, "--max-task-iterations", "1", "--reporter", "json");
    const failed = eventsIn(out).filter(({ type }) => type === "task.failed");
    expect({ exitCode, failed }).toEqual({
      exitCode: 1,
      failed: [
        {
          type: "task.failed",
          at: expect.any(String),
          task: "1.3",
          failure: {
            kind: "task",
            error: "File not found: src/parser.ts",
            attemptedFix: "Checked alternate paths",
            status: "Blocked, needs manual intervention",
          },
          progress: null,
        },
      ],
    });
    expect(read(join(project.data, "run-1/out/1.3#1.out"))).toBe(output);
  });

  // With the default rules, the first two replies claim nothing and the task is delegated again.
  const bySource = ["--rules", "source"];

  it.each<[string, string, string, string[]]>([
    ["no block", "exit 0", "Task 1.3 did not complete", bySource],
    ["no block, with some last output", "echo I give up", "I give up", bySource],
    ["no block, but for why it gave up", "echo I begin; echo no model >&2; exit 1", "no model", []],
    ["no Error line", "printf 'Task 1.3: it FAILED\\n- Attempted fix: much\\n'", "Task execution failed", []],
  ])("uses the generic error for %s", async (_what, script, error, words) => {
    const project = sourceProject({ plan: "- [ ] 1.3 Add failure parser\n", script });
    const { out } = await runActive(project, ...words, "--max-task-iterations", "1");
    expect(out).toContain(`\nfailed 1.3: ${error}\n`);
  });
});

describe.concurrent("the source's §6c", () => {
  it('writes the fix task of "Example Fix Task Generation" word for word, with --scope recovery', async () => {
    const original = `- [ ] 1.3 Add failure parser
  - **Do**: Add parsing logic to implement.md
  - **Files**: plugins/ralph-specum/commands/implement.md
  - **Done when**: Parser extracts error details
  - **Verify**: grep -q "Parse Failure" implement.md
  - **Commit**: feat(coordinator): add failure parser
`;
    const generated = `- [ ] 1.3.1 [FIX 1.3] Fix: File not found: src/parser.ts
  - **Do**: Address the error: File not found: src/parser.ts
    1. Analyze the failure: Checked alternate paths
    2. Review related code in Files list
    3. Implement fix for: File not found: src/parser.ts
  - **Files**: plugins/ralph-specum/commands/implement.md
  - **Done when**: Error "File not found: src/parser.ts" no longer occurs
  - **Verify**: grep -q "Parse Failure" implement.md
  - **Commit**: \`fix(recovery): address missing file from task 1.3\`
`;
    const script = failsAt({ "1.3#1": ["File not found: src/parser.ts", "Checked alternate paths"] });
    const works = "[ $FIXPOINT_KEY = '1.3#1' ] && touch implement.md || echo Parse Failure > implement.md";
    const project = sourceProject({ plan: original, script: `${works}; ${script}` });
    expect(await runActive(project, "--recovery-mode", "--scope", "recovery")).toMatchObject({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toBe(`${original}${generated}`.replaceAll("[ ]", "[x]"));
  });

  it("uses the scope of the task's own Commit by default, where the example has recovery", async () => {
    const project = sourceProject({
      plan: "- [ ] 1.3 Add failure parser\n  - **Commit**: feat(coordinator): add failure parser\n",
      script: failsAt({ "1.3#1": ["File not found: src/parser.ts", "none"] }),
    });
    await runActive(project, "--recovery-mode");
    expect(read(project.tasks)).toContain("`fix(coordinator): address missing file from task 1.3`");
  });

  it('inserts as in "Example Insertion", except for a summary that is the error itself', async () => {
    const before = `- [ ] 1.3 Add failure parser
  - **Do**: Add parsing logic
  - **Files**: implement.md
  - **Verify**: grep pattern
  - **Commit**: feat: add parser

- [ ] 1.4 Next task
`;
    const after = `- [ ] 1.3 Add failure parser
  - **Do**: Add parsing logic
  - **Files**: implement.md
  - **Verify**: grep pattern
  - **Commit**: feat: add parser

- [ ] 1.3.1 [FIX 1.3] Fix: File not found
  - **Do**: Address the error: File not found
    1. Analyze the failure: Checked alternate paths
    2. Review related code in Files list
    3. Implement fix for: File not found
  - **Files**: implement.md
  - **Done when**: Error "File not found" no longer occurs
  - **Verify**: grep pattern
  - **Commit**: \`fix(recovery): address missing file from task 1.3\`

- [ ] 1.4 Next task
`;
    const fails = failsAt({ "1.3#1": ["File not found", "Checked alternate paths"] });
    const project = sourceProject({ plan: before, script: `cp "$plan" "plan-$FIXPOINT_KEY.md"; ${fails}` });
    expect(await runActive(project, "--recovery-mode", "--trust-executor")).toMatchObject({ exitCode: 0, err: "" });
    expect(read(join(project.workspace, "plan-1.3.1#1.md"))).toBe(after);
  });

  it('counts in the state as in "Example state after fix task generation"', async () => {
    const project = sourceProject({
      plan: ofTen,
      script: failsAt({
        "1.3#1": ["File not found: src/parser.ts", "Checked alternate paths"],
        "1.3#2": ["Syntax error in parser.ts line 42", "none"],
      }),
      state: { phase: "execution", taskIndex: 2, totalTasks: 10, fixTaskMap: {} },
    });
    expect(await runActive(project, "--recovery-mode")).toMatchObject({ exitCode: 0, err: "" });
    const shown = ["1.3#1", "1.3.1#1", "1.3.2#1"].map((key) => {
      const { phase, taskIndex, totalTasks, fixTaskMap } = stateAt(project, key);
      return { phase, taskIndex, totalTasks, fixTaskMap };
    });
    expect(shown).toEqual([
      { phase: "execution", taskIndex: 2, totalTasks: 10, fixTaskMap: {} },
      {
        phase: "execution",
        taskIndex: 2,
        totalTasks: 11,
        fixTaskMap: { "1.3": { attempts: 1, fixTaskIds: ["1.3.1"], lastError: "File not found: src/parser.ts" } },
      },
      {
        phase: "execution",
        taskIndex: 2,
        totalTasks: 12,
        fixTaskMap: {
          "1.3": { attempts: 2, fixTaskIds: ["1.3.1", "1.3.2"], lastError: "Syntax error in parser.ts line 42" },
        },
      },
    ]);
  });
});

describe.concurrent("the source's §6d", () => {
  it('follows "Example Recovery Sequence", except for a summary that is the whole error', async () => {
    const project = sourceProject({
      plan: plan(["1.1", "1.2", "1.3", "1.4"], "1.3"),
      script: failsAt({ "1.3#1": ["syntax error in parser.ts", "none"] }),
    });
    const { exitCode, out } = await runActive(project, "--recovery-mode");
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringMatching(/\n\nALL_TASKS_COMPLETE\n$/) });
    expect(delegations(project)).toEqual(["1.3#1", "1.3.1#1", "1.3#2", "1.4#1"]);
    expect(stateAt(project, "1.3#1")).toMatchObject({ taskIndex: 2, totalTasks: 4, fixTaskMap: {} });
    const fixTaskMap = { "1.3": { attempts: 1, fixTaskIds: ["1.3.1"], lastError: "syntax error in parser.ts" } };
    for (const key of ["1.3.1#1", "1.3#2"]) {
      const { taskIndex, totalTasks, fixTaskMap: found } = stateAt(project, key);
      expect({ taskIndex, totalTasks, found }).toEqual({ taskIndex: 2, totalTasks: 5, found: fixTaskMap });
    }
    expect(stateAt(project, "1.4#1")).toMatchObject({ taskIndex: 4, totalTasks: 5, fixTaskMap });
    expect(read(project.tasks)).toContain(
      "- [x] 1.3 Task 1.3\n- [x] 1.3.1 [FIX 1.3] Fix: syntax error in parser.ts\n  - **Do**: ",
    );
    expect(read(project.tasks)).toContain("`fix(recovery): address syntax from task 1.3`");
    expect(existsSync(project.state)).toBe(false);
  });

  it('follows "Nested Fix Example", and counts each task separately', async () => {
    const project = sourceProject({
      plan: plan(["1.1", "1.2", "1.3", "1.4"], "1.3"),
      script: failsAt({ "1.3#1": ["it is hard", "none"], "1.3.1#1": ["it is harder", "none"] }),
    });
    expect(await runActive(project, "--recovery-mode")).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.3#1", "1.3.1#1", "1.3.1.1#1", "1.3.1#2", "1.3#2", "1.4#1"]);
    expect(delegations(project).map((key) => stateAt(project, key)["taskIndex"])).toEqual([2, 2, 2, 2, 2, 5]);
    expect(stateAt(project, "1.3#2")["fixTaskMap"]).toEqual({
      "1.3": { attempts: 1, fixTaskIds: ["1.3.1"], lastError: "it is hard" },
      "1.3.1": { attempts: 1, fixTaskIds: ["1.3.1.1"], lastError: "it is harder" },
    });
    expect(boxes(project)).toEqual(["1.1", "1.2", "1.3", "1.3.1", "1.3.1.1", "1.4"].map((id) => `- [x] ${id}`));
  });

  it('writes the "Fix Task History" of its example letter for letter', async () => {
    const twice = { "1.3#1": ["a", "none"], "1.3#2": ["b", "none"], "2.1#1": ["c", "none"] } as const;
    const always = Object.fromEntries([1, 2, 3, 4].map((n) => [`3.4#${n}`, ["d", "none"]] as const));
    const project = sourceProject({
      plan: plan(["1.3", "2.1", "3.4"], "1"),
      script: failsAt({ ...twice, ...always }),
    });
    const { exitCode, err } = await runActive(project, "--recovery-mode", "--max-fix-tasks", "3");
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: expect.stringMatching(
        /^ERROR: Max fix attempts \(3\) reached for task 3\.4\nFix attempts: 3\.4\.1, 3\.4\.2, 3\.4\.3\n/,
      ),
    });
    expect(read(project.progress)).toContain(`
## Fix Task History
- Task 1.3: 2 fixes attempted (1.3.1, 1.3.2) - Final: PASS
- Task 2.1: 1 fix attempted (2.1.1) - Final: PASS
- Task 3.4: 3 fixes attempted (3.4.1, 3.4.2, 3.4.3) - Final: FAIL (max limit)

## Learnings
`);
  });

  it('makes the update of "Example Progress Update" byte for byte, next to the lines of the fix tasks', async () => {
    const before = `## Completed Tasks
- [x] 1.1 Task A - abc123
- [x] 1.2 Task B - def456

## Learnings
- Some learning
`;
    const after = `## Completed Tasks
- [x] 1.1 Task A - abc123
- [x] 1.2 Task B - def456

## Fix Task History
- Task 1.2: 2 fixes attempted (1.2.1, 1.2.2) - Final: PASS

## Learnings
- Some learning
`;
    const project = sourceProject({
      plan: "- [x] 1.1 Task A\n- [ ] 1.2 Task B\n",
      progress: before,
      script: failsAt({ "1.2#1": ["one", "none"], "1.2#2": ["two", "none"] }),
    });
    expect(await runActive(project, "--recovery-mode")).toMatchObject({ exitCode: 0, err: "" });
    const found = read(project.progress);
    const ofFixes = "- [x] 1.2.1 Fix: one\n- [x] 1.2.2 Fix: two\n";
    expect(found).toContain(`- [x] 1.2 Task B - def456\n${ofFixes}`);
    expect(found.replace(ofFixes, "")).toBe(after);
  });
});
