import { describe, expect, it } from "vitest";
import { simulate } from "../../src/hosts/simulation/simulate.ts";
import { Frame } from "../../src/model/frame.ts";
import { readPolicy } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { packFrames, unpackFrames } from "../../src/runtime/pack-frames.ts";
import { splitTurns } from "../../src/runtime/split-turns.ts";
import { frameMaker, framesOf } from "../../src/runtime/to-frames.ts";
import { walkTurn } from "../../src/runtime/walk.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
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
