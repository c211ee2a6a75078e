import { deepEqual, equal, match } from "node:assert/strict";
import type { PolicyInput } from "../model/policy.ts";
import type { Executor } from "../ports/executor.ts";
import type { Contract } from "./contract.ts";
import { failedReply, type ScriptedAnswer, scriptedExecutor } from "./scripted-executor.ts";

/** What is left of a run, however it was driven. */
export interface HostResult {
  /** `complete`, `limit` or `gate`. */
  readonly outcome: string;
  /** The plan as it stands. */
  readonly tasks: string;
  readonly progress: string;
}

/** Drives the coordinator over a plan to its outcome. Verify commands are run, or answered as if they were. */
export type Host = (tasks: string, policy: PolicyInput, executor: Executor) => Promise<HostResult>;

const plan = `- [ ] 1.1 First
  - **Verify**: \`true\`

- [ ] 1.2 Second
  - **Verify**: \`true\`
`;
const fix: PolicyInput = { recovery: ["fix"] };

async function drive(host: Host, policy: PolicyInput, script: Record<string, readonly ScriptedAnswer[]>) {
  const executor = scriptedExecutor(script);
  const result = await host(plan, policy, executor);
  return { ...result, keys: executor.delegations.map(({ key }) => key) };
}

/** What every host of the coordinator does. */
export const hostContract: readonly Contract<Host>[] = [
  {
    name: "has every task done in order, and ticked",
    run: async (host) => {
      const { outcome, keys, tasks } = await drive(host, {}, {});
      equal(outcome, "complete");
      deepEqual(keys, ["1.1#1", "1.2#1"]);
      equal(tasks, plan.replaceAll("[ ]", "[x]"));
    },
  },
  {
    name: "delegates a failed task again without recovery mode, and stops at the limit",
    run: async (host) => {
      const failures = Array.from({ length: 9 }, () => failedReply("1.1", "boom"));
      const { outcome, keys, tasks } = await drive(host, { maxTaskIterations: 3 }, { "1.1": failures });
      equal(outcome, "limit");
      deepEqual(keys, ["1.1#1", "1.1#2", "1.1#3"]);
      equal(tasks, plan);
    },
  },
  {
    name: "writes a fix task, has it done and retries, fixes of fixes first",
    run: async (host) => {
      const script = { "1.1": [failedReply("1.1", "boom")], "1.1.1": [failedReply("1.1.1", "bang")] };
      const { outcome, keys, tasks, progress } = await drive(host, fix, script);
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
      const { outcome, keys } = await drive(host, fix, { "1.1": ["It needs human eyes\nTASK_COMPLETE"] });
      equal(outcome, "complete");
      deepEqual(keys, ["1.1#1", "1.1#2", "1.2#1"]);
    },
  },
  {
    name: "stops when the limit of the whole run is spent",
    run: async (host) => {
      const { outcome, keys } = await drive(host, { maxGlobalIterations: 1 }, {});
      equal(outcome, "limit");
      deepEqual(keys, ["1.1#1"]);
    },
  },
  {
    name: "stops when the fixes of a root task are spent",
    run: async (host) => {
      const { outcome, keys } = await drive(
        host,
        { ...fix, maxFixTasksPerRoot: 1 },
        {
          "1.1": [failedReply("1.1", "a"), failedReply("1.1", "b")],
        },
      );
      equal(outcome, "limit");
      deepEqual(keys, ["1.1#1", "1.1.1#1", "1.1#2"]);
    },
  },
];
