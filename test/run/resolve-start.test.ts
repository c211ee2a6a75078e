import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import type { RunEnding } from "../../src/model/event.ts";
import type { Limit } from "../../src/model/limits.ts";
import { readPolicy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { noSeed } from "../../src/model/run-seed.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { unendedStart } from "../../src/run/previous-start.ts";
import { resolveStart, stillLimited } from "../../src/run/resolve-start.ts";
import { memoryJournal } from "../support/memory-journal.ts";

const plan = readPlan("- [x] 1.0 Zero\n- [ ] 1.1 One\n");
const policy = readPolicy({ maxTaskIterations: 3 });
const chosen: RunRecord = { type: "answered", effect: "chooseTask", key: "run#1/chooseTask", answer: { kind: "none" } };
const ended = (outcome: RunEnding, limit: Limit = "maxTaskIterations"): RunRecord => ({
  ...{ type: "ended", planHash: "as left" },
  denial: outcome === "limit" ? { kind: "denied", limit, task: "1.1", max: 3 } : null,
  ending: {
    ...{ type: "run.ended", outcome, exitCode: 0, original: 1, fixes: 0, attempts: 1, skipped: [], tickedByHand: 0 },
    durationMs: 7,
  },
});
function reading(...starts: readonly (readonly [number, ...RunRecord[]])[]) {
  const journal = memoryJournal(() => 0);
  for (const [maxTaskIterations, ...records] of starts) {
    const start = journal.begin({
      policy: readPolicy({ maxTaskIterations }),
      open: 5,
      seed: { ...noSeed, iterations: 2 },
    });
    for (const record of records) start.append([record], { durable: true });
  }
  return journal.read();
}

describe("resolveStart", () => {
  it("begins a run if there is none, with the inherited state", () => {
    const given = { policy: { maxTaskIterations: 4, finalVerify: undefined }, ladder: { recoveryMode: true } };
    const taken = { policy: { maxGlobalIterations: 30 }, seed: { ...noSeed, iterations: 4 } };
    const origin = resolveStart(reading(), given, plan, { taken });
    expect(origin).toMatchObject({ run: 1, fresh: true, before: null, state: null, ended: null, open: 1 });
    expect(origin.policy).toMatchObject({ maxTaskIterations: 4, maxGlobalIterations: 30, recovery: ["fix"] });
    expect([origin.seed.iterations, origin.recoveryBefore]).toEqual([4, null]);
  });

  it("resumes the existing run, under its policy except for given settings", () => {
    const before = reading([3, chosen, ended("gate")], [4, { type: "left" }]);
    const origin = resolveStart(before, { policy: { maxFixTaskDepth: 1 } }, plan);
    expect(origin).toMatchObject({ run: 1, fresh: false, open: 5, seed: { iterations: 2 }, ended: ended("gate") });
    expect(origin.policy).toMatchObject({ maxTaskIterations: 4, maxFixTaskDepth: 1 });
    expect(origin.before?.maxTaskIterations).toBe(4);
    expect(origin.answeredUnder.maxTaskIterations).toBe(3);
    expect(origin.state).toMatchObject({ turns: 1, iterations: 2, elapsedMs: 7 });
    expect(resolveStart(reading([3]), {}, plan).answeredUnder.maxTaskIterations).toBe(3);
  });

  it("begins another run after a completed one, and if it is requested", () => {
    expect(resolveStart(reading([3, ended("complete")]), {}, plan)).toMatchObject({ run: 2, fresh: true, open: 1 });
    const newRun = { run: 7, policy: { recovery: ["fix" as const] }, seed: { ...noSeed, iterations: 9 } };
    const origin = resolveStart(reading([3, ended("gate")]), {}, plan, { newRun });
    expect(origin).toMatchObject({ run: 7, fresh: true, recoveryBefore: ["fix"], seed: { iterations: 9 } });
  });

  it("remembers in another run which open fixes were superseded, and ignores other tasks with their ids", () => {
    const text = [
      "- [ ] 1.1 One",
      "- [ ] 1.1.1 [FIX 1.1] Mend",
      "- [x] 1.1.2 [FIX 1.1] Mend",
      "- [ ] 1.2.1 Plain",
    ].join("\n");
    const superseded = { "1.1.1": "1.1.3", "1.1.2": "1.1.3", "1.2.1": "1.2.2", "9.1": "9.2" };
    const { seed } = resolveStart(reading([3, ended("gate")]), {}, readPlan(text), {
      newRun: { run: 7, policy: {}, seed: noSeed, superseded },
    });
    expect(seed.tasks).toEqual({ "1.1.1": { attempts: 0, retries: 0, fixes: [], supersededBy: "1.1.3" } });
  });

  it("resumes from a snapshot in place of records", () => {
    const state = newRun(5);
    apply(state, chosen);
    const { segments } = reading([3, ended("gate")]);
    const records = segments.flatMap((segment) => segment.records);
    const origin = resolveStart(
      { run: 1, segments, records, snapshot: { records: 0, state: () => state }, rebooted: false },
      {},
      plan,
    );
    expect([origin.state?.turns, origin.ended]).toEqual([1, { at: 0, ...ended("gate") }]);
  });
});

describe("stillLimited", () => {
  const of = (end: RunEnding, limit?: Limit) => resolveStart(reading([3, ended(end, limit)]), {}, plan);
  const limited = of("limit");
  const shipping = readPolicy({ maxTaskIterations: 3, pullRequest: { maxCycles: 2 } });
  it.each<[string, Parameters<typeof stillLimited>, boolean]>([
    ["the same limit and plan", [limited, "as left"], true],
    ["another plan", [limited, "changed"], false],
    ["a higher limit", [{ ...limited, policy: readPolicy({ maxTaskIterations: 4 }) }, "as left"], false],
    ["no limit any more", [{ ...of("limit", "maxCost") }, "as left"], false],
    ["another remedy", [{ ...limited, policy: { ...policy, recovery: ["fix"] } }, "as left"], false],
    ["another end", [of("gate"), "as left"], false],
    ["a start that was killed", [{ ...limited, ended: null }, "as left"], false],
    ["tasks for a pull request that is not made any more", [of("limit", "maxCycles"), "as left"], false],
    ["tasks for a pull request", [{ ...of("limit", "maxCycles"), policy: shipping }, "as left"], true],
    ["delegations", [of("limit", "maxGlobalIterations"), "as left"], false],
    ["attempts of all kinds", [of("limit", "maxTotalAttempts"), "as left"], false],
  ])("reports %s", (_, [origin, planHash], is) => {
    expect(stillLimited(origin, planHash)).toBe(is);
  });
});

describe("unendedStart", () => {
  it("is the last that recorded no end and released no lease", () => {
    const last = (...records: readonly RunRecord[]) => unendedStart(reading([3, ended("gate")], [4, ...records]));
    expect([last()?.segment, last(chosen)?.segment]).toEqual([2, 2]);
    expect([last(ended("gate")), last({ type: "released" }), unendedStart(reading())]).toEqual([null, null, null]);
  });
});
