import { describe, expect, it } from "vitest";
import { createTaskMachine } from "../../machines/task.ts";
import { noEscalation } from "../../src/model/escalation.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import { plannedTask } from "../../src/model/task-id.ts";
import { lineageIn } from "../../src/recover/check-limit.ts";
import { pending, report, send, start } from "../../src/runtime/step.ts";
import { policies, taskIds } from "../../src/testing/arbitraries.ts";
import { allFates, fates } from "../support/arbitraries.ts";
import { callBound, longestRun } from "../support/longest-run.ts";
import { digest, playTask } from "../support/play-task.ts";
import { prop } from "../support/prop.ts";

const fix = { recovery: ["fix" as const] };

describe("task machine", () => {
  it("delegates a task that passes once", () => {
    const { keys, outcome } = playTask({ root: "1.1" }, ["accepted"]);
    expect(keys).toEqual(["1.1#1/delegate", "1.1#1/verify", "1.1#1/recordPass"]);
    expect(outcome).toEqual({
      kind: "passed",
      root: "1.1",
      current: "1.1",
      spent: { "1.1": { attempts: 1, retries: 0, fixes: [] } },
    });
  });

  it("retries a failed task without recovery mode, and stops after maxTaskIterations", () => {
    const { delegated, outcome } = playTask({ root: "1.1" }, Array(9).fill("failed"));
    expect(delegated).toEqual(["1.1", "1.1", "1.1", "1.1", "1.1"]);
    expect(outcome).toMatchObject({ kind: "exhausted", denial: { limit: "maxTaskIterations", task: "1.1", max: 5 } });
  });

  it("counts a success on the last allowed attempt", () => {
    const script = ["failed", "failed", "failed", "failed", "accepted"] as const;
    expect(playTask({ root: "1.1" }, script).outcome.kind).toBe("passed");
  });

  it.each([["all"], ["spec"]] as const)("asks what a task is to ship where its run commits %s", (commit) => {
    const machine = createTaskMachine();
    const { state } = start(machine, { root: "1.1", policy: { commit, pullRequest: {} } });
    const { effects } = report(machine, state, "1.1#1/delegate", { kind: "replied" });
    expect(effects).toMatchObject([{ name: "verify", input: { ships: commit === "all" ? "all" : "own" } }]);
  });

  it("tells a person where a task is too much for its executor at once", () => {
    const machine = createTaskMachine();
    let { state } = start(machine, { root: "1.1", policy: { recovery: ["checkpoint"] } });
    const answers: Readonly<Record<string, object>> = {
      delegate: { kind: "replied" },
      verify: { kind: "failed", layer: "signal", reason: "too long" },
      readFailure: { ...digest, kind: "context-exhausted" },
      writeStuckReport: { kind: "written", path: "stuck-report.md" },
    };
    for (let [effect] = pending(machine, state); effect?.name !== "askPerson"; [effect] = pending(machine, state)) {
      if (effect === undefined) throw new Error("Nobody was asked");
      state = report(machine, state, effect.key, answers[effect.name] as never).state;
    }
    expect(pending(machine, state)).toMatchObject([{ name: "askPerson", input: { tooLong: true } }]);
  });

  it("begins with the directives of an earlier start, and keeps advice until there is other", () => {
    const machine = createTaskMachine();
    const repairs = [{ task: "1.3", directive: { strategy: "retry" as const, adjustment: "use bash" } }];
    let { state } = start(machine, { root: "1.3", repairs });
    for (const text of ["use zod", ""]) state = send(machine, state, { type: "guidance.given", text }).state;
    expect(state.nodes[""]?.context).toMatchObject({ repairs, guidance: "use zod", keepOpen: false });
  });

  it("fixes a failed task, then retries it", () => {
    const { delegated, outcome, events } = playTask({ root: "1.3", policy: fix }, ["failed", "accepted", "accepted"]);
    expect(delegated).toEqual(["1.3", "1.3.1", "1.3"]);
    expect(outcome.kind).toBe("passed");
    expect(events.map(({ type }) => type)).toEqual([
      ...["task.failed", "task.decided", "fix.inserted"],
      ...["task.passed", "task.passed"],
    ]);
    const { kind, error, attemptedFix, status } = digest;
    const failure = { kind, error, attemptedFix, status };
    expect(events[0]).toEqual({ type: "task.failed", task: "1.3", failure, progress: null });
    expect(events[1]).toMatchObject({ decision: "fix", considered: [{ rung: "fix", spent: 0, passedOver: null }] });
    const inserted = { type: "fix.inserted", task: "1.3", fix: "1.3.1", supersedes: null };
    expect(events[2]).toEqual({ ...inserted, attempts: 1, limit: 4 });
  });

  it("fixes a fix that failed with something new before it retries either", () => {
    const { delegated } = playTask({ root: "1.3", policy: fix }, ["failed", { error: "new" }]);
    expect(delegated).toEqual(["1.3", "1.3.1", "1.3.1.1", "1.3.1", "1.3"]);
  });

  it("puts another fix in the place of one that failed with what it was made for", () => {
    const { delegated, events, outcome } = playTask({ root: "1.3", policy: fix }, ["failed", "failed"]);
    expect(delegated).toEqual(["1.3", "1.3.1", "1.3.2", "1.3"]);
    expect(events.filter(({ type }) => type === "fix.inserted")).toMatchObject([
      { task: "1.3", fix: "1.3.1", supersedes: null, attempts: 1 },
      { task: "1.3", fix: "1.3.2", supersedes: "1.3.1", attempts: 2 },
    ]);
    expect(outcome.spent).toMatchObject({
      "1.3": { fixes: ["1.3.1", "1.3.2"] },
      "1.3.1": { madeFor: { fingerprint: "f" }, supersededBy: "1.3.2", fixes: [] },
      "1.3.2": { madeFor: { fingerprint: "f" } },
    });
  });

  it("stops when a task has had all its fixes", () => {
    const script = Array.from({ length: 5 }, () => ["failed" as const, "accepted" as const]).flat();
    expect(playTask({ root: "1.3", policy: fix }, script).outcome).toMatchObject({
      kind: "exhausted",
      denial: { limit: "maxFixTasksPerOriginal", task: "1.3", max: 4 },
      spent: { "1.3": { fixes: ["1.3.1", "1.3.2", "1.3.3", "1.3.4"] } },
    });
  });

  it("stops when as many fixes of a task have been of no use", () => {
    const { outcome, delegated } = playTask({ root: "1.3", policy: fix }, Array(9).fill("failed"));
    expect(delegated).toEqual(["1.3", "1.3.1", "1.3.2", "1.3.3", "1.3.4"]);
    expect(outcome).toMatchObject({
      kind: "exhausted",
      current: "1.3.4",
      denial: { limit: "maxFixTasksPerOriginal", task: "1.3", max: 4 },
    });
  });

  it("stops when fixes are nested too deeply", () => {
    const script = [1, 2, 3, 4].map((number) => ({ error: `error ${number}` }));
    expect(playTask({ root: "1.3", policy: fix }, script).outcome).toMatchObject({
      kind: "exhausted",
      current: "1.3.1.1.1",
      denial: { limit: "maxFixTaskDepth", max: 3 },
    });
  });

  it("stops when a tree has had all its fixes", () => {
    const policy = { ...fix, maxFixTasksPerRoot: 1 };
    expect(playTask({ root: "1.3", policy }, ["failed", "failed"]).outcome).toMatchObject({
      denial: { limit: "maxFixTasksPerRoot", task: "1.3", max: 1 },
    });
  });

  it("delegates a rejected claim again, in recovery mode too", () => {
    const { delegated, outcome, events } = playTask({ root: "1.3", policy: fix }, Array(9).fill("rejected"));
    expect(delegated).toHaveLength(5);
    expect(outcome).toMatchObject({ kind: "exhausted", denial: { limit: "maxTaskIterations" } });
    expect(events[0]).toEqual({ type: "task.rejected", task: "1.3", layer: "commit", reason: "as scripted" });
  });

  it.each([
    ["is tried again behind a fix that was done before this start", {}, {}, ["delegate"]],
    ["is given another fix where it was tried behind that already", { repaired: false }, {}, ["insertFix"]],
    ["climbs on where it had climbed since", {}, { level: "pivot" }, ["insertFix"]],
    ["asks again what was asked and not answered", {}, { asked: true }, ["askPerson"]],
  ] as const)("%s", (_, more, escalation, asked) => {
    const { effects } = start(createTaskMachine(), {
      root: "1.1",
      policy: { recovery: ["fix"], maxTaskIterations: 2 },
      spent: { "1.1": { attempts: 2, retries: 1, fixes: ["1.1.1"] }, "1.1.1": { attempts: 1, retries: 0, fixes: [] } },
      repaired: true,
      ...more,
      escalation: {
        ...{ ...noEscalation, failures: 2, sameErrors: 1, lastError: "e", lastFingerprint: "f" },
        ...{ evidence: { command: null, claim: "", findings: "" }, ...escalation },
      },
    });
    expect(effects.map(({ name }) => name)).toEqual(asked);
  });

  it("puts a question of its executor again that an earlier start was not answered", () => {
    const { effects, state } = start(createTaskMachine(), { root: "1.3", current: "1.3.1", question: "Which colour?" });
    expect(effects).toMatchObject([
      { name: "askPerson", input: { task: "1.3.1", root: "1.3", about: "blocked", question: "Which colour?" } },
    ]);
    const { effects: next } = report(createTaskMachine(), state, "1.3.1#0/askPerson", { kind: "guided", text: "Blue" });
    expect(next).toMatchObject([{ name: "delegate", input: { task: "1.3.1", guidance: "Blue", attempt: 1 } }]);
  });

  it("holds a task that was attempted in an earlier start to its limits before it is delegated again", () => {
    const spent = { "1.3": { attempts: 5, retries: 4, fixes: [] } };
    expect(playTask({ root: "1.3", spent }, [])).toMatchObject({
      delegated: [],
      outcome: { kind: "exhausted", denial: { limit: "maxTaskIterations", task: "1.3", max: 5 }, lastError: null },
    });
  });

  it("names what the last claim was rejected for when no retry is left", () => {
    const { outcome } = playTask({ root: "1.3", policy: { maxTaskIterations: 1 } }, ["rejected"]);
    expect(outcome).toMatchObject({ kind: "exhausted", lastError: "as scripted" });
  });

  it("goes on at a fix below the root with what the tree has spent", () => {
    const spent = {
      "1.3": { attempts: 1, retries: 0, fixes: ["1.3.1"] },
      "1.3.1": { attempts: 2, retries: 1, fixes: [] },
    };
    const { keys } = playTask({ root: "1.3", current: "1.3.1", spent, policy: fix }, []);
    expect(keys[0]).toBe("1.3.1#3/delegate");
    expect(keys.at(-1)).toBe("1.3#2/recordPass");
  });
});

describe("task machine, beside failing and fixing", () => {
  const types = (script: Parameters<typeof playTask>[1], policy: PolicyInput = fix) =>
    playTask({ root: "1.3", policy }, script).events.map(({ type }) => type);
  const keysOf = (script: Parameters<typeof playTask>[1], policy: PolicyInput = fix) =>
    playTask({ root: "1.3", policy }, script).keys.map((key) => key.slice(key.indexOf("#") + 1));

  it("has what was done reviewed, and passes it", () => {
    expect(keysOf(["reviewed"])).toEqual(["1/delegate", "1/verify", "1/review", "1/recordPass"]);
    expect(types(["reviewed"])).toEqual(["review.ended", "task.passed"]);
    expect(playTask({ root: "1.3", policy: fix }, ["reviewed"]).events[0]).toMatchObject({ round: 1, passed: true });
  });

  it("makes a fix of what a reviewer finds", () => {
    const { delegated, events } = playTask({ root: "1.3", policy: fix }, ["disapproved"]);
    expect(delegated).toEqual(["1.3", "1.3.1", "1.3"]);
    expect(events[0]).toEqual({
      type: "review.ended",
      task: "1.3",
      round: 1,
      passed: false,
      findings: "as scripted",
    });
  });

  it("waits for an executor that cannot work, and spends no attempt on it", () => {
    const policy = { maxTaskIterations: 1 };
    expect(keysOf(["hindered"], policy)).toEqual([
      ...["1/delegate", "1/verify", "1/readFailure", "1/wait"],
      ...["2/delegate", "2/verify", "2/recordPass"],
    ]);
    const { events, outcome } = playTask({ root: "1.3", policy }, ["hindered"]);
    expect(events).toEqual([
      { type: "waiting", task: "1.3", reason: "rate-limit", until: 1000, error: "boom" },
      { type: "task.passed", task: "1.3", attempts: 1, fixes: [], unverified: false },
    ]);
    expect(outcome.spent["1.3"]).toMatchObject({ attempts: 2, retries: 0, waits: 1 });
  });

  it("says behind a wait whose end nobody knew what was waited for, and since when", () => {
    const machine = createTaskMachine();
    let step = start(machine, { root: "1.3" });
    const failed = [
      ["delegate", { kind: "replied" }],
      ["verify", { kind: "failed", layer: "signal", reason: "r" }],
    ] as const;
    for (const [name, answer] of failed) step = report(machine, step.state, `1.3#1/${name}`, answer as never);
    expect(step.effects[0]?.input).toMatchObject({ waiting: null });
    for (const [key, answer] of [
      ["1.3#1/readFailure", { ...digest, kind: "auth", since: 1000 }],
      ["1.3#1/wait", { kind: "waited" }],
      ...failed.map(([name, answer]) => [`1.3#2/${name}`, answer] as const),
    ] as const) {
      step = report(machine, step.state, key, answer as never);
    }
    expect(step.effects[0]).toMatchObject({
      ...{ key: "1.3#2/readFailure", input: { waiting: { reason: "auth", since: 1000 } } },
    });
  });

  it("goes on at once when another executor stands in", () => {
    expect(keysOf(["replaced"], { maxTaskIterations: 1 })).not.toContain("1/wait");
    expect(types(["replaced"], { maxTaskIterations: 1 })).toEqual(["task.failed", "task.passed"]);
  });

  it("judges the claim of an attempt that asks for tasks behind it, or whose request is refused", () => {
    expect(keysOf(["extended"])).toEqual(["1/delegate", "1/changePlan", "1/verify", "1/recordPass"]);
    expect(types(["extended"])).toEqual(["plan.changed", "task.passed"]);
    expect(types(["refused"])).toEqual(["change.refused", "task.passed"]);
  });

  it("leaves the task when others come first, and spends no attempt on that", () => {
    const { outcome, keys } = playTask({ root: "1.3" }, ["replanned"]);
    expect(keys).toEqual(["1.3#1/delegate", "1.3#1/changePlan"]);
    expect(outcome).toMatchObject({ kind: "replanned", spent: { "1.3": { attempts: 1, waits: 1 } } });
    const again = playTask({ root: "1.3", spent: outcome.spent, policy: { maxTaskIterations: 1 } }, []);
    expect(again.delegated).toEqual(["1.3"]);
  });

  it.each(["changePlan", "wait"] as const)("stops with the question that %s asks", (asking) => {
    const machine = createTaskMachine();
    const question = { kind: "gate", reason: "May it?", hint: "Say so" } as const;
    let step = start(machine, { root: "1.3" });
    for (const [key, answer] of asking === "wait"
      ? ([
          ["1.3#1/delegate", { kind: "replied" }],
          ["1.3#1/verify", { kind: "failed", layer: "signal", reason: "r" }],
          ["1.3#1/readFailure", { ...digest, kind: "auth" }],
          ["1.3#1/wait", question],
        ] as const)
      : ([
          ["1.3#1/delegate", { kind: "requested" }],
          ["1.3#1/changePlan", question],
        ] as const)) {
      step = report(machine, step.state, key, answer as never);
    }
    expect(step.state.output).toMatchObject({ kind: "gate", reason: "May it?", root: "1.3" });
  });

  it.each([
    ["auth", {}],
    ["permission", { denied: { tool: "Bash", act: "npm test" } }],
  ] as const)("tells a wait for a person, whose end nobody knows: %s", (reason, more) => {
    const machine = createTaskMachine();
    let step = start(machine, { root: "1.3" });
    for (const [key, answer] of [
      ["1.3#1/delegate", { kind: "replied" }],
      ["1.3#1/verify", { kind: "failed", layer: "signal", reason: "r" }],
      ["1.3#1/readFailure", { ...digest, ...more, kind: reason }],
    ] as const) {
      step = report(machine, step.state, key, answer as never);
    }
    expect(step.events).toEqual([{ type: "waiting", task: "1.3", reason, until: null, error: "boom" }]);
    expect(step.effects[0]?.input).toMatchObject({ ...more, reason, error: "boom", until: null });
  });

  it("is exhausted when the run allows no review", () => {
    const machine = createTaskMachine();
    let step = start(machine, { root: "1.3" });
    const denied = { kind: "denied", limit: "maxGlobalIterations", task: "1.3", max: 1 } as const;
    for (const [key, answer] of [
      ["1.3#1/delegate", { kind: "replied" }],
      ["1.3#1/verify", { kind: "accepted", reviewDue: true }],
      ["1.3#1/review", denied],
    ] as const) {
      step = report(machine, step.state, key, answer as never);
    }
    expect(step.state.output).toMatchObject({ kind: "exhausted", denial: denied });
  });
});

describe("task machine, for every policy and every sequence of fates", () => {
  prop(
    "I1: delegates at most as often as the limits add up to",
    [taskIds(), policies(), fates],
    (root, given, script) => {
      const policy = Policy.parse(given);
      const mixed = policy.recovery.length > 1;
      const bound = mixed ? callBound({ ...policy, recovery: ["fix"] }) : callBound(policy);
      expect(playTask({ root, policy }, script).delegated.length).toBeLessThanOrEqual(bound);
    },
  );

  prop("I1: waits and replacements spend no attempt", [taskIds(), policies(), allFates], (root, given, script) => {
    const policy = Policy.parse(given);
    const { delegated, outcome } = playTask({ root, policy }, script);
    const waits = Object.values(outcome.spent).reduce((sum, { waits: each = 0 }) => sum + each, 0);
    const bound = callBound(policy.recovery.length > 1 ? { ...policy, recovery: ["fix"] } : policy);
    expect(delegated.length - waits).toBeLessThanOrEqual(bound);
  });

  prop("I1: makes at most 64 steps between two delegations", [policies(), allFates], (policy, script) => {
    const { keys } = playTask({ root: "1.1", policy }, script);
    const gaps = keys.join(" ").split("/delegate");
    expect(Math.max(...gaps.map((gap) => gap.split(" ").length))).toBeLessThanOrEqual(64);
  });

  prop("I2: stays within every limit in every state", [taskIds(), policies(), allFates], (root, given, script) => {
    const policy = Policy.parse(given);
    for (const { current, spent } of playTask({ root, policy }, script).contexts) {
      const all = Object.values(spent);
      expect(Math.max(...all.map(({ retries }) => retries + 1))).toBeLessThanOrEqual(policy.maxTaskIterations);
      expect(Math.max(...all.map(({ fixes }) => fixes.length))).toBeLessThanOrEqual(policy.maxFixTasksPerOriginal);
      expect(lineageIn(spent, plannedTask(current)).length - 1).toBeLessThanOrEqual(policy.maxFixTaskDepth);
      expect(all.flatMap(({ fixes }) => fixes).length).toBeLessThanOrEqual(policy.maxFixTasksPerRoot);
    }
  });

  prop("I2: never lowers a count", [policies(), allFates], (policy, script) => {
    const { contexts } = playTask({ root: "1.1", policy }, script);
    contexts.slice(1).forEach(({ spent }, index) => {
      for (const [task, before] of Object.entries(contexts[index]?.spent ?? {})) {
        expect(spent[task]?.attempts).toBeGreaterThanOrEqual(before.attempts);
        expect(spent[task]?.retries).toBeGreaterThanOrEqual(before.retries);
        expect(spent[task]?.fixes.slice(0, before.fixes.length)).toEqual(before.fixes);
      }
    });
  });

  prop(
    "I3: makes each fix a child of the task that failed, numbered in order",
    [taskIds(), policies(), allFates],
    (root, policy, script) => {
      for (const event of playTask({ root, policy }, script).events) {
        if (event.type === "fix.inserted") expect(event.fix).toBe(`${event.task}.${event.attempts}`);
      }
    },
  );

  prop(
    "I9: never asks for the same effect twice, nor takes an answer twice",
    [policies(), allFates],
    (policy, script) => {
      const { keys } = playTask({ root: "1.1", policy }, script);
      expect(new Set(keys).size).toBe(keys.length);
    },
  );

  prop(
    "I10: passes only after the root itself was accepted last",
    [taskIds(), policies(), allFates],
    (root, policy, script) => {
      const { outcome, keys, events } = playTask({ root, policy }, script);
      const passed = events.at(-1);
      expect(outcome.kind === "passed").toBe(
        passed?.type === "task.passed" && passed.task === root && keys.at(-1)?.endsWith("/recordPass") === true,
      );
    },
  );

  prop("I18: repeats itself exactly", [policies(), allFates], (policy, script) => {
    expect(playTask({ root: "1.1", policy }, script)).toEqual(playTask({ root: "1.1", policy }, script));
  });

  it("allows at most 59 delegations of one root task with the defaults of recovery mode", () => {
    expect(longestRun(Policy.parse(fix))).toBe(59);
    expect(callBound(Policy.parse(fix))).toBe(59);
  });
});
