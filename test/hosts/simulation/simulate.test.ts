import { describe, expect, it } from "vitest";
import { behaviours, calmRates, roughRates } from "../../../src/hosts/simulation/rates.ts";
import { failedReply, type SimulatedExecutor, simulate } from "../../../src/testing/index.ts";

const seeds = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index);
const plan =
  "- [ ] 1.1 Read the lines\n  - **Verify**: `check 1.1`\n- [ ] 1.2 Sort them\n  - **Verify**: `check 1.2`\n";

/** What chance does not decide in runs whose seeds were found before it could. */
const asFound = { mends: 0, blocks: 0, names: 0, trouble: 0 } as const;
const ladder = ["retry", "fix", "repair", "pivot", "research", "checkpoint"] as const;

/** A few of each kind: the campaign `simulation` makes tens of thousands. */
describe("a simulated run", () => {
  it("is the same, to the letter, with the same seed and options", async () => {
    for (const seed of seeds(6)) {
      const [one, other] = [await simulate({ seed }), await simulate({ seed })];
      expect(one.story.length).toBeGreaterThan(2);
      expect(other).toEqual(one);
    }
  });

  it("is another with another seed", async () => {
    const stories = await Promise.all(seeds(5).map(async (seed) => (await simulate({ seed })).story.join("\n")));
    expect(new Set(stories).size).toBe(5);
  });

  it("violates nothing, whatever happens", async () => {
    const violations = [];
    for (const seed of seeds(20, 1000)) violations.push(...(await simulate({ seed })).violations);
    expect(violations).toEqual([]);
  });

  it("ends as one that nothing disturbs, wherever the coordinator is killed", async () => {
    let kills = 0;
    for (const seed of seeds(12, 2000)) {
      const made = await simulate({ seed, compare: true, rates: { kill: 0.03 } });
      expect(made.violations).toEqual([]);
      kills += made.counts["kill"] ?? 0;
    }
    expect(kills).toBeGreaterThan(10);
  });

  it("I15: goes on with a turn behind a refusal, also where the start that went on with it is killed", async () => {
    const executor: SimulatedExecutor = async ({ key }, _signal, world) => {
      if (key === "1.1#1") return failedReply("1.1", "boom");
      world.finish();
      return "TASK_COMPLETE";
    };
    for (const seed of seeds(15)) {
      const made = await simulate({
        ...{ seed, plan, compare: true, roughStarts: 30, executors: { executor }, rates: { kill: 0.06, refuse: 0.06 } },
        policy: { recovery: ["retry", "fix"], maxTaskIterations: 1 },
      });
      expect({ seed, violations: made.violations }).toEqual({ seed, violations: [] });
    }
  });

  it("goes on as often as a disk refuses", async () => {
    const rates = { ...calmRates, refuse: 0.6 };
    const made = await simulate({ seed: 1, plan, policy: { recovery: ["fix"] }, compare: true, rates, roughStarts: 8 });
    expect(made.starts.slice(0, 8).filter((start) => start === "complete")).toEqual([]);
    expect(made).toMatchObject({ outcome: "complete", violations: [] });
  });

  it("I2: stays within its limits where people tick what is being repaired", async () => {
    const violations = [];
    const policy = { maxFixTaskDepth: 2, maxFixTasksPerOriginal: 2, maxFixTasksPerRoot: 3, maxTaskIterations: 3 };
    for (const seed of seeds(8, 50)) {
      const rates = { ...{ edit: 0.8, kill: 0.02, abort: 0.01, fails: 60, away: 0.1 }, loss: 0, ...asFound };
      const recovery = ["fix", "retry"] as const;
      const options = { seed, rates, roughStarts: 12, policy: { ...policy, recovery: [...recovery] } };
      violations.push(...(await simulate(options)).violations);
    }
    expect(violations).toEqual([]);
  });

  it.each([
    ["I8: works on a fix once, whose planned task's id reads like that of another's fix", 180, ["fix", "retry"]],
    ["I10: goes on in no turn under another plan than the one that turn began with", 276, ladder],
    ["I10: goes on in no turn behind a start that has left it, and told its end", 4688, ladder],
    ["I11: does again what is found unticked while a claim is to be judged", 1512, ladder],
    ["I11: lets stand what people untick behind a start that could not leave its plan", 587, ["fix", "retry"]],
    ["I11: lets stand what people untick before a start that is killed as it begins", 798, ladder],
  ] as const)("%s", async (_, seed, recovery) => {
    const limits = { maxFixTaskDepth: 2, maxFixTasksPerOriginal: 2, maxFixTasksPerRoot: 3, maxTaskIterations: 3 };
    const policy = { ...limits, repairBudget: 1, maxPivotAttempts: 1, maxResearchAttempts: 1, recovery: [...recovery] };
    const rates = { edit: 0.8, kill: 0.02, abort: 0.01, fails: 60, away: 0.1, ...asFound };
    expect((await simulate({ seed, rates, roughStarts: 12, policy })).violations).toEqual([]);
  });

  it.each([
    ["I18: counts what an executor has used only where it is recorded", 3_620_083_897],
    ["I29: judges a claim by the ticks that were taken back at the end of a start", 3_620_079_838],
  ])("%s", async (_, seed) => {
    expect((await simulate({ seed, rates: asFound })).violations).toEqual([]);
  });

  it("meets every behaviour and every fault", async () => {
    const met = new Set<string>();
    const faults = [
      "kill",
      "refuse",
      "jump",
      "abort",
      "loss",
      "edit",
      "complaint",
      "garble",
      "trouble",
      "nobody answers",
    ];
    const unmet = () => [...behaviours, ...faults].filter((what) => !met.has(what));
    for (const seed of seeds(70, 3000)) {
      for (const what of Object.keys((await simulate({ seed })).counts)) met.add(what);
      if (unmet().length === 0 && [...met].some((what) => what.startsWith("word: "))) break;
    }
    expect(unmet()).toEqual([]);
    expect([...met].filter((what) => what.startsWith("word: "))).not.toEqual([]);
    expect(Object.keys(roughRates)).toEqual(Object.keys(calmRates));
  });

  it("meets progress, fixes that others take the place of, and every question", async () => {
    const met = new Set<string>();
    const policy = { recovery: ["fix", "retry", "pivot", "checkpoint"] as const, stuckAfterSameErrors: 3 };
    const rates = { names: 1, mends: 60, trouble: 0.05, edit: 0, loss: 0, away: 0.8 } as const;
    const expected = ["first", "progress", "moved", "same", "superseded", "closed", "unverified"];
    const unmet = () => [...expected, "blocked", "environment", "checkpoint"].filter((what) => !met.has(what));
    for (const seed of seeds(60, 5030)) {
      const options = { seed, rates, policy: { ...policy, recovery: [...policy.recovery] } };
      const { events, records, violations } = await simulate(options);
      expect({ seed, violations }).toEqual({ seed, violations: [] });
      for (const event of events) {
        if (event.type === "task.failed" && event.progress !== null) met.add(event.progress.change);
        if (event.type === "fix.inserted" && event.supersedes !== null) met.add("superseded");
        if (event.type === "person.asked") met.add(event.about);
        if (event.type === "task.passed" && event.unverified) met.add("unverified");
      }
      if (records.some(({ type }) => type === "closed")) met.add("closed");
      if (unmet().length === 0) break;
    }
    expect(unmet()).toEqual([]);
  });

  it("I15: ends as one that nothing disturbs where checks are named and fixes are closed", async () => {
    let closed = 0;
    for (const seed of seeds(8, 6022)) {
      const rates = { kill: 0.03, refuse: 0.01, names: 1, mends: 60 };
      const options = { seed, compare: true, rates, roughStarts: 12, policy: { recovery: ["fix" as const] } };
      const { records, violations } = await simulate(options);
      expect({ seed, violations }).toEqual({ seed, violations: [] });
      closed += records.filter(({ type }) => type === "closed").length;
    }
    expect(closed).toBeGreaterThan(5);
  });

  it("is complete, and takes the time it takes, when everybody does what they are told", async () => {
    const made = await simulate({ seed: 1, plan, policy: { recovery: ["fix"] }, rates: calmRates });
    expect(made).toMatchObject({ outcome: "complete", starts: ["complete"], violations: [] });
    expect(made.tasks).toBe(plan.replaceAll("[ ]", "[x]"));
    expect(made.events.at(-1)).toMatchObject({ type: "run.ended", attempts: 2 });
    expect(made.events.at(-1)).not.toMatchObject({ durationMs: 0 });
  });
});

describe("a user's executor in a simulation", () => {
  it("is driven in place of the simulated ones", async () => {
    const keys: string[] = [];
    const made = await simulate({
      seed: 3,
      plan,
      policy: { recovery: ["retry"] },
      rates: calmRates,
      executors: {
        executor: async ({ key, taskId, attempt }, _signal, world) => {
          keys.push(key);
          await world.wait(1000 * world.random());
          if (taskId === "1.1" && attempt === 1) return failedReply(taskId, "boom");
          world.finish();
          return "TASK_COMPLETE";
        },
      },
    });
    expect(keys).toEqual(["1.1#1", "1.1#2", "1.2#1"]);
    expect(made).toMatchObject({ outcome: "complete", violations: [] });
  });

  it("is ended at the time limit when it does not answer", async () => {
    const made = await simulate({
      seed: 4,
      plan,
      policy: { recovery: ["retry"], maxTaskIterations: 2, taskTimeout: 60_000 },
      rates: calmRates,
      executors: { executor: () => new Promise(() => {}) },
    });
    expect(made).toMatchObject({ outcome: "limit", violations: [] });
    expect(made.records.filter(({ type }) => type === "delegated")).toHaveLength(2);
  });

  it("is not believed when it lies", async () => {
    const policy = { recovery: ["retry"], maxTaskIterations: 1 } as const;
    const executors = { executor: async () => "TASK_COMPLETE" };
    expect(
      await simulate({ seed: 5, plan, policy: { ...policy, recovery: ["retry"] }, rates: calmRates, executors }),
    ).toMatchObject({
      outcome: "limit",
      tasks: plan,
    });
  });

  it("changes the plan like any other", async () => {
    const made = await simulate({
      seed: 6,
      plan,
      policy: { recovery: ["retry"] },
      rates: calmRates,
      executors: {
        executor: async (_delegation, _signal, world) => {
          world.tasks.text = world.tasks.text.replace("`check 1.2`", "`reboot`");
          world.finish();
          return `${world.elapsedMs()}\nTASK_COMPLETE`;
        },
      },
      person: async () => ({ kind: "decided", decision: "stop" }),
    });
    expect(made.starts[0]).toBe("gate");
  });
});
