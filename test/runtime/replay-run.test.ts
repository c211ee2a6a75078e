import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { readPolicy } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { apply } from "../../src/run/apply.ts";
import { replayRun, replayTurnOf } from "../../src/runtime/replay-run.ts";
import { stableJson } from "../../src/runtime/stable-json.ts";
import { policies } from "../../src/testing/arbitraries.ts";
import { failedReply } from "../../src/testing/scripted-executor.ts";
import { fates } from "../support/arbitraries.ts";
import { goOn, newRun } from "../support/memory-run.ts";
import { prop } from "../support/prop.ts";

const plan = "- [ ] 1.1 First\n- [ ] 1.2 Second\n";

describe("replayRun, for every run", () => {
  prop(
    "I18: decides as was recorded, and comes to the same state each time",
    [policies(), fates],
    async (given, script) => {
      const policy = readPolicy(given);
      const made = newRun(plan);
      const left = [...script];
      const execute = async ({ taskId }: { taskId: string }) =>
        (left.shift() ?? "accepted") === "accepted" ? "TASK_COMPLETE" : failedReply(taskId, "boom");
      await goOn(made, execute, { policy });
      const starts = [{ at: 0, policy, records: made.records }];
      const replayed = replayRun({ starts, open: 1 });
      expect(replayed.differences).toEqual([]);
      expect(replayed.decisions).toBeGreaterThan(0);
      expect(stableJson(replayRun({ starts, open: 1 }))).toBe(stableJson(replayed));
    },
  );
});

describe("replayRun", () => {
  const policy = readPolicy({ recovery: ["retry"] });
  async function recorded(): Promise<TimedRunRecord[]> {
    const made = newRun(plan);
    let calls = 0;
    await goOn(made, async ({ taskId }) => (calls++ === 0 ? failedReply(taskId, "boom") : "TASK_COMPLETE"), { policy });
    return made.records;
  }

  it("asks next for what a run asked for that was killed", async () => {
    const records = await recorded();
    for (const [index, record] of records.entries()) {
      if (record.type !== "answered" || index === 0) continue;
      const { next } = replayRun({ starts: [{ at: 0, policy, records: records.slice(0, index) }], open: 1 });
      expect(next).toEqual([record.key]);
    }
  });

  it("names the record that differs, and goes on with the turn behind it", async () => {
    const records = await recorded();
    const at = records.findIndex(({ type }) => type === "delegated");
    const changed = records.with(at, { ...records[at], retries: 4 } as TimedRunRecord);
    const { differences, starts } = replayRun({ starts: [{ at: 0, policy, records: changed }], open: 1 });
    expect(differences).toMatchObject([{ record: at + 1, key: "1.1#1", what: "who is asked" }]);
    expect(starts[0]?.map(({ turn }) => turn)).toEqual([1, 2, 3]);
  });

  it("tells of the last turn alone what differs in it, by its number in the turn", async () => {
    const records = await recorded();
    const from = records.findLastIndex((record) => record.type === "delegated") - 1;
    const [earlier, turn] = [records.slice(0, from), records.slice(from)];
    const stateBefore = () => {
      const { state } = createRunMemory({ open: 1 });
      for (const record of earlier) apply(state, record);
      return state;
    };
    expect(replayTurnOf([{ at: 0, policy, records: turn }], stateBefore())).toBeNull();
    const changed = turn.with(1, { ...turn[1], attempt: 2 } as TimedRunRecord);
    expect(replayTurnOf([{ at: 0, policy, records: changed }], stateBefore())?.record).toBe(2);
  });
});
