import { describe, expect, it } from "vitest";
import { again, run, type Story, tell } from "./story.ts";

const claims = "echo TASK_COMPLETE";
const fails = "printf 'Task 1: x FAILED\\n- Error: not yet\\n'";

async function told(name: string, story: Pick<Story, "plan" | "does"> & Partial<Story>) {
  const { transcript, printed } = await tell({ name: `written, ${name}`, steps: [run()], ...story });
  const delegated = /^delegated (.*)$/m.exec(transcript)?.[1]?.split(", ") ?? [];
  return { transcript, delegated, all: `${printed}\n${transcript}` };
}

describe.concurrent("a plan that may be misread", () => {
  const plan = "-[ ] 1.0 Missed\n\n- [ ] 1.1 One\n- [ ] 1.3 Three\n- [ ] 1.4 Maybe (optional)\n";
  const does = { "1.1": claims, "1.3#1": fails, "1.3": claims, "1.4": claims };
  const once = "--max-task-iterations 1";
  const notice =
    "notice: Read as a checklist: no other dialect fits; 2 tasks to be delegated: 1.1 One, 1.3 Three. Parts of the plan may be misread: fixpoint lint spec\n";
  const countOf = (all: string, text: string): number => all.split(text).length - 1;

  it("is described when a run begins, but not when it resumes", async () => {
    const { all, delegated } = await told("misread", {
      plan,
      does,
      steps: [run(once), again("--max-task-iterations 2")],
    });
    expect(delegated).toEqual(["1.1#1", "1.3#1"]);
    expect(all).toContain("delegated 1.3#2\n");
    expect([countOf(all, "Read as"), countOf(all, notice)]).toEqual([1, 1]);
    expect(all).toMatch(/^Starting from task 1\.1\n\nnotice: Read as .*\n(?:notice: .*\n)*delegated 1\.1 /m);
  });

  it("is described again when a new run begins, with the tasks that it would also delegate", async () => {
    const steps = [run(once), again("--new-run --optional --yes")];
    const { all } = await told("misread, new run", { plan, does, steps });
    expect(countOf(all, notice)).toBe(1);
    expect(all).toContain("dialect fits; 2 tasks to be delegated: 1.3 Three, 1.4 Maybe (optional). Parts of");
  });

  it("is not described if the settings turn the lint rule off", async () => {
    const files = { "fixpoint.config.json": '{"lint": {"near-miss-task": "off"}}' };
    const { all } = await told("misread, off", { plan, does, files });
    expect(all).toContain("1.3#1");
    expect(all).not.toContain("Read as");
  });

  it("is not described if only a done task may be misread", async () => {
    const sound = "- [x] 1.1 One\n  ```\n  - [ ] 1.2 Shown\n- [ ] 1.3 Three\n  - **Verify**: `true; true`\n";
    expect((await told("misread, sound", { plan: sound, does })).all).not.toContain("Read as");
  });

  it("names a few of many tasks", async () => {
    const many = `${plan}${Array.from({ length: 6 }, (_, at) => `- [ ] 2.${at + 1} More\n`).join("")}`;
    const { all } = await told("misread, many", { plan: many, does, steps: [run(`${once} --reporter json`)] });
    const lines = all.split("\n").filter((line) => line.includes('"notice"') && line.includes("Read as"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(
      "8 tasks to be delegated: 1.1 One, 1.3 Three, 2.1 More, 2.2 More, 2.3 More, and 3 more. Parts",
    );
  });
});

describe.concurrent("a plan in the form of its tool", () => {
  it("loses the executor's tick of a step if the task of its heading fails, and keeps the author's ticks", async () => {
    const plan = "### Task 1: A\n\n- [x] **Step 1: a**\n- [ ] **Step 2: b**\n- [ ] **Step 3: c**\n";
    const { transcript } = await told("steps", {
      plan,
      does: { "1": `sed -i 's/- \\[ \\] \\*\\*Step 2/- [x] **Step 2/' spec/tasks.md; ${fails}` },
    });
    expect(transcript).toContain("- [x] **Step 1");
    expect(transcript).toContain("- [ ] **Step 2");
    expect(transcript).not.toContain("- [x] **Step 2");
  });

  it("loses the executor's ticks of all steps, and keeps the author's ticks", async () => {
    const plan = "### Task 1: A\n\n- [x] **Step 1: a**\n- [ ] **Step 2: b**\n";
    const does = { "1": `sed -i 's/- \\[ \\] /- [x] /' spec/tasks.md; ${fails}` };
    const { transcript } = await told("all steps", { plan, does });
    expect(transcript).toContain("- [x] **Step 1");
    expect(transcript).toContain("- [ ] **Step 2");
  });

  it("runs the tasks of a group before dependents of the group", async () => {
    const plan = "- [ ] 1. First (depends on 2)\n  - [ ] 1.1 A\n- [ ] 2. Second\n  - [ ] 2.1 B\n  - [ ] 2.2 C\n";
    const does = { "1.1": claims, "2.1": claims, "2.2": claims };
    expect((await told("groups", { plan, does })).delegated).toEqual(["2.1#1", "2.2#1", "1.1#1"]);
  });

  it("refuses a command outside of its task", async () => {
    const plan =
      "- [ ] 1.1 Create PR\n  - **Do**: `gh pr create --body \"$(cat <<'EOF'\n## Test Plan\n- [ ] CI passes\nEOF\n)\"`\n";
    const { all, delegated } = await told("open command", { plan, does: {} });
    expect(delegated).toEqual([]);
    expect(all).toContain("open-command");
  });
});
