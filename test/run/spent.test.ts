import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../src/model/record.ts";
import { noSeed } from "../../src/model/run-seed.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { spentIn } from "../../src/run/spent.ts";
import { sampleFix } from "../support/sample-fix.ts";

const delegated = (task: string, attempt: number, retries = attempt - 1): RunRecord => ({
  ...{ type: "delegated", key: `${task}#${attempt}`, task, role: "executor", attempt, retries, elapsedMs: 0 },
});
const intended = (id: string, fixOf: string, supersedes?: string): RunRecord => ({
  ...{ type: "intended", key: `${fixOf}#${id.slice(-1)}` },
  fix: { ...sampleFix, id, fixOf, ...(supersedes !== undefined && { supersedes }) },
});

function stateOf(...records: readonly RunRecord[]) {
  const state = newRun();
  for (const record of records) apply(state, record);
  return state;
}

describe("what a tree has spent", () => {
  const tree = [
    ...[delegated("1.1", 2), intended("1.1.1", "1.1"), delegated("1.1.1", 3), intended("1.1.1.1", "1.1.1")],
    ...[delegated("1.1~1", 2), delegated("1.1~3", 1), delegated("1.1~3~2", 4), delegated("1.10", 5)],
  ];

  it("is that of its fixes and parts, and theirs, and of no task with a name that is alike", () => {
    expect(Object.keys(spentIn(stateOf(...tree), "1.1")).sort()).toEqual([
      ...["1.1", "1.1.1", "1.1.1.1", "1.1~1", "1.1~3", "1.1~3~2"],
    ]);
    expect(Object.keys(spentIn(stateOf(...tree), "1.10"))).toEqual(["1.10"]);
  });

  it("begins anew for all of it, but for the fixes it has and the numbers of attempts", () => {
    const { tasks } = stateOf(...tree, { type: "reset", task: "1.1" });
    for (const [id, attempts, fixes] of [
      ["1.1", 2, ["1.1.1"]],
      ["1.1.1", 3, ["1.1.1.1"]],
      ["1.1~1", 2, []],
      ["1.1~3~2", 4, []],
    ] as const) {
      expect(tasks[id]).toEqual({ attempts, retries: 0, repairs: 0, waits: attempts, fixes });
    }
    expect(tasks["1.10"]).toEqual({ attempts: 5, retries: 4, fixes: [] });
  });

  it("is also that of the task of a fix, whichever of them is asked about", () => {
    const state = stateOf(...tree);
    expect(spentIn(state, "1.1.1")).toEqual(spentIn(state, "1.1"));
    const alone = newRun(null, { ...noSeed, tasks: { "1.1": { attempts: 1, retries: 0, fixes: ["7"] } } });
    apply(alone, delegated("7", 1));
    expect(Object.keys(spentIn(alone, "7"))).toEqual(["7"]);
    expect(Object.keys(spentIn(alone, "1.1"))).toEqual(["1.1"]);
  });
});

describe("a fix", () => {
  it("that takes the place of another is noted with that one, until it is dropped", () => {
    const made = [intended("1.1.1", "1.1"), delegated("1.1.1", 1), intended("1.1.2", "1.1", "1.1.1")];
    expect(stateOf(...made).tasks["1.1.1"]).toEqual({ attempts: 1, retries: 0, fixes: [], supersededBy: "1.1.2" });
    const { tasks, superseded, fixParents, fixes } = stateOf(...made, { type: "dropped", fix: "1.1.2" });
    expect(tasks).toEqual({
      "1.1": { attempts: 0, retries: 0, fixes: ["1.1.1"] },
      "1.1.1": { attempts: 1, retries: 0, fixes: [] },
    });
    expect([superseded, fixParents, Object.keys(fixes)]).toEqual([{}, { "1.1.1": "1.1" }, ["1.1.1"]]);
  });

  it("that takes the place of none leaves the others when it is dropped", () => {
    const made = [intended("1.1.1", "1.1"), intended("1.1.2", "1.1")];
    const { tasks, superseded } = stateOf(...made, { type: "dropped", fix: "1.1.1" });
    expect([tasks["1.1"]?.fixes, superseded, Object.keys(tasks).sort()]).toEqual([["1.1.2"], {}, ["1.1", "1.1.2"]]);
  });
});
