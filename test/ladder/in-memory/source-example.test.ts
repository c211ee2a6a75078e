import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readFailureRecovery, writeFailureRecovery } from "../../../src/adapters/settings/failure-recovery.ts";
import { failedReply, type ScriptedAnswer, scriptedExecutor } from "../../../src/testing/scripted-ports.ts";
import { continueRun, newRun } from "../../support/memory-run.ts";
import { escalation, escalationIn, eventsOf, formPlan, says, toCheckpoint } from "../fixtures/form-spec.ts";

async function play(said: readonly ScriptedAnswer[], policy: object = {}) {
  const made = newRun(formPlan);
  const states: Record<string, unknown>[] = [];
  const keep = (): void => {
    const { failure_recovery: tracked } = parse(writeFailureRecovery("", escalationIn(made, "2.1")));
    states.push(tracked);
  };
  const script = said.map((answer): ScriptedAnswer => {
    return (delegation) => {
      keep();
      return typeof answer === "function" ? answer(delegation) : answer;
    };
  });
  const executor = scriptedExecutor({ "2.1": script });
  const ended = await continueRun(made, executor, { policy: { ...escalation, ...policy } });
  keep();
  const prompts = executor.delegations.map(({ prompt }) => prompt);
  const report = made.store.reports.get("stuck-report.md") ?? "";
  return { made, ended, states, prompts, delegations: executor.delegations, report };
}

/** Takes the last activation line, because a prompt may quote earlier lines. */
const activations = (prompts: readonly string[]): string[] =>
  prompts.map((prompt) => prompt.match(/^(?:PIVOT|RESEARCH MODE) ACTIVATED \(.*$/gm)?.at(-1) ?? "none");
const levels = (made: Parameters<typeof eventsOf>[0]): string[] =>
  eventsOf(made, "level.changed").map(({ level, attempt, max }) => `${level} ${attempt}/${max}`);

describe("the source's example of being stuck", () => {
  it("is activated level by level, in the words of the source", async () => {
    const { made, prompts } = await play(toCheckpoint);
    const research = [1, 2, 3].map((attempt) => `RESEARCH MODE ACTIVATED (Attempt ${attempt}/3)`);
    const pivots = [1, 2, 3].map((attempt) => `PIVOT ACTIVATED (Attempt ${attempt}/3)`);
    expect(activations(prompts)).toEqual(["none", ...pivots, ...research]);
    const reached = ["pivot 1/3", "pivot 2/3", "pivot 3/3", "research 1/3", "research 2/3", "research 3/3"];
    expect(levels(made)).toEqual([...reached, "checkpoint 0/0"]);
    expect(eventsOf(made, "task.decided")[0]).toMatchObject({ decision: "pivot", stuck: "admission", level: "normal" });
  });

  it("shows a pivot the failures in the form of the source, and asks for 2-3 alternatives of which one is tried", async () => {
    const [, first = "", second = ""] = (await play(toCheckpoint)).prompts;
    expect(first).toContain('❌ Failed Approach: Using useState for form\n   Error: "Too many re-renders"\n```\n');
    expect(first).toContain("Try none of these again, not even with minor tweaks.");
    expect(first).toContain(
      "3. List 2-3 alternatives that are fundamentally different\n4. Choose the most promising one",
    );
    expect(second).toContain(
      '❌ Failed Approach: Using useState for form\n   Error: "Too many re-renders"\n❌ Failed Approach: useReducer\n   Error: "Same re-render issue"\n',
    );
  });

  it("shows a research all failures, as the source lists them, and has at least 3 files read", async () => {
    const { prompts } = await play(toCheckpoint);
    expect(prompts[4]).toContain(`Failed so far:
\`\`\`text
❌ Failed Approach: Using useState for form
   Error: "Too many re-renders"
\`\`\`

Previous pivots failed:
\`\`\`text
1. useReducer → Same re-render issue
2. Debounce → Delayed user feedback, rejected
3. Refs → Lost validation state
\`\`\``);
    expect(prompts[4]).toContain("\n2. Read at least 3 related files, and understand why they do what they do\n");
    expect(prompts[4]).not.toContain("Found so far");
  });

  it("reads findings back, shows each once in every later prompt, and asks not to look for them again", async () => {
    const { prompts } = await play(toCheckpoint);
    const known = `Found so far, do not research these again:
\`\`\`text
- src/components/UserForm.tsx uses react-hook-form
- react-hook-form already installed
- Zod schema validation in src/lib/validations/
`;
    expect(prompts[5]).toContain(`${known}\`\`\``);
    expect(prompts[5]).toContain(
      '❌ Failed Approach: Use react-hook-form with Zod (matches existing patterns)\n   Error: "UserForm pattern',
    );
    expect(prompts[6]).toContain(`${known}- The password fields are validated one by one\n\`\`\``);
    expect(prompts[6]).toContain(
      '❌ Failed Approach: Validate across fields with a Zod refinement\n   Error: "should validate password',
    );
  });

  it("is tracked in failure_recovery as the source does it", async () => {
    const { states } = await play(toCheckpoint);
    const counts = states.map((state) => `${state["pivot_count"]}+${state["research_count"]}`);
    expect(counts).toEqual(["0+0", "1+0", "2+0", "3+0", "3+1", "3+2", "3+3", "3+3"]);
    expect(states[1]).toMatchObject({ pivot_count: 1, last_error: "Too many re-renders", consecutive_same_error: 1 });
    expect(states[2]).toMatchObject({ current_strategy: "useReducer", last_error: "Same re-render issue" });
    expect(states[5]).toMatchObject({
      pivot_count: 3,
      research_findings: [
        "src/components/UserForm.tsx uses react-hook-form",
        "react-hook-form already installed",
        "Zod schema validation in src/lib/validations/",
      ],
      current_strategy: "Use react-hook-form with Zod (matches existing patterns)",
    });
    expect(states.at(-1)).toMatchObject({
      last_error: "async validation not completing",
      iterations_without_change: 0,
    });
    expect(new Set(states.map((state) => state["last_error_hash"])).size).toBe(8);
  });

  it("is restored from failure_recovery with the same counts, level and findings", async () => {
    const { made } = await play(toCheckpoint);
    const before = escalationIn(made, "2.1");
    const { escalation: after } = readFailureRecovery(writeFailureRecovery("", before));
    const { pivots, researches, findings, lastError, lastFingerprint } = before;
    expect(after).toMatchObject({ pivots, researches, findings, lastError, lastFingerprint, level: "research" });
  });

  it("ends with the STUCK message, the real numbers in it, and exit code 3", async () => {
    const { made, ended, delegations } = await play(toCheckpoint);
    expect(delegations.map(({ key }) => key)).toEqual([1, 2, 3, 4, 5, 6, 7].map((attempt) => `2.1#${attempt}`));
    expect(ended).toMatchObject({ outcome: "checkpoint", exitCode: 3, attempts: 7 });
    expect(ended?.error).toBe(`CHECKPOINT - STUCK

After 7 failed attempts on task 2.1, fixpoint cannot proceed on its own.

Attempts Summary:
- 3 pivot attempts (different approaches)
- 3 research attempts (deeper investigation)
- 1 attempt before these

Stuck Report saved to: stuck-report.md

What's Needed:
- What should be done about this report of the executor: Blocked, needs manual intervention

To resume: fixpoint resume sample --guidance "…"
To skip the task: fixpoint resume sample --decision skip
To end the run: fixpoint resume sample --decision stop`);
    expect(eventsOf(made, "person.asked")).toEqual([
      { type: "person.asked", task: "2.1", about: "checkpoint", question: null },
    ]);
    expect(made.store.tasks.text).toBe(formPlan);
  });

  it("leaves a report with every section of the source's, filled from the records", async () => {
    const { report } = await play(toCheckpoint);
    expect(report).toBe(`# Fixpoint - Stuck Report

**Generated:** 1970-01-01T00:00:00.000Z

**Task:** "Implement form validation for user registration" (2.1)

**Phase:** Phase 2: Forms (1/3 tasks done)

## Summary

Fixpoint could not get task 2.1 done on its own: 7 failed attempts, including 3 pivots and 3 research attempts.

## What Was Attempted

### Original Approach

1. **Using useState for form** - Too many re-renders

### Pivot Attempts

1. **useReducer** - Same re-render issue
2. **Debounce** - Delayed user feedback, rejected
3. **Refs** - Lost validation state

### Research Findings

1. src/components/UserForm.tsx uses react-hook-form
2. react-hook-form already installed
3. Zod schema validation in src/lib/validations/
4. The password fields are validated one by one
5. No async rule is used anywhere

Approaches after research:

1. Use react-hook-form with Zod (matches existing patterns) - UserForm pattern doesn't match new requirements
2. **Validate across fields with a Zod refinement** - should validate password confirmation
3. **Check the email on the server** - async validation not completing

### Why It's Stuck

The remedies of the task are used up.

- Last error (1 time in a row): async validation not completing
- Reported status: Blocked, needs manual intervention

## Current State

Files modified: unknown.

Tests status: the task's Verify was not run.

## What Human Needs to Decide

1. What should be done about this report of the executor: Blocked, needs manual intervention

## How to Resume

- Option 1: Give guidance: \`fixpoint resume sample --guidance "…"\`
- Option 2: Continue without guidance: \`fixpoint resume sample\`
- Option 3: Fix the task yourself, tick it in tasks.md, then continue: \`fixpoint run sample\`
- Option 4: Skip the task: \`fixpoint resume sample --decision skip\`
- Option 5: End the run: \`fixpoint resume sample --decision stop\`

## Full Error Log

\`\`\`text
Found: No async rule is used anywhere

New Approach: Check the email on the server

Task 2.1: [task name] FAILED
- Error: async validation not completing
- Attempted fix: Checked alternate paths
- Status: Blocked, needs manual intervention
\`\`\`

## Context Files

- Plan: /work/specs/sample/tasks.md
- Progress: /work/specs/sample/.progress.md
- State: /work/specs/sample/.ralph-state.json
`);
  });
});

describe("a success while stuck", () => {
  it.each([
    ["pivot 2", [says.useState, says.useReducer], ["pivot 1/3", "pivot 2/3"]],
    [
      "research 1",
      [says.useState, says.useReducer, says.debounce, says.refs],
      ["pivot 1/3", "pivot 2/3", "pivot 3/3", "research 1/3"],
    ],
  ] as const)("at %s returns to normal, and the next task begins at normal", async (_where, said, climbed) => {
    const { made, ended, prompts } = await play(said);
    expect(ended).toMatchObject({ outcome: "complete", exitCode: 0 });
    expect(levels(made)).toEqual(climbed);
    expect(activations(prompts).at(-1)).toBe("none");
    expect(prompts.at(-1)).toContain("Task id: 2.2");
    expect(prompts.at(-1)).not.toContain("useReducer");
    expect(escalationIn(made, "2.1")).toMatchObject({ level: "normal", lastError: null, sameErrors: 0, unchanged: 0 });
    expect(made.store.reports.size).toBe(0);
  });

  it("leaves the next task its whole ladder", async () => {
    const made = newRun(formPlan);
    const stuck = (task: string): string => `I don't know how to go on.\n\n${failedReply(task, `of ${task}`, task)}`;
    const executor = scriptedExecutor({
      "2.1": [stuck("2.1"), says.debounce, says.refs],
      "2.2": [stuck("2.2")],
    });
    expect(await continueRun(made, executor, { policy: escalation })).toMatchObject({ outcome: "complete" });
    expect(eventsOf(made, "level.changed").map(({ task, attempt }) => `${task}: ${attempt}`)).toEqual([
      "2.1: 1",
      "2.1: 2",
      "2.1: 3",
      "2.2: 1",
    ]);
  });
});

describe("the source's configuration", () => {
  it("limits the levels by max_pivot_attempts and max_research_attempts", async () => {
    const yaml = "failure_recovery:\n  max_pivot_attempts: 1\n  max_research_attempts: 2\n  max_total_attempts: 10\n";
    const { limits } = readFailureRecovery(yaml);
    const { prompts, ended } = await play(toCheckpoint, limits);
    expect(activations(prompts)).toEqual([
      "none",
      "PIVOT ACTIVATED (Attempt 1/1)",
      "RESEARCH MODE ACTIVATED (Attempt 1/2)",
      "RESEARCH MODE ACTIVATED (Attempt 2/2)",
    ]);
    expect(ended?.error).toContain(
      "After 4 failed attempts on task 2.1, fixpoint cannot proceed on its own.\n\nAttempts Summary:\n- 1 pivot attempt (different approaches)\n- 2 research attempts (deeper investigation)\n- 1 attempt before these\n",
    );
  });

  it("leaves the levels all of max_total_attempts, 10, however many attempts failed before them", async () => {
    const many = Array.from({ length: 14 }, (_, index) =>
      failedReply("2.1", `error ${"abcdefghijklmn"[index]}`, `way ${index}`),
    );
    const { limits } = readFailureRecovery("failure_recovery:\n  max_total_attempts: 10\n");
    const { made, ended, delegations } = await play(many, { ...limits, maxTaskIterations: 8 });
    expect(delegations).toHaveLength(8 + 3 + 3);
    expect(ended?.error).toContain(
      "After 14 failed attempts on task 2.1, fixpoint cannot proceed on its own.\n\nAttempts Summary:\n- 3 pivot attempts (different approaches)\n- 3 research attempts (deeper investigation)\n- 8 attempts before these\n",
    );
    expect(levels(made).at(-1)).toBe("checkpoint 0/0");
  });

  it("ends at a lower max_total_attempts of the YAML before any level is used up", async () => {
    const { limits } = readFailureRecovery("failure_recovery:\n  max_total_attempts: 2\n");
    const { made, ended } = await play(toCheckpoint, limits);
    expect(levels(made)).toEqual(["pivot 1/3", "pivot 2/3", "checkpoint 0/0"]);
    expect(ended).toMatchObject({ outcome: "checkpoint", error: expect.stringContaining("After 3 failed attempts") });
    expect(eventsOf(made, "task.decided").at(-1)?.considered).toMatchObject([
      { rung: "pivot", spent: 2, max: 3, passedOver: "total" },
      { rung: "research", passedOver: "total" },
      { rung: "checkpoint", passedOver: null },
    ]);
  });
});
