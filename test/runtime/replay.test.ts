import { describe, expect, it } from "vitest";
import { createSpecMachine } from "../../machines/spec.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { currentTurn, replayTurn, turnOf } from "../../src/runtime/replay.ts";
import { pending } from "../../src/runtime/step.ts";
import { policies } from "../../src/testing/arbitraries.ts";
import { failedReply } from "../../src/testing/scripted-executor.ts";
import { answered as answeredWith } from "../support/answered.ts";
import { fates } from "../support/arbitraries.ts";
import { goOn, newRun } from "../support/memory-run.ts";
import { prop } from "../support/prop.ts";

const plan = "- [ ] 1.1 First\n- [ ] 1.2 Second\n";
const machine = createSpecMachine();

describe("replayTurn, for every run and every point of it", () => {
  prop("I18: leads to the effect that was asked for next", [policies(), fates], async (policy, script) => {
    const made = newRun(plan);
    const left = [...script];
    const execute = async ({ taskId }: { taskId: string }) =>
      (left.shift() ?? "accepted") === "accepted" ? "TASK_COMPLETE" : failedReply(taskId, "boom");
    await goOn(made, execute, { policy });
    made.records.forEach((record, index) => {
      if (record.type !== "answered") return;
      const before = made.records.slice(0, index);
      const turn = record.key.endsWith("/chooseTask") ? [] : currentTurn(before);
      const state = replayTurn({ policy, turn: turnOf(before) + (turn.length === 0 ? 1 : 0) }, turn);
      expect(pending(machine, state).map(({ key }) => key)).toEqual([record.key]);
    });
  });
});

describe("replayTurn", () => {
  const answered = (key: string, answer: object): TimedRunRecord => ({ at: 0, ...answeredWith(key, answer) });
  const chosen = answered("run#1/chooseTask", { kind: "task", root: "1.1", current: "1.1", spent: {} });

  it("refuses records that the machine does not wait for", () => {
    const records = [chosen, answered("1.2#1/delegate", { kind: "replied" })];
    expect(() => replayTurn({ policy: {}, turn: 1 }, records)).toThrow(
      expect.objectContaining({ code: "journal-diverged", blame: "input" }),
    );
  });

  it("passes over a question that was asked again", () => {
    const question = { kind: "gate", reason: "r", hint: "h" };
    const asked = [chosen, answered("1.1#1/delegate", { kind: "replied" }), answered("1.1#1/verify", question)];
    const records = [...asked, answered("1.1#1/verify", { kind: "accepted" })];
    expect(replayTurn({ policy: {}, turn: 1 }, asked).status).toBe("done");
    expect(pending(machine, replayTurn({ policy: {}, turn: 1 }, records))[0]?.key).toBe("1.1#1/recordPass");
  });
});
