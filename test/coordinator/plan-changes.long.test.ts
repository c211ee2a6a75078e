import { describe, expect, it } from "vitest";
import { proposed } from "../support/project.ts";
import { boxes, delegations, read } from "../support/traces.ts";
import { runActive, runUnasked, say, sourceProject } from "./fixtures/source-project.ts";

const request = (type: string, originalTaskId: string, proposedTasks: readonly string[], ...more: string[]): string =>
  say(
    "TASK_MODIFICATION_REQUEST",
    "```json",
    JSON.stringify({ type, originalTaskId, reasoning: "it has to be", proposedTasks }, null, 2),
    "```",
    ...more,
  );

const plan = "- [ ] 1.1 First\n- [ ] 1.2 Second\n";

const asksAt = (requests: Record<string, string>): string =>
  `case $FIXPOINT_KEY in\n${Object.entries(requests)
    .map(([key, text]) => `${key})\n${text};;\n`)
    .join("")}*) made;;\nesac`;

describe.concurrent("a TASK_MODIFICATION_REQUEST", () => {
  it("SPLIT_TASK ticks the task and has its parts done after it", async () => {
    const parts = request("SPLIT_TASK", "1.1", [proposed("1.3"), proposed("1.4")]);
    const project = sourceProject({ plan, script: asksAt({ "1.1#1": parts }) });
    expect(await runActive(project)).toMatchObject({
      exitCode: 0,
      err: "",
      out: expect.stringContaining("\nsplit 1.1 into 1.3, 1.4\n"),
    });
    expect(delegations(project)).toEqual(["1.1#1", "1.3#1", "1.4#1", "1.2#1"]);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] 1.3", "- [x] 1.4", "- [x] 1.2"]);
    expect(read(project.tasks)).toContain(proposed("1.3").replace("[ ]", "[x]"));
  });

  it("ADD_PREREQUISITE has the added task done first, then the task again", async () => {
    const first = request("ADD_PREREQUISITE", "1.2", [proposed("1.3")]);
    const project = sourceProject({ plan, script: asksAt({ "1.2#1": first }) });
    expect(await runActive(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.3#1", "1.2#2"]);
    expect(boxes(project)).toEqual(["- [x] 1.1", "- [x] 1.3", "- [x] 1.2"]);
  });

  it("ADD_FOLLOWUP of a done task has the added task done next", async () => {
    const more = request("ADD_FOLLOWUP", "1.1", [proposed("1.3")], "TASK_COMPLETE");
    const project = sourceProject({ plan, script: asksAt({ "1.1#1": more }) });
    expect(await runActive(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.3#1", "1.2#1"]);
  });

  it.each([
    [
      "no JSON",
      say("TASK_MODIFICATION_REQUEST", "{ type: SPLIT", "TASK_COMPLETE"),
      "the JSON of the request cannot be parsed",
    ],
    ["an unknown type", request("DROP_TASK", "1.1", [proposed("1.3")], "TASK_COMPLETE"), "is invalid: type"],
    [
      "a task with a field missing",
      request("ADD_FOLLOWUP", "1.1", ["- [ ] 1.3 Short\n  - **Do**: it"], "TASK_COMPLETE"),
      "task 1.3 has no Files",
    ],
    [
      "a used id",
      request("ADD_FOLLOWUP", "1.1", [proposed("1.2")], "TASK_COMPLETE"),
      "the plan has a task 1.2 already",
    ],
    ["another task", request("ADD_FOLLOWUP", "1.2", [proposed("1.3")], "TASK_COMPLETE"), 'originalTaskId is "1.2"'],
  ])("with %s is refused, and the run continues", async (_what, text, reason) => {
    const project = sourceProject({ plan, script: asksAt({ "1.1#1": text }) });
    const { exitCode, out } = await runActive(project);
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringContaining(reason) });
    expect(out).toContain("\nrefused the plan change that 1.1 requested: ");
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
    expect(read(project.tasks)).toBe(plan.replaceAll("[ ]", "[x]"));
  });

  it("is refused from the fourth request of a task on", async () => {
    const first = (n: number): string => request("ADD_PREREQUISITE", "1.1", [proposed(`0.${n}`)]);
    const asked = Object.fromEntries([1, 2, 3, 4].map((n) => [`1.1#${n}`, first(n)]));
    const project = sourceProject({ plan, script: asksAt(asked) });
    const { exitCode, out } = await runActive(project);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining("Max modifications (3) reached for task 1.1"),
    });
    expect(delegations(project)).toEqual([
      "1.1#1",
      "0.1#1",
      "1.1#2",
      "0.2#1",
      "1.1#3",
      "0.3#1",
      "1.1#4",
      "1.1#5",
      "1.2#1",
    ]);
    expect(boxes(project)).not.toContain("- [x] 0.4");
  });

  it("is refused in the third generation", async () => {
    const follow = (id: string, next: string): string => request("ADD_FOLLOWUP", id, [proposed(next)], "TASK_COMPLETE");
    const script = asksAt({
      "1.1#1": follow("1.1", "2.1"),
      "2.1#1": follow("2.1", "2.2"),
      "2.2#1": follow("2.2", "2.3"),
    });
    const project = sourceProject({ plan, script });
    const { exitCode, out } = await runActive(project);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining("Max modification depth (2) reached for task 2.2"),
    });
    expect(delegations(project)).toEqual(["1.1#1", "2.1#1", "2.2#1", "1.2#1"]);
  });

  it("with a Verify without consent stops the run, and consent grants that exact request", async () => {
    const first = request("ADD_PREREQUISITE", "1.1", [proposed("1.3", "test -e three")]);
    const project = sourceProject({ plan, script: `touch three; ${asksAt({ "1.1#1": first })}` });
    const asked = await runUnasked(project);
    expect(asked).toMatchObject({ exitCode: 3, err: expect.stringContaining("  test -e three\n") });
    expect(asked.out).not.toContain("ALL_TASKS_COMPLETE");
    expect(read(project.tasks)).toBe(plan);
    expect((await runUnasked(project, "--yes")).exitCode).toBe(3);
    expect((await runUnasked(project, "--accept", "0123456789abcdef")).exitCode).toBe(3);
    const [, hash = ""] = /--accept (\w+)/.exec(asked.err) ?? [];
    expect(await runUnasked(project, "--accept", hash)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.3#1", "1.1#2", "1.2#1"]);
  });

  it("with the Verify of a task of the plan needs no consent", async () => {
    const agreed = `${plan}- [x] 0.9 Before\n  - **Verify**: \`test -e three\`\n`;
    const first = request("ADD_PREREQUISITE", "1.1", [proposed("1.3", "test -e three")]);
    const project = sourceProject({
      plan: agreed,
      script: `[ $FIXPOINT_KEY = 1.2#1 ] && echo no && exit; touch three; ${asksAt({ "1.1#1": first })}`,
    });
    await runActive(project, "--max-task-iterations", "1");
    expect(delegations(project)).toEqual(["1.1#1", "1.3#1", "1.1#2", "1.2#1"]);
  });

  it("from a member of a batch has the others done one after the other", async () => {
    const batch = ["1.1", "1.2", "1.3"].map((id) => `- [ ] ${id} [P] Task ${id}\n  - **Files**: ${id}.txt\n`).join("");
    const first = request("ADD_PREREQUISITE", "1.1", [proposed("0.1")]);
    const script = `case $FIXPOINT_KEY in 1.[23]\\#1) broke it; exit;; esac\n${asksAt({ "1.1#1": first })}`;
    const project = sourceProject({ plan: batch, script });
    const { exitCode, out } = await runActive(project);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining("began 1.1, 1.2, 1.3 side by side"),
    });
    expect(out.match(/side by side/g)).toHaveLength(1);
    expect(delegations(project).slice(-4)).toContain("1.1#2");
  });
});
