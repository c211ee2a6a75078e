import { describe, expect, it } from "vitest";
import { run, type Story, tell } from "./story.ts";

// What plans say in the manner of their tools, through the command line.

const claims = "echo TASK_COMPLETE";
const fails = "printf 'Task 1: x FAILED\\n- Error: not yet\\n'";

async function told(name: string, story: Pick<Story, "plan" | "does"> & Partial<Story>) {
  const { transcript, printed } = await tell({ name: `written, ${name}`, steps: [run()], ...story });
  const delegated = /^delegated (.*)$/m.exec(transcript)?.[1]?.split(", ") ?? [];
  return { transcript, delegated, all: `${printed}\n${transcript}` };
}

describe.concurrent("a plan as its tool writes it", () => {
  it("takes a tick of a step back when its heading's task has failed, and leaves the author's", async () => {
    const plan = "### Task 1: A\n\n- [x] **Step 1: a**\n- [ ] **Step 2: b**\n- [ ] **Step 3: c**\n";
    const { transcript } = await told("steps", {
      plan,
      does: { "1": `sed -i 's/- \\[ \\] \\*\\*Step 2/- [x] **Step 2/' spec/tasks.md; ${fails}` },
    });
    expect(transcript).toContain("- [x] **Step 1");
    expect(transcript).toContain("- [ ] **Step 2");
    expect(transcript).not.toContain("- [x] **Step 2");
  });

  it("takes the ticks of all steps back, and leaves the author's", async () => {
    const plan = "### Task 1: A\n\n- [x] **Step 1: a**\n- [ ] **Step 2: b**\n";
    const does = { "1": `sed -i 's/- \\[ \\] /- [x] /' spec/tasks.md; ${fails}` };
    const { transcript } = await told("all steps", { plan, does });
    expect(transcript).toContain("- [x] **Step 1");
    expect(transcript).toContain("- [ ] **Step 2");
  });

  it("does the tasks of a group before what depends on it", async () => {
    const plan = "- [ ] 1. First (depends on 2)\n  - [ ] 1.1 A\n- [ ] 2. Second\n  - [ ] 2.1 B\n  - [ ] 2.2 C\n";
    const does = { "1.1": claims, "2.1": claims, "2.2": claims };
    expect((await told("groups", { plan, does })).delegated).toEqual(["2.1#1", "2.2#1", "1.1#1"]);
  });

  it("refuses a command that has left its task", async () => {
    const plan =
      "- [ ] 1.1 Create PR\n  - **Do**: `gh pr create --body \"$(cat <<'EOF'\n## Test Plan\n- [ ] CI passes\nEOF\n)\"`\n";
    const { all, delegated } = await told("open command", { plan, does: {} });
    expect(delegated).toEqual([]);
    expect(all).toContain("open-command");
  });
});
