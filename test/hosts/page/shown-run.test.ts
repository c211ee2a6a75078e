import { describe, expect, it } from "vitest";
import { ShownRun } from "../../../src/hosts/page/shown-run.ts";
import { simulateFaults } from "../../simulation/simulate-faults.ts";
import { manyTasks } from "../../support/many-tasks.ts";
import { lookedAt, type Shown, shownOf } from "../../support/page-of.ts";
import { startsOf } from "../../support/starts-of.ts";

const simulated = async (seed: number): Promise<Shown> => {
  const { records, policy, tasks } = await simulateFaults({ seed });
  return shownOf(startsOf(records, policy), tasks);
};

const seen = (run: ShownRun, moment: number) => {
  const { markOf, state, ...rest } = run.at(moment);
  const marks = run.rows.filter(({ from }) => from <= moment).map(({ id }) => [id, markOf(id)]);
  return structuredClone({ ...rest, marks, spent: [state.iterations, state.costUsd, state.paused] });
};

describe("the view of a run", () => {
  it.each([302, 305, 309])("is independent of the moments viewed before: seed %d", async (seed) => {
    const shown = await simulated(seed);
    const run = lookedAt(shown);
    const on = Array.from({ length: run.last + 1 }, (_, moment) => seen(run, moment));
    for (const moment of [run.last, 0, ...Array.from({ length: 40 }, (_, index) => (index * 7919) % run.last)]) {
      expect(seen(run, moment)).toEqual(on[moment]);
      expect(seen(lookedAt(shown), moment)).toEqual(on[moment]);
    }
  });

  it("becomes the view of the whole run as records are added", async () => {
    const { run: whole } = await simulated(305);
    const run = new ShownRun(whole.head);
    for (const start of whole.starts) {
      run.start(start);
      for (const record of start.records) {
        run.add([record]);
        run.at(run.last);
      }
    }
    run.atWork = whole.atWork;
    const all = lookedAt({ run: whole });
    expect([run.rows, run.failures, run.questions, run.turns]).toEqual([
      ...[all.rows, all.failures, all.questions, all.turns],
    ]);
    expect(seen(run, run.last)).toEqual(seen(all, all.last));
  });

  it("shows the outcome of tasks, and the states of their machines", () => {
    const run = lookedAt(manyTasks(3));
    const at = (moment: number) => {
      const { cause, lanes, markOf } = run.at(moment);
      return [cause, lanes.at(-1)?.state, ...["1.1", "1.2"].map(markOf)];
    };
    expect([0, 1, 2, 3, 5, 6].map(at)).toEqual([
      ["started", undefined, "open", "open"],
      ["chooseTask", "checkingLimit", "running", "open"],
      ["decide", "delegating", "running", "open"],
      ["delegated", "delegating", "running", "open"],
      ["verify", "recordingPass", "running", "open"],
      ["recordPass", "choosing", "doubtful", "open"],
    ]);
    expect(run.turnFrom(2, 1)).toBe(7);
    expect(run.turnFrom(7, -1)).toBe(1);
    expect(run.costAt("1.1", 3)).toBe(0);
    expect(run.costAt("1.1", 4)).toBe(0.0123);
    expect(run.factsAbout("1.1", run.last).map(({ fact }) => fact.kind)).toEqual([
      ...["delegated", "used", "judged", "passed"],
    ]);
  });

  it("shows a start without an end as killed", () => {
    const run = lookedAt(manyTasks(1));
    expect([run.at(run.last).ending, run.at(2).ending]).toEqual(["killed", null]);
    run.atWork = { held: true, alive: true };
    expect(run.at(run.last).ending).toBeNull();
  });

  it("puts inserted tasks into their places in the plan", () => {
    const run = lookedAt(manyTasks(2));
    const added = { id: "1.1.1", title: "Fix", fixOf: "1.1", parent: null, done: false };
    run.change({ at: 1, drop: 0, tasks: [added] });
    expect(run.rows.map(({ id, depth, madeFor }) => [id, depth, madeFor])).toEqual([
      ["1.1", 0, null],
      ["1.1.1", 1, "1.1"],
      ["1.2", 0, null],
    ]);
  });
});
