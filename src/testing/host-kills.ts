import { deepEqual, notEqual } from "node:assert/strict";
import type { HostCheck } from "./host.ts";
import { batch, fails, fix, plan } from "./host-runs.ts";
import type { HostTask } from "./host-task.ts";

/** Runs whose result a kill must not change, with all their delegations. */
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

/** Requirements for every host that can be killed. */
export const hostKills: readonly HostCheck[] = killed.map(
  ({ name, keys, ...task }): HostCheck => ({
    name: `ends the same when it is killed before it keeps any answer: ${name}`,
    needs: "is killed",
    run: async (host) => {
      const undisturbed = await host(task);
      const result = await host({ ...task, isKilled: true });
      notEqual(result.kills, 0);
      deepEqual([result.outcome, result.tasks], [undisturbed.outcome, undisturbed.tasks]);
      // An interrupted delegation is repeated under its key.
      deepEqual([...new Set(result.delegated.map(({ key }) => key))].sort(), keys);
    },
  }),
);
