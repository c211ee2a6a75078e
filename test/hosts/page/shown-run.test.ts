import { describe, expect, it } from "vitest";
import { ShownRun } from "../../../src/hosts/page/shown-run.ts";
import type { TimedRunRecord } from "../../../src/model/record.ts";
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

  it("counts the working time on from the last record, except while the run waits", () => {
    const { run: whole } = manyTasks(2);
    const [start] = whole.starts as [(typeof whole.starts)[0]];
    const upTo = (...more: readonly object[]): ShownRun => {
      const run = new ShownRun(whole.head);
      run.atWork = { held: true, alive: true };
      run.start(start);
      run.add([...start.records.slice(0, 3), ...more] as TimedRunRecord[]);
      return run;
    };
    const time = (run: ShownRun, moment = run.last): unknown[] => {
      const { workedMs, workingSince } = run.at(moment);
      return [workedMs, workingSince === null ? null : workingSince - start.at];
    };
    expect([1, 2, 3].map((moment) => time(upTo(), moment))).toEqual([
      [0, null],
      [1377, null],
      [0, 2754],
    ]);
    const answered = (ms: number, record: object) => ({ type: "answered", at: start.at + ms, ...record });
    const key = "1.1#1";
    const blocked = [
      answered(10_000, { effect: "delegate", key: `${key}/delegate`, answer: { kind: "replied" } }),
      answered(10_000, { effect: "verify", key: `${key}/verify`, answer: { kind: "blocked", question: "Which?" } }),
    ];
    expect(time(upTo(...blocked))).toEqual([7246, null]);
    const answer = answered(500_000, {
      ...{ effect: "askPerson", key: `${key}/askPerson` },
      answer: { kind: "decided", decision: "retry", guidance: "This" },
    });
    expect(time(upTo(...blocked, answer))).toEqual([7246, 500_000]);
    const pause = { ...answered(5000, { type: "said", event: { type: "pause" } }), by: "terminal" };
    expect(time(upTo(pause))).toEqual([2246, 5000]);
    const paused = upTo(...start.records.slice(3, 6), { ...pause, at: start.at + 10_000 });
    expect(time(paused)).toEqual([7246, null]);
    paused.add([{ ...pause, event: { type: "resume" }, at: start.at + 80_000 }] as unknown as TimedRunRecord[]);
    expect(time(paused)).toEqual([7246, 80_000]);
    const next = upTo();
    next.start({ ...start, at: start.at + 90_000 });
    expect(time(next)).toEqual([0, 90_000]);
    next.atWork = { held: false, alive: false };
    expect(time(next)).toEqual([0, null]);
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
