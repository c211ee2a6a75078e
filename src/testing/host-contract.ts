import { deepEqual, equal, match } from "node:assert/strict";
import type { PolicyInput } from "../model/policy.ts";
import { batch, drive, fails, fix, type HostCheck, plan } from "./host.ts";
import { hostKills } from "./host-kills.ts";

const hostPeople: readonly HostCheck[] = [
  {
    name: "puts advice given while an agent works into the next prompt",
    needs: "hears people",
    run: async (host) => {
      const { outcome, delegated } = await drive(host, {
        acts: { "1.1": fails("1.1", "boom") },
        words: { "1.1#1": [{ type: "guidance.given", text: "Use the other library" }] },
      });
      equal(outcome, "complete");
      const advised = delegated.filter(({ prompt }) => prompt.includes("Use the other library"));
      deepEqual(
        advised.map(({ key }) => key),
        ["1.1#2"],
      );
    },
  },
  {
    name: "starts nothing after a person has cancelled",
    needs: "is cancelled",
    run: async (host) => {
      const { outcome, keys } = await drive(host, { words: { "1.1#1": [{ type: "cancel" }] } });
      equal(outcome, "cancelled");
      deepEqual(keys, ["1.1#1"]);
    },
  },
  {
    name: "continues after a pause, once the current work has ended",
    needs: "hears people",
    run: async (host) => {
      const words = { "1.1#1": [{ type: "pause" }, { type: "resume" }] as const };
      const { outcome, keys } = await drive(host, { words });
      equal(outcome, "complete");
      deepEqual(keys, ["1.1#1", "1.2#1"]);
    },
  },
];

const checked = plan.replace("`true`", "`./check first`");
const done = (tasks: string): string => tasks.replaceAll("[ ]", "[x]");
const ladder: PolicyInput = {
  ...{ recovery: ["pivot", "checkpoint"], rules: "source" },
  ...{ maxPivotAttempts: 1, stuckAfterSameErrors: 1 },
};

/** Requirements for every host of the coordinator. */
export const hostContract: readonly HostCheck[] = [
  {
    name: "does every task in order, and ticks it",
    run: async (host) => {
      const { outcome, keys, tasks } = await drive(host, {});
      equal(outcome, "complete");
      deepEqual(keys, ["1.1#1", "1.2#1"]);
      equal(tasks, done(plan));
    },
  },
  {
    name: "delegates a failed task again without recovery mode, and stops at the limit",
    run: async (host) => {
      const policy = { maxTaskIterations: 3 };
      const { outcome, keys, tasks } = await drive(host, { policy, acts: { "1.1": fails("1.1", "a", "b", "c", "d") } });
      equal(outcome, "limit");
      deepEqual(keys, ["1.1#1", "1.1#2", "1.1#3"]);
      equal(tasks, plan);
    },
  },
  {
    name: "writes a fix task, does it and retries, fixes of fixes first",
    run: async (host) => {
      const acts = { "1.1": fails("1.1", "boom"), "1.1.1": fails("1.1.1", "bang") };
      const { outcome, keys, tasks, progress } = await drive(host, { policy: fix, acts });
      equal(outcome, "complete");
      deepEqual(keys, ["1.1#1", "1.1.1#1", "1.1.1.1#1", "1.1.1#2", "1.1#2", "1.2#1"]);
      match(tasks, /^- \[x\] 1\.1\.1 \[FIX 1\.1\] Fix: boom$/m);
      match(tasks, /^- \[x\] 1\.1\.1\.1 \[FIX 1\.1\.1\] Fix: bang$/m);
      match(progress, /^- Task 1\.1: 1 fix attempted \(1\.1\.1\) - Final: PASS$/m);
    },
  },
  {
    name: "rejects a claim that contradicts itself, and delegates again",
    run: async (host) => {
      const acts = { "1.1": [{ reply: "It needs human eyes\nTASK_COMPLETE" }] };
      const { outcome, keys } = await drive(host, { policy: fix, acts });
      equal(outcome, "complete");
      deepEqual(keys, ["1.1#1", "1.1#2", "1.2#1"]);
    },
  },
  {
    name: "stops when the limit of the whole run is spent",
    run: async (host) => {
      const { outcome, keys } = await drive(host, { policy: { maxGlobalIterations: 1 } });
      equal(outcome, "limit");
      deepEqual(keys, ["1.1#1"]);
    },
  },
  {
    name: "stops when the fixes of a root task are spent",
    run: async (host) => {
      const policy = { ...fix, maxFixTasksPerRoot: 1 };
      const { outcome, keys } = await drive(host, { policy, acts: { "1.1": fails("1.1", "a", "b") } });
      equal(outcome, "limit");
      deepEqual(keys, ["1.1#1", "1.1.1#1", "1.1#2"]);
    },
  },
  {
    name: "clears a box that an executor ticked for another task, and does that task",
    run: async (host) => {
      const acts = { "1.1": [{ edits: [["[ ] 1.2", "[x] 1.2"]] as const }] };
      const { outcome, keys, tasks } = await drive(host, { acts });
      equal(outcome, "complete");
      deepEqual(keys, ["1.1#1", "1.1#2", "1.2#1"]);
      equal(tasks, done(plan));
    },
  },
  {
    name: "stops when an executor changes the text of another task",
    run: async (host) => {
      const acts = { "1.1": [{ edits: [["1.2 Second", "1.2 Nothing to do"]] as const }] };
      const { outcome, keys } = await drive(host, { acts });
      equal(outcome, "gate");
      deepEqual(keys, ["1.1#1"]);
    },
  },
  {
    name: "stops when an executor removes a task from the plan",
    run: async (host) => {
      const acts = { "1.1": [{ edits: [["- [ ] 1.2 Second\n  - **Verify**: `true`\n", ""]] as const }] };
      const { outcome, keys } = await drive(host, { acts });
      equal(outcome, "gate");
      deepEqual(keys, ["1.1#1"]);
    },
  },
  {
    name: "writes the error of the command that failed into the fix, whatever the executor claims",
    run: async (host) => {
      const checks = { first: [{ exitCode: 1, stdout: "Error: no module named parser\n" }] };
      const policy: PolicyInput = { recovery: ["fix"], verifyBefore: false };
      const { outcome, keys, tasks } = await drive(host, { tasks: checked, policy, checks });
      equal(outcome, "complete");
      deepEqual(keys, ["1.1#1", "1.1.1#1", "1.1#2", "1.2#1"]);
      match(tasks, /^- \[x\] 1\.1\.1 \[FIX 1\.1\] Fix: .*no module named parser/m);
    },
  },
  {
    name: "repeats only the failed task of a batch",
    run: async (host) => {
      const policy = { ...fix, maxParallel: 3 };
      const { outcome, keys, tasks } = await drive(host, {
        ...{ tasks: batch, policy },
        acts: { "1.2": fails("1.2", "boom") },
      });
      equal(outcome, "complete");
      deepEqual([...keys].sort(), ["1.1#1", "1.2#1", "1.2#2", "1.2.1#1", "1.3#1"]);
      equal(tasks.includes("[ ]"), false);
    },
  },
  {
    name: "pivots when a task is stuck, then stops at a checkpoint",
    run: async (host) => {
      const acts = { "1.1": fails("1.1", "same", "same", "same", "same") };
      const { outcome, keys } = await drive(host, { policy: ladder, acts });
      equal(outcome, "checkpoint");
      deepEqual(keys, ["1.1#1", "1.1#2"]);
    },
  },
  {
    name: "writes the result of each task into the progress log",
    run: async (host) => {
      const { progress } = await drive(host, { policy: fix, acts: { "1.1": fails("1.1", "boom") } });
      const lines = progress.split("\n").filter((line) => line.startsWith("- "));
      deepEqual(lines, [
        "- [x] 1.1.1 Fix: boom",
        "- [x] 1.1 First",
        "- [x] 1.2 Second",
        "- Task 1.1: 1 fix attempted (1.1.1) - Final: PASS",
      ]);
    },
  },
  {
    name: "writes into the progress log that a task has reached its limit",
    run: async (host) => {
      const policy = { ...fix, maxFixTasksPerRoot: 1 };
      const { progress } = await drive(host, { policy, acts: { "1.1": fails("1.1", "a", "b") } });
      match(progress, /^- Task 1\.1: 1 fix attempted \(1\.1\.1\) - Final: FAIL \(max limit\)$/m);
    },
  },
  ...hostPeople,
  ...hostKills,
];
