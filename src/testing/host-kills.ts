import { deepEqual, notEqual } from "node:assert/strict";
import type { Host, HostCheck, HostTask } from "./host.ts";
import { batch, fails, fix, plan } from "./host.ts";

/** Runs whose result must not depend on kills, each with the keys of its delegations. */
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
  {
    name: "attempts under a limit of one, each counted once",
    tasks: plan,
    policy: { maxTaskIterations: 1 },
    keys: ["1.1#1", "1.2#1"],
  },
];

/** Make a run whose first delegation meets a short rate limit, and so spends no attempt. */
const limited = (): HostTask => {
  const problem = { kind: "rate-limit", message: "Too many requests", until: Date.now() + 1500 } as const;
  return {
    tasks: plan,
    policy: { maxTaskIterations: 1 },
    acts: { "1.1": [{ reply: { text: "", exitCode: 1, problem } }] },
  };
};

/**
 * Drive a run without and with kills. Check that both runs end the same, and that an interrupted delegation is repeated
 * under its key.
 */
async function compare(host: Host, make: () => HostTask, keys: readonly string[]): Promise<void> {
  const undisturbed = await host(make());
  const result = await host({ ...make(), isKilled: true });
  notEqual(result.kills, 0);
  deepEqual([result.outcome, result.tasks], [undisturbed.outcome, undisturbed.tasks]);
  deepEqual([...new Set(result.delegated.map(({ key }) => key))].sort(), keys);
}

/** Requirements for every host that can be killed. */
export const hostKills: readonly HostCheck[] = [
  ...killed.map(
    ({ name, keys, ...task }): HostCheck => ({
      name: `ends the same when it is killed before it stores each answer: ${name}`,
      needs: "is killed",
      run: (host) => compare(host, () => task, keys),
    }),
  ),
  {
    name: "continues to wait for its executor after a kill, and ends the same",
    needs: "is killed",
    run: (host) => compare(host, limited, ["1.1#1", "1.1#2", "1.2#1"]),
  },
];
