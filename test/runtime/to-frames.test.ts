import { describe, expect, it } from "vitest";
import { simulate } from "../../src/hosts/simulation/simulate.ts";
import { Frame } from "../../src/model/frame.ts";
import { readPolicy } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { packFrames, unpackFrames } from "../../src/runtime/pack-frames.ts";
import { splitTurns } from "../../src/runtime/split-turns.ts";
import { filmRun, frameMaker, framesOf } from "../../src/runtime/to-frames.ts";
import { walkTurn } from "../../src/runtime/walk.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { answered } from "../support/answered.ts";
import { recordedRun } from "../support/journals/recorded-run.ts";
import { goOn, newRun } from "../support/memory-run.ts";
import { startsOf } from "../support/starts-of.ts";

const seeds = Array.from({ length: 20 }, (_, index) => 300 + index);

describe("framesOf", () => {
  it.each(seeds)("lights the states of the walk up to each record, seed %i", async (seed) => {
    const { records, policy } = await simulate({ seed });
    const starts = startsOf(records, policy);
    const maker = frameMaker();
    const expected = new Map<TimedRunRecord, Record<string, string>>();
    for (const turn of splitTurns(starts)) {
      turn.records.forEach((record, index) => {
        const { walk, diverged } = walkTurn(turn, turn.records.slice(0, index + 1));
        const nodes = diverged === null ? Object.entries(walk.state.nodes) : [];
        expected.set(record, Object.fromEntries(nodes.map(([path, { value }]) => [path, value])));
      });
    }
    for (const start of starts) {
      maker.begin(start);
      for (const record of start.records) {
        const frame = maker.take(record);
        if (frame === null || !expected.has(record)) continue;
        expect(Object.fromEntries(frame.lanes.map(({ path, state }) => [path, state]))).toEqual(expected.get(record));
      }
    }
  });

  it.each(seeds)("is the same again when it was packed, seed %i", async (seed) => {
    const { records, policy } = await simulate({ seed });
    const frames = framesOf(startsOf(records, policy));
    const rounded = frames.map((frame) => ({
      ...frame,
      spent: {
        ...frame.spent,
        costUsd: Math.round(frame.spent.costUsd * 1e6) / 1e6,
        elapsedMs: Math.round(frame.spent.elapsedMs),
      },
    }));
    expect(unpackFrames(JSON.parse(JSON.stringify(packFrames(frames))))).toEqual(rounded);
    for (const frame of frames) Frame.strict().parse(frame);
  });

  it("leaves no task at work behind an end", async () => {
    for (const seed of seeds) {
      const { records, policy } = await simulate({ seed });
      const marks = new Map<string, string>();
      for (const { marks: made, ending } of framesOf(startsOf(records, policy))) {
        for (const { task, mark } of made) marks.set(task, mark);
        if (ending !== null) expect([...marks.values()]).not.toContain("running");
      }
    }
  });

  it("shows a start that was killed, and what was under way as open again", async () => {
    const made = newRun("- [ ] 1.1 First\n  - **Verify**: `check`\n");
    await goOn(made, scriptedExecutor(), { killedAt: 2 });
    const start = { at: 5, policy: readPolicy({}), records: made.records };
    const frames = framesOf([start]);
    expect(frames.map(({ cause }) => cause)).toEqual(["started", "chooseTask", "delegated", "killed"]);
    expect(frames.at(-1)).toMatchObject({ ending: "killed", marks: [{ task: "1.1", mark: "open" }] });
    expect(framesOf([start], { alive: true }).map(({ cause }) => cause)).not.toContain("killed");
    expect(framesOf([start, { ...start, records: [] }], { alive: true }).slice(-2)).toMatchObject([
      { cause: "killed", start: 1 },
      { cause: "started", start: 2, ending: null },
    ]);
  });
});

/** Where the machines stood behind each record of a turn, as `path machine from>state task`. */
const lit = (name: string, turn: number) =>
  framesOf(recordedRun(name).starts)
    .filter((frame) => frame.turn === turn)
    .map(({ cause, lanes }) => [
      cause,
      ...lanes.map(({ path, machine, from, state, task }) =>
        [path || "-", machine, `${from ?? ""}>${state}`, task ?? "-"].join(" "),
      ),
    ]);
const about = (name: string) =>
  framesOf(recordedRun(name).starts).map(({ cause, task, attempt }) => `${cause} ${task} ${attempt}`);

describe("the frames of a recorded run", () => {
  it("light each machine below the one that has invoked it, by what it was before", () => {
    const spec = "- spec >working -";
    expect(lit("repair-retry", 1).slice(0, 7)).toEqual([
      ["chooseTask", spec, "task task >delegating 1.1"],
      ["delegated", spec, "task task >delegating 1.1"],
      ["delegate", spec, "task task delegating>verifying 1.1"],
      ["verify", spec, "task task verifying>parsing 1.1"],
      ["readFailure", spec, "task task parsing>repairing 1.1", "task/repair repair >asking 1.1"],
      ["delegated", spec, "task task parsing>repairing 1.1", "task/repair repair >asking 1.1"],
      ["askOperator", spec, "task task repairing>delegating 1.1"],
    ]);
  });

  it("light the members of a batch side by side, and its end by where it came from", () => {
    const [chosen, ...others] = lit("batch", 1);
    expect(chosen).toEqual([
      ...["chooseTask", "- spec >workingOnBatch -", "batch batch >working -"],
      ...["batch/1.1 task >delegating 1.1", "batch/1.2 task >delegating 1.2"],
    ]);
    expect(others.slice(-2)).toEqual([
      ["recordPass", "- spec >workingOnBatch -", "batch batch working>merging -"],
      ["mergeProgress", "- spec workingOnBatch>choosing -"],
    ]);
  });

  it("stand where the run stood before a question, once it is answered in a later start", () => {
    const turn = lit("blocked", 1);
    expect(turn.map(([cause]) => cause).slice(3, 8)).toEqual(["verify", "askPerson", "ended", "started", "askPerson"]);
    expect(turn[4]).toEqual(["askPerson", "- spec working>gated -"]);
    expect(turn[7]).toEqual(["askPerson", "- spec gated>working -", "task task >delegating 1.1"]);
  });

  it("tell the task and the attempt that a record is about, and none for the whole run", () => {
    expect(about("repair-retry").slice(0, 9)).toEqual([
      ...["started null null", "chooseTask null null", "delegated 1.1 1", "delegate 1.1 1", "verify 1.1 1"],
      ...["readFailure 1.1 1", "delegated 1.1 1", "askOperator 1.1 1", "delegated 1.1 2"],
    ]);
    expect(about("pull-request")).toContain("pushBranch null null");
    for (const frame of framesOf(recordedRun("pull-request").starts)) Frame.strict().parse(frame);
    expect(about("plan-mended")).toContain("reset 1.1 null");
  });

  it("tell a start that let go of the run, and one that was killed before it", () => {
    const frames = framesOf(recordedRun("change-not-taken-killed-4").starts);
    expect(
      frames.flatMap(({ cause, start, ending, at }) => (ending === null ? [] : [[start, cause, ending, at]])),
    ).toEqual([
      [1, "killed", "killed", 4],
      [2, "released", "released", 5],
      [3, "ended", "complete", 20],
    ]);
  });

  it("have none for a record that nothing has happened by", () => {
    const { starts } = recordedRun("fixes");
    const { frames, places } = filmRun(starts);
    const records = starts.flatMap((start) => start.records);
    const seen = (type: string) => records.flatMap((record) => (record.type === type ? [places.get(record)] : []));
    expect(frames.map(({ cause }) => cause)).not.toContain("intended");
    // One that is not seen by itself is seen with what stands before it.
    for (const place of seen("intended")) expect(frames[place as number]?.cause).toBe("readFailure");
    expect(seen("ended")).toEqual([frames.length - 1]);
  });

  it("light nothing from an answer on that does not fit, up to the next turn", () => {
    const { starts } = recordedRun("complete");
    const [{ policy, records }] = starts as [(typeof starts)[0]];
    const odd = { at: 1, ...answered("1.1#7/verify", { kind: "accepted" }) } as TimedRunRecord;
    const frames = framesOf([{ at: 0, policy, records: [...records.slice(0, 2), odd, ...records.slice(2)] }]);
    const dark = frames.filter(({ lanes, turn }) => turn > 0 && lanes.length === 0);
    expect(dark.map(({ turn, cause }) => `${turn} ${cause}`)).toEqual([
      ...["1 verify", "1 delegate", "1 verify", "1 recordPass"],
    ]);
  });
});
