import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import type { PolicyInput } from "../model/policy.ts";
import type { AttemptKey } from "../model/reply.ts";
import type { Contract } from "./contract.ts";
import type { HostTask } from "./host-task.ts";
import { failedReply } from "./scripted-executor.ts";

/** What is left of a run, however it was driven. */
export interface HostResult {
  /** `complete`, `limit`, `gate`, `cancelled`, `checkpoint` or `skipped`. */
  readonly outcome: string;
  /** The plan as it stands. */
  readonly tasks: string;
  readonly progress: string;
  /** What was delegated, in this order, a repetition after a kill included. */
  readonly delegated: readonly { readonly key: AttemptKey; readonly prompt: string }[];
  /** How often it was killed. */
  readonly kills: number;
}

/** Drives the coordinator over a plan to its outcome. */
export type Host = (task: HostTask) => Promise<HostResult>;

/** What a host can do beside that. */
export type HostSkill = "is killed" | "hears people";

/** A check of hosts, and what a host must be able to do to be looked at for it. */
export interface HostCheck extends Contract<Host> {
  readonly needs?: HostSkill;
}

const plan = `- [ ] 1.1 First
  - **Verify**: \`true\`

- [ ] 1.2 Second
  - **Verify**: \`true\`
`;
const batch = `- [ ] 1.1 [P] First
  - **Files**: \`a.ts\`

- [ ] 1.2 [P] Second
  - **Files**: \`b.ts\`

- [ ] 1.3 [P] Third
  - **Files**: \`c.ts\`
`;
const checked = plan.replace("`true`", "`./check first`");
const done = (tasks: string): string => tasks.replaceAll("[ ]", "[x]");
const fix: PolicyInput = { recovery: ["fix"] };
const ladder: PolicyInput = { recovery: ["pivot", "checkpoint"], maxPivotAttempts: 1, stuckAfterSameErrors: 1 };
const fails = (task: string, ...errors: readonly string[]) =>
  errors.map((error) => ({ reply: failedReply(task, error) }));

async function drive(host: Host, task: Partial<HostTask>) {
  const result = await host({ tasks: plan, policy: {}, ...task });
  return { ...result, keys: result.delegated.map(({ key }) => key) };
}

/** Runs that a kill must not change, with all that they delegate. */
const killed: readonly (HostTask & { readonly name: string; readonly keys: readonly string[] })[] = [
  {
    name: "a fix",
    tasks: plan,
    policy: fix,
    acts: { "1.1": fails("1.1", "boom") },
    keys: ["1.1#1", "1.1#2", "1.1.1#1", "1.2#1"],
  },
  {
    name: "an executor that ticks another box",
    tasks: plan,
    policy: {},
    acts: { "1.1": [{ edits: [["[ ] 1.2", "[x] 1.2"]] }] },
    keys: ["1.1#1", "1.1#2", "1.2#1"],
  },
  {
    name: "a batch in which one fails",
    tasks: batch,
    policy: { ...fix, maxParallel: 3 },
    acts: { "1.2": fails("1.2", "boom") },
    keys: ["1.1#1", "1.2#1", "1.2#2", "1.2.1#1", "1.3#1"],
  },
];

/** What every host of the coordinator does. */
export const hostContract: readonly HostCheck[] = [
  {
    name: "has every task done in order, and ticked",
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
    name: "writes a fix task, has it done and retries, fixes of fixes first",
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
    name: "takes back a box that an executor has ticked for another task, and has that done",
    run: async (host) => {
      const acts = { "1.1": [{ edits: [["[ ] 1.2", "[x] 1.2"]] as const }] };
      const { outcome, keys, tasks } = await drive(host, { acts });
      equal(outcome, "complete");
      deepEqual(keys, ["1.1#1", "1.1#2", "1.2#1"]);
      equal(tasks, done(plan));
    },
  },
  {
    name: "stops when an executor changes what another task says",
    run: async (host) => {
      const acts = { "1.1": [{ edits: [["1.2 Second", "1.2 Nothing to do"]] as const }] };
      const { outcome, keys } = await drive(host, { acts });
      equal(outcome, "gate");
      deepEqual(keys, ["1.1#1"]);
    },
  },
  {
    name: "stops when an executor takes a task out of the plan",
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
      const { outcome, keys, tasks } = await drive(host, { tasks: checked, policy: fix, checks });
      equal(outcome, "complete");
      deepEqual(keys, ["1.1#1", "1.1.1#1", "1.1#2", "1.2#1"]);
      match(tasks, /^- \[x\] 1\.1\.1 \[FIX 1\.1\] Fix: .*no module named parser/m);
    },
  },
  {
    name: "has only the member of a batch done again that has failed",
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
    name: "tells in the progress log what has become of each task",
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
    name: "tells in the progress log that a task has met its limit",
    run: async (host) => {
      const policy = { ...fix, maxFixTasksPerOriginal: 1 };
      const { progress } = await drive(host, { policy, acts: { "1.1": fails("1.1", "a", "b") } });
      match(progress, /^- Task 1\.1: 1 fix attempted \(1\.1\.1\) - Final: FAIL \(max limit\)$/m);
    },
  },
  {
    name: "passes advice that is given while an agent works on to the next prompt",
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
    name: "begins nothing once a person has cancelled",
    needs: "hears people",
    run: async (host) => {
      const { outcome, keys } = await drive(host, { words: { "1.1#1": [{ type: "cancel" }] } });
      equal(outcome, "cancelled");
      deepEqual(keys, ["1.1#1"]);
    },
  },
  {
    name: "goes on when a pause is over, with what was under way come to its end",
    needs: "hears people",
    run: async (host) => {
      const words = { "1.1#1": [{ type: "pause" }, { type: "resume" }] as const };
      const { outcome, keys } = await drive(host, { words });
      equal(outcome, "complete");
      deepEqual(keys, ["1.1#1", "1.2#1"]);
    },
  },
  ...killed.map(
    ({ name, keys, ...task }): HostCheck => ({
      name: `ends the same when it is killed before it keeps any answer: ${name}`,
      needs: "is killed",
      run: async (host) => {
        const undisturbed = await host(task);
        const result = await host({ ...task, isKilled: true });
        notEqual(result.kills, 0);
        deepEqual([result.outcome, result.tasks], [undisturbed.outcome, undisturbed.tasks]);
        // A delegation that was under way is repeated under its key.
        deepEqual([...new Set(result.delegated.map(({ key }) => key))].sort(), keys);
      },
    }),
  ),
];
