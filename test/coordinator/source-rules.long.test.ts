import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { writeExecutor } from "../support/project.ts";
import { boxes, delegations, eventsIn, read } from "../support/traces.ts";
import { keepState, runActive, runUnasked, say, sourceProject, stateAt } from "./fixtures/source-project.ts";

const tasks = (...titles: readonly string[]): string => titles.map((title) => `- [ ] ${title}\n`).join("");
const two = tasks("1.1 First", "1.2 Second");

describe.concurrent("the source's start", () => {
  it("runs the active spec and reports it in the source's words, without the index of a task", async () => {
    const project = sourceProject({ name: "user-search", plan: `- [x] 1.0 Before\n${two}`, script: "made" });
    const { exitCode, out } = await runUnasked(project);
    expect(exitCode).toBe(0);
    expect(out).toMatch(
      /^Starting execution for 'user-search'\n\nTasks: 1\/3 completed\nStarting from task 1\.1\n\nnotice: No task of the plan has a Verify: .*\ndelegated 1\.1 \(attempt 1\)\n/,
    );
  });

  it("leaves no coordinator prompt, and no other file of its own except the log", async () => {
    const project = sourceProject({ plan: two, script: 'ls -A "$FIXPOINT_SPEC" > "seen-$id.log"; made' });
    expect((await runUnasked(project)).exitCode).toBe(0);
    expect(read(`${project.workspace}/seen-1.1.log`)).toBe(".fixpoint\n.progress.md\n.ralph-state.json\ntasks.md\n");
  });
});

describe.concurrent("the source's §5", () => {
  it("groups adjacent [P] tasks, and runs a single one on its own", async () => {
    const plan = tasks("1.1 [P] A", "1.2 [P] B", "1.3 [VERIFY] Look", "1.4 [P] C", "1.5 D", "1.6 [P] E", "1.7 [P] F");
    const script = `${keepState}; [ $FIXPOINT_ROLE = verifier ] && echo VERIFICATION_PASS || made`;
    const project = sourceProject({ plan, script });
    const { exitCode, out } = await runActive(project);
    expect(exitCode).toBe(0);
    expect(out.match(/^began .*/gm)).toEqual(["began 1.1, 1.2 side by side", "began 1.6, 1.7 side by side"]);
    expect(stateAt(project, "1.1#1")["parallelGroup"]).toEqual({
      startIndex: 0,
      endIndex: 1,
      taskIndices: [0, 1],
      isParallel: true,
    });
    // The source system writes a group of one task here instead of null.
    expect(stateAt(project, "1.4#1")["parallelGroup"]).toBeNull();
  });
});

describe.concurrent("the source's §6", () => {
  it("runs the tasks of a batch in parallel", async () => {
    const meets = 'touch "here-$id"; while [ ! -e here-1.1 ] || [ ! -e here-1.2 ]; do sleep 0.05; done; made';
    const project = sourceProject({ plan: tasks("1.1 [P] A", "1.2 [P] B"), script: meets });
    expect(await runActive(project, "--task-timeout", "15s")).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toHaveLength(2);
  });

  it("retries after VERIFICATION_FAIL until the iterations are spent, and ticks nothing", async () => {
    const project = sourceProject({ plan: tasks("1.1 [VERIFY] Look"), script: "echo VERIFICATION_FAIL" });
    const { exitCode, err } = await runActive(project, "--max-task-iterations", "2");
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: expect.stringMatching(/^ERROR: Max retries reached for task 1\.1 after 2 attempts\n/),
    });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2"]);
    expect(boxes(project)).toEqual(["- [ ] 1.1"]);
  });

  it("gives a failed [VERIFY] task a fix task in recovery mode, where the source only retries it", async () => {
    const script = `case $FIXPOINT_KEY in '1.1#1') echo VERIFICATION_FAIL;; 1.1\\#*) echo VERIFICATION_PASS;; *) made;; esac`;
    const project = sourceProject({ plan: tasks("1.1 [VERIFY] Look"), script });
    expect((await runActive(project, "--recovery-mode")).exitCode).toBe(0);
    expect(delegations(project)).toEqual(["1.1#1", "1.1.1#1", "1.1#2"]);
  });

  it("distinguishes the signal words of executors and verifiers", async () => {
    const project = sourceProject({ plan: tasks("1.1 [VERIFY] Look"), script: "made" });
    expect((await runActive(project, "--max-task-iterations", "1")).exitCode).toBe(1);
    expect(boxes(project)).toEqual(["- [ ] 1.1"]);
  });

  it("asks a verifier that used an executor's word again, naming the verifier's word, without a fix task", async () => {
    const script = `echo "$prompt" | grep -q 'said TASK_COMPLETE' && echo VERIFICATION_PASS || made`;
    const project = sourceProject({ plan: tasks("1.1 [VERIFY] Look"), script });
    const { exitCode, out } = await runActive(project, "--recovery-mode");
    expect({ exitCode, asked: delegations(project) }).toEqual({ exitCode: 0, asked: ["1.1#1", "1.1#2"] });
    expect(out).toContain(
      "rejected 1.1 by signal: said TASK_COMPLETE; the verifier of a [VERIFY] task says VERIFICATION_PASS",
    );
  });

  it("stops after four attempts by default, with the error and both suggestions of the source", async () => {
    const progress = "# Progress: recovery\n\n## Learnings\n- Luck is rare\n";
    const project = sourceProject({ plan: two, script: "broke 'no luck'", progress });
    const { exitCode, out, err } = await runActive(project);
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: [
        "ERROR: Max retries reached for task 1.1 after 4 attempts",
        "Last error: no luck",
        "Review .progress.md Learnings section for failure details",
        "Fix task 1.1 yourself, tick it in tasks.md, then continue: fixpoint run recovery",
        "Or raise the limit: fixpoint run recovery --max-task-iterations 5",
        "See why the run stopped: fixpoint why 1.1 recovery",
        "",
      ].join("\n"),
    });
    expect(out).not.toContain("ALL_TASKS_COMPLETE");
    expect(delegations(project)).toEqual([1, 2, 3, 4].map((attempt) => `1.1#${attempt}`));
  });
});

describe.concurrent("the source's recovery mode", () => {
  it("is off by default: no fix task is written", async () => {
    const project = sourceProject({ plan: two, script: "broke it" });
    expect((await runActive(project, "--max-task-iterations", "2")).exitCode).toBe(1);
    expect(read(project.tasks)).toBe(two);
    expect(JSON.parse(read(project.state))).toMatchObject({ recoveryMode: false, fixTaskMap: {} });
  });

  it("is on if the state file says so", async () => {
    const script = "[ $FIXPOINT_KEY = '1.1#1' ] && broke it || made";
    const project = sourceProject({ plan: two, script, state: { phase: "execution", recoveryMode: true } });
    expect((await runActive(project)).exitCode).toBe(0);
    expect(delegations(project)).toEqual(["1.1#1", "1.1.1#1", "1.1#2", "1.2#1"]);
  });

  it("stays on for later starts", async () => {
    const project = sourceProject({ plan: two, script: "broke it" });
    expect((await runActive(project, "--recovery-mode", "--max-fix-tasks", "0")).exitCode).toBe(1);
    expect(JSON.parse(read(project.state))).toMatchObject({ recoveryMode: true, maxFixTasksPerOriginal: 0 });
    writeExecutor(project.workspace, "case $FIXPOINT_KEY in 1.1\\#[12]) broke it;; *) made;; esac");
    expect((await runActive(project, "--max-fix-tasks", "1")).exitCode).toBe(0);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] 1.1.1", "- [x] 1.2"]);
  });

  it("stops at the fix limit that the state file has spent, without another fix task", async () => {
    const state = {
      phase: "execution",
      recoveryMode: true,
      maxFixTasksPerOriginal: 3,
      fixTaskMap: { "1.1": { attempts: 3, fixTaskIds: ["1.1.1", "1.1.2", "1.1.3"], lastError: "it" } },
    };
    const project = sourceProject({ plan: two, script: "broke it", state });
    const { exitCode, err } = await runActive(project);
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: expect.stringMatching(
        /^ERROR: Max fix attempts \(3\) reached for task 1\.1\nFix attempts: 1\.1\.1, 1\.1\.2, 1\.1\.3\n/,
      ),
    });
    expect(read(project.tasks)).toBe(two);
  });

  it("writes a fix task without a call of an executor, and counts it in the summary", async () => {
    const project = sourceProject({ plan: two, script: "[ $FIXPOINT_KEY = '1.1#1' ] && broke it || made" });
    const { out } = await runActive(project, "--recovery-mode", "--reporter", "json");
    const events = eventsIn(out);
    const between = events.slice(events.findIndex(({ type }) => type === "task.failed"));
    const made = between.findIndex(({ type }) => type === "fix.inserted");
    expect(between.slice(0, made).map(({ type }) => type)).not.toContain("task.delegated");
    expect(events.at(-1)).toMatchObject({ type: "run.ended", outcome: "complete", original: 2, fixes: 1, attempts: 4 });
  });
});

describe.concurrent("the source's §7", () => {
  it("rejects a claim with each of its contradictions, without a fix task", async () => {
    const admissions = [
      "The last step requires manual work.",
      "The release cannot be automated.",
      "I could not complete the import.",
      "The layout needs human eyes.",
      "Step 3 is left for manual intervention.",
    ];
    const ids = admissions.map((_, index) => `1.${index + 1}`);
    const cases = admissions.map((said, index) => `'${ids[index]}#1') ${say(said, "TASK_COMPLETE")};;`);
    const script = `case $FIXPOINT_KEY in\n${cases.join("\n")}\n*) made;;\nesac`;
    const project = sourceProject({ plan: tasks(...ids.map((id) => `${id} Task`)), script });
    const { exitCode, out } = await runActive(project, "--recovery-mode");
    expect(exitCode).toBe(0);
    expect(out.match(/^rejected .*/gm)).toEqual(
      admissions.map((said, index) => `rejected ${ids[index]} by contradiction: you said TASK_COMPLETE and: "${said}"`),
    );
    expect(delegations(project)).toEqual(ids.flatMap((id) => [`${id}#1`, `${id}#2`]));
  });

  it("does not accept silence as completion", async () => {
    const project = sourceProject({ plan: tasks("1.1 First"), script: "echo All is done; exit 0" });
    expect((await runActive(project, "--max-task-iterations", "1")).exitCode).toBe(1);
    expect(boxes(project)).toEqual(["- [ ] 1.1"]);
  });

  it("runs the task's own Verify in addition to the source's layers", async () => {
    const plan = "- [ ] 1.1 First\n  - **Verify**: `test -e one`\n";
    const project = sourceProject({ plan, script: "[ $FIXPOINT_KEY = '1.1#1' ] || touch one; made" });
    const { exitCode, out } = await runActive(project);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining("\nfailed 1.1: Verify failed (exit 1)\n"),
    });
  });
});

describe.concurrent("the source's §8 and §9", () => {
  it("counts the iterations of a task in the state, and begins at 1 with the next", async () => {
    const script = `${keepState}; case $FIXPOINT_KEY in 1.1\\#[12]) broke it;; *) made;; esac`;
    const project = sourceProject({ plan: two, script });
    expect((await runActive(project)).exitCode).toBe(0);
    const shown = ["1.1#1", "1.1#2", "1.1#3", "1.2#1"].map((key) => {
      const { taskIndex, taskIteration } = stateAt(project, key);
      return { taskIndex, taskIteration };
    });
    expect(shown.map(({ taskIndex }) => taskIndex)).toEqual([0, 0, 0, 1]);
    expect(shown.map(({ taskIteration }) => taskIteration)).toEqual([1, 2, 3, 1]);
  });

  const batch = tasks("1.1 [P] A", "1.2 [P] B", "1.3 [P] C", "1.4 D");
  const learns = `printf '## Learnings\\n- learned at %s\\n' "$id" > "$FIXPOINT_PROGRESS_FILE"`;

  it("advances past a whole batch, and merges its logs in the order of the plan", async () => {
    const script = `${keepState}; ls -A "$FIXPOINT_SPEC" > "seen-$id.log"; [ $id = 1.4 ] || ${learns}; [ $id != 1.1 ] || sleep 0.5; made`;
    const project = sourceProject({ plan: batch, script, progress: "# Progress\n\n## Learnings\n- before\n" });
    expect(await runActive(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(stateAt(project, "1.4#1")["taskIndex"]).toBe(3);
    expect(read(`${project.workspace}/seen-1.4.log`)).not.toContain(".progress-task-");
    expect(read(project.progress)).toBe(
      [
        "# Progress\n\n## Completed Tasks\n- [x] 1.1 A\n- [x] 1.2 B\n- [x] 1.3 C\n- [x] 1.4 D\n",
        "\n## Learnings\n- before\n- learned at 1.1\n- learned at 1.2\n- learned at 1.3\n",
      ].join(""),
    );
  });

  it("retries only what failed in a batch, and continues after it when all have passed", async () => {
    const script = `${keepState}; case $FIXPOINT_KEY in 1.2\\#[12]) broke it;; *) ${learns}; made;; esac`;
    const project = sourceProject({ plan: batch, script });
    expect((await runActive(project)).exitCode).toBe(0);
    const made = delegations(project);
    expect([...made].sort()).toEqual(["1.1#1", "1.2#1", "1.2#2", "1.2#3", "1.3#1", "1.4#1"]);
    expect(made.at(-1)).toBe("1.4#1");
    expect(stateAt(project, "1.2#3")["taskIndex"]).toBe(1);
  });

  it("stops at the member without attempts left, keeps the work of the others, and does not repeat it", async () => {
    const project = sourceProject({ plan: batch, script: `[ $id = 1.2 ] && broke it || { ${learns}; made; }` });
    const { exitCode, err } = await runActive(project, "--max-task-iterations", "2");
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: expect.stringMatching(/^ERROR: Max retries reached for task 1\.2 after 2 attempts\n/),
    });
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [ ] 1.2", "- [x] 1.3", "- [ ] 1.4"]);
    const progress = read(project.progress);
    expect(progress).toContain("- [x] 1.1 A\n- [x] 1.3 C\n");
    expect(progress).toContain("- learned at 1.1\n- learned at 1.3\n");
    expect(progress).not.toContain("learned at 1.2");
    expect(existsSync(project.state)).toBe(true);
    writeExecutor(project.workspace, "made");
    expect((await runActive(project, "--max-task-iterations", "3")).exitCode).toBe(0);
    expect(delegations(project).slice(4)).toEqual(["1.2#3", "1.4#1"]);
  });
});

describe.concurrent("the source's §10", () => {
  it("gives no signal while a box is open, whatever the state file says", async () => {
    const project = sourceProject({ plan: two, script: "broke it" });
    writeFileSync(project.state, JSON.stringify({ phase: "execution", taskIndex: 2, totalTasks: 2 }));
    const { exitCode, out } = await runActive(project, "--max-task-iterations", "1");
    expect(exitCode).toBe(1);
    expect(out).not.toContain("ALL_TASKS_COMPLETE");
  });
});
