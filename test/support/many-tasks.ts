import { Policy } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { type Shown, shownOf } from "./page-of.ts";

const nothing = { count: 0, max: null };
const begun = {
  ...{ kind: "begin", stuck: null, level: "normal", considered: [] },
  counts: {
    ...{ sameErrors: nothing, unchanged: nothing, failures: nothing, total: nothing },
    ...{ sinceBest: null, admission: null },
  },
};

export function manyTasks(
  count: number,
  titleOf = (index: number): string => `Task number ${index + 1} of a long plan`,
): Shown {
  const ids = Array.from({ length: count }, (_, index) => `${Math.floor(index / 100) + 1}.${(index % 100) + 1}`);
  const records = ids.flatMap((task, index) => {
    const key = `${task}#1`;
    const made = [
      { effect: "chooseTask", key: `run#${index + 1}/chooseTask`, answer: { kind: "task", root: task, current: task } },
      { effect: "decide", key: `${key}/decide`, answer: begun },
      { type: "delegated", key, task, role: "executor", attempt: 1, retries: 0, elapsedMs: index * 6500 },
      {
        ...{ effect: "delegate", key: `${key}/delegate`, answer: { kind: "replied" } },
        reply: { text: null, exitCode: 0, usage: { costUsd: 0.0123, inputTokens: 800 }, headBefore: null },
      },
      { effect: "verify", key: `${key}/verify`, answer: { kind: "accepted", unverified: false } },
      { effect: "recordPass", key: `${key}/recordPass`, answer: { kind: "passed", commit: null } },
    ];
    return made.map((record, step) => ({
      ...{ type: "answered", ...record },
      at: 1_700_000_000_000 + (index * made.length + step) * 1377,
    }));
  }) as unknown as TimedRunRecord[];
  const shown = shownOf([{ at: 1_700_000_000_000, policy: Policy.parse({}), records }], "");
  const tasks = ids.map((id, index) => ({ id, title: titleOf(index), fixOf: null, parent: null, done: true }));
  return { run: { ...shown.run, head: { ...shown.run.head, tasks } } };
}
