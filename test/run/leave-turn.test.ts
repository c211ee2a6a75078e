import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import type { Plan } from "../../src/model/plan.ts";
import { readPolicy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { resume } from "../../src/run/resume.ts";
import { answered as answeredWith } from "../support/answered.ts";

const plan = readPlan("- [x] 1.0 Zero\n- [ ] 1.1 One\n- [ ] 1.2 Two\n- [ ] 1.3 Three\n- [ ] 1.3.1 [FIX 1.3] Mend\n");

const ended: Extract<RunRecord, { type: "ended" }> = {
  ...{ type: "ended", planHash: "", denial: null },
  ending: {
    ...{ type: "run.ended", outcome: "environment", exitCode: 5, original: 1, fixes: 0, attempts: 1 },
    ...{ skipped: [], tickedByHand: 0, durationMs: 0 },
  },
};
const answered = (key: string, kind: string): RunRecord => answeredWith(key, { kind });
const chosen: RunRecord = {
  type: "answered",
  effect: "chooseTask",
  key: "turn#1/chooseTask",
  answer: { kind: "batch", width: 2, members: [] },
};
const delegated = (key: string, role: "executor" | "reviewer" = "executor"): RunRecord => ({
  ...{ type: "delegated", key, task: key.slice(0, key.indexOf("#")), role, attempt: 1, retries: 0, elapsedMs: 0 },
});
const intended = (key: string, id: string): RunRecord => {
  const texts = { summary: "", error: "", attemptedFix: "", doneWhen: "", files: "", verify: "", commit: "" };
  return { type: "intended", key, fix: { id, fixOf: id.slice(0, id.lastIndexOf(".")), ...texts } };
};
const planned = (key: string, id: string): RunRecord => ({
  ...{ type: "planned", key, change: "ADD_FOLLOWUP" },
  plan: { task: "1.2", place: "behind", tasks: [{ id, markers: [], title: "New", fields: {} }] },
});
function leave(records: readonly RunRecord[], known: Plan) {
  const state = newRun();
  for (const record of records) apply(state, record);
  const policy = readPolicy({});
  const found = { text: "", plan };
  const origin = { state, ended: state.ended, policy, answeredUnder: policy };
  return resume(origin, { known: found, found, hashOf: String }).leave(known);
}
const left = (...records: readonly RunRecord[]) => leave(records, plan);

describe("an abandoned turn", () => {
  it("withdraws every intended write that is missing and was not answered", () => {
    expect(
      left(
        intended("1.4#1", "1.4.1"),
        chosen,
        intended("1.1#1", "1.1.1"),
        intended("1.2#1", "1.2.1"),
        intended("1.3#1", "1.3.1"),
        planned("1.2#2", "1.2a"),
      ),
    ).toEqual([
      { type: "dropped", fix: "1.1.1" },
      { type: "dropped", fix: "1.2.1" },
      { type: "withdrawn", key: "1.2#2" },
    ]);
    const made = [answered("1.1#1/insertFix", "inserted"), answered("1.2#2/changePlan", "extended")];
    expect(left(chosen, intended("1.1#1", "1.1.1"), planned("1.2#2", "1.2a"), ...made)).toEqual([{ type: "left" }]);
  });

  it("withdraws a write once, and again for a later fix with the same number", () => {
    const [fix, change] = [intended("1.1#1", "1.1.1"), planned("1.2#2", "1.2a")];
    const taken: RunRecord[] = [
      { type: "dropped", fix: "1.1.1" },
      { type: "withdrawn", key: "1.2#2" },
    ];
    expect(left(chosen, fix, change, ...taken)).toEqual([]);
    expect(left(chosen, fix, ...taken, intended("1.1#2", "1.1.1"))).toEqual([{ type: "dropped", fix: "1.1.1" }]);
  });

  it("refunds every attempt whose claim was not judged, once", () => {
    const begun = [delegated("1.1#1"), delegated("1.2#1"), delegated("1.2#1"), delegated("1.3#1/review", "reviewer")];
    expect(left(chosen, ...begun, answered("1.1#1/verify", "failed"))).toEqual([{ type: "refunded", key: "1.2#1" }]);
    expect(left(chosen, ...begun, { type: "refunded", key: "1.2#1" })).toEqual([{ type: "refunded", key: "1.1#1" }]);
    // The answer `replanned` has already refunded the attempt.
    expect(left(chosen, delegated("1.1#1"), answered("1.1#1/changePlan", "replanned"))).toEqual([{ type: "left" }]);
    expect(left(delegated("1.1#1"), chosen)).toEqual([{ type: "left" }]);
  });

  it("records once the pass of a task that was accepted and is still ticked", () => {
    const accepted = (key: string, more: object = {}): RunRecord => answeredWith(key, { kind: "accepted", ...more });
    const leaving = (...records: readonly RunRecord[]) => left(...records, ended);
    const passed: RunRecord = { type: "passed", key: "1.0#2", commit: null };
    const nothing = [{ type: "left" }];
    expect(leaving(chosen, accepted("1.0#2/verify"))).toEqual([passed]);
    expect(left(chosen, accepted("1.0#2/verify"))).toEqual([passed]);
    const known = readPlan("- [ ] 1.0 Its tick was taken back\n");
    expect(leave([chosen, accepted("1.0#2/verify")], known)).toEqual(nothing);
    expect(leaving(chosen, accepted("1.0#2/verify"), passed)).toEqual([]);
    expect(leaving(chosen, accepted("1.0#2/verify"), answered("1.0#2/recordPass", "recorded"))).toEqual(nothing);
    expect(leaving(chosen, accepted("1.1#1/verify"))).toEqual(nothing);
    const due = accepted("1.0#2/verify", { reviewDue: true });
    expect(leaving(chosen, due)).toEqual(nothing);
    expect(leaving(chosen, due, answered("1.0#2/review", "failed"))).toEqual(nothing);
    expect(leaving(chosen, due, accepted("1.0#2/review"))).toEqual([passed]);
    expect(leaving(chosen, answered("run#1/chooseCleanup", "none"), accepted("1.0#2/verify"))).toEqual(nothing);
  });

  it("resets a task whose iterations were spent, if a person has changed the plan since", () => {
    const limited = (max: number): RunRecord => ({
      ...{ ...ended, ending: { ...ended.ending, outcome: "limit" }, planHash: "before" },
      denial: { kind: "denied", limit: "maxTaskIterations", task: "1.1", max },
    });
    const { maxTaskIterations } = readPolicy({});
    expect(left(chosen, limited(maxTaskIterations))).toEqual([{ type: "reset", task: "1.1" }]);
    expect(left(chosen, limited(maxTaskIterations - 1))).toEqual([]);
    expect(left(chosen, { ...limited(maxTaskIterations), planHash: "" } as RunRecord)).toEqual([]);
  });

  it("records once that a turn is abandoned, even if nothing of it has to be settled", () => {
    const judged = answered("1.1#1/verify", "accepted");
    expect(left(chosen, judged)).toEqual([{ type: "left" }]);
    expect(left(chosen, judged, { type: "left" })).toEqual([]);
    expect(left()).toEqual([]);
  });
});
