import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import { addressOf } from "../../src/model/command-line.ts";
import { Explanation, type Fact } from "../../src/model/explanation.ts";
import { emptyLedger } from "../../src/model/ledger.ts";
import { isOfPullRequest, Limit } from "../../src/model/limits.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { Executor } from "../../src/ports/executor.ts";
import { explain } from "../../src/runtime/explain.ts";
import type { RecordedStart } from "../../src/runtime/recorded-run.ts";
import { policies } from "../../src/testing/arbitraries.ts";
import { failedReply, scriptedExecutor, scriptedShell } from "../../src/testing/scripted-ports.ts";
import { explainDenial, flagOf } from "../../src/wording/explain-denial.ts";
import { continueRun, type MemoryRun, type MemoryRunOptions, newRun } from "../support/memory-run.ts";
import { prop } from "../support/prop.ts";
import { withoutPlan } from "../support/seen-plan.ts";

const plan = `# Tasks

- [ ] 1.1 First
  - **Files**: a.ts
  - **Verify**: \`check first\`
- [ ] 1.2 Second
  - **Files**: b.ts
  - **Verify**: \`check second\`
`;

const fails = (task: string, error = "boom") => ({ text: failedReply(task, error), exitCode: 1 });

function why(
  made: MemoryRun,
  task: string,
  { policy = {}, alive = false }: { readonly policy?: PolicyInput; readonly alive?: boolean } = {},
): Explanation {
  const start = { at: 0, policy: Policy.parse(policy), records: made.records };
  return whyAfter(made, task, [start], alive);
}

function whyAfter(made: MemoryRun, task: string, starts: readonly RecordedStart[], alive = false): Explanation {
  const found = explain({ spec: "sample", plan: readPlan(made.store.tasks.text), starts, alive }, task);
  return Explanation.strict().parse(found);
}

const of = <Kind extends Fact["kind"]>({ facts }: Explanation, kind: Kind) =>
  facts.filter((fact) => fact.kind === kind) as Extract<Fact, { kind: Kind }>[];
const kinds = ({ facts }: Explanation): string[] => facts.map(({ kind }) => kind);

async function ran(execute: Executor, options: MemoryRunOptions = {}, tasks = plan): Promise<MemoryRun> {
  const made = newRun(tasks);
  const ended = await continueRun(made, execute, options);
  if (ended !== null) made.records.push({ type: "ended", at: 0, ending: ended, planHash: "p", denial: null });
  return made;
}

const goOnCommand = "fixpoint run sample";
const mend = { kind: "mend", task: "1.1", command: goOnCommand };
const allow = (rung: string, flag: string) => ({ kind: "allow", rung, flag, command: `${goOnCommand} ${flag}` });
const raise = (limit: string, flag: string, max: number, next: string) => ({
  ...{ kind: "raise", limit, flag, max, command: `${goOnCommand} ${flag} ${next}` },
});

describe("explain", () => {
  it("shows a task that passed at once, with every layer that accepted it", async () => {
    const made = await ran(scriptedExecutor());
    const told = why(made, "1.1");
    expect(told).toMatchObject({ title: "First", state: "passed", madeFor: null, attempted: true, ways: [] });
    expect(kinds(told)).toEqual(["started", "delegated", "judged", "passed", "ended"]);
    expect(of(told, "judged")[0]).toMatchObject({ verdict: "accepted", verify: { command: "check first" } });
    expect(of(told, "judged")[0]?.layers.map(({ layer, kind }) => `${layer} ${kind}`)).toEqual(
      ["signal", "contradiction", "checkmarks", "commit", "verify"].map((layer) => `${layer} accepted`),
    );
    expect(of(told, "passed")[0]).toMatchObject({ attempts: 1, fixes: [] });
  });

  it("shows every retry with its counts, and the limit that stopped them", async () => {
    const policy = { maxTaskIterations: 2 };
    const made = await ran(scriptedExecutor({ "1.1": [fails("1.1"), fails("1.1"), fails("1.1")] }), { policy });
    const told = why(made, "1.1", { policy });
    expect(told.state).toBe("limit");
    expect(of(told, "failed").map(({ attempt, failure }) => [attempt, failure.error])).toEqual([
      [1, "boom"],
      [2, "boom"],
    ]);
    expect(of(told, "decided")).toMatchObject([
      { decision: "retry", considered: [{ rung: "retry", spent: 1, max: 2, passedOver: null }] },
      { decision: "exhausted", considered: [{ rung: "retry", spent: 2, max: 2, passedOver: "spent" }] },
    ]);
    expect(of(told, "decided").map(({ counts }) => [counts.sameErrors, counts.failures])).toEqual([
      [
        { count: 1, max: null },
        { count: 1, max: null },
      ],
      [
        { count: 2, max: null },
        { count: 2, max: null },
      ],
    ]);
    expect(told.ways).toEqual([
      raise("maxTaskIterations", "--max-task-iterations", 2, "3"),
      allow("fix", "--recovery-mode"),
      allow("repair", "--repair"),
      allow("pivot", "--escalation"),
      { kind: "tick", task: "1.1", line: 3 },
      { kind: "edit", task: "1.1", line: 3, command: goOnCommand },
    ]);
  });

  it("does not count a rejected claim as an error", async () => {
    const made = await ran(
      scriptedExecutor({ "1.1": ["It needs human eyes\nTASK_COMPLETE", "It needs human eyes\nTASK_COMPLETE"] }),
      { policy: { maxTaskIterations: 2 } },
    );
    const told = why(made, "1.1", { policy: { maxTaskIterations: 2 } });
    expect(of(told, "judged")[0]).toMatchObject({
      verdict: "rejected",
      evidence: { contradiction: expect.stringContaining("needs human") },
    });
    expect(of(told, "decided").map(({ decision, counts }) => [decision, counts.sameErrors.count])).toEqual([
      ["retry", 0],
      ["exhausted", 0],
    ]);
  });

  it("shows a fix with its task, and separately with its origin", async () => {
    const policy = { recovery: ["fix"] as const, maxFixTasksPerOriginal: 1, maxFixTaskDepth: 1 };
    const options = { policy: { ...policy, recovery: ["fix" as const] } };
    const made = await ran(scriptedExecutor({ "1.1": [fails("1.1")], "1.1.1": [fails("1.1.1", "worse")] }), options);
    const whole = why(made, "1.1", options);
    expect(of(whole, "inserted")).toMatchObject([{ task: "1.1", fix: "1.1.1", attempts: 1, limit: 1 }]);
    expect(of(whole, "delegated").map(({ task }) => task)).toEqual(["1.1", "1.1.1"]);
    const fix = why(made, "1.1.1", options);
    expect(fix).toMatchObject({ madeFor: "1.1", state: "limit" });
    expect(kinds(fix)).toEqual(["started", "inserted", "delegated", "judged", "failed", "decided", "ended"]);
    expect(of(fix, "decided")).toMatchObject([
      { decision: "exhausted", considered: [{ limit: "maxFixTaskDepth", spent: 1, max: 1, passedOver: "spent" }] },
    ]);
    expect(fix.ways.slice(0, 3)).toEqual([
      raise("maxFixTaskDepth", "--max-fix-depth", 1, "2"),
      allow("repair", "--repair"),
      allow("pivot", "--escalation"),
    ]);
  });

  it("shows how a task climbed to a checkpoint, and how to continue", async () => {
    const policy = {
      recovery: ["retry" as const, "pivot" as const, "research" as const, "checkpoint" as const],
      maxPivotAttempts: 1,
      maxResearchAttempts: 1,
      stuckAfterSameErrors: 2,
    };
    const made = await ran(async ({ taskId }) => fails(taskId), { policy });
    const told = why(made, "1.1", { policy });
    expect(told.state).toBe("checkpoint");
    expect(of(told, "decided").map(({ decision, stuck, level }) => [decision, stuck, level])).toEqual([
      ["retry", null, "normal"],
      ["pivot", "same-error", "normal"],
      ["research", "same-error", "pivot"],
      ["checkpoint", "same-error", "research"],
    ]);
    expect(of(told, "decided")[1]?.considered).toMatchObject([
      { rung: "retry", spent: 2, max: 4, passedOver: "stuck" },
      { rung: "pivot", spent: 0, max: 1, passedOver: null },
    ]);
    expect(of(told, "decided").map(({ counts }) => counts.sameErrors)).toEqual(
      [1, 2, 3, 4].map((count) => ({ count, max: 2 })),
    );
    expect(of(told, "decided").map(({ counts }) => counts.failures)).toEqual(
      [1, 2, 3, 4].map((count) => ({ count, max: null })),
    );
    expect(of(told, "delegated").map(({ level }) => level)).toEqual(["normal", "normal", "pivot", "research"]);
    expect(of(told, "failed")[0]?.signs).toMatchObject({ admission: null });
    expect(of(told, "reported")).toHaveLength(1);
    expect(of(told, "asked")).toMatchObject([{ decidable: true }]);
    expect(told.ways).toEqual([
      { kind: "guide", command: 'fixpoint resume sample --guidance "…"' },
      { kind: "decide", decision: "retry", task: "1.1", command: "fixpoint resume sample --decision retry" },
      { kind: "decide", decision: "skip", task: "1.1", command: "fixpoint resume sample --decision skip" },
      { kind: "tick", task: "1.1", line: 3 },
    ]);
    expect(why(made, "1.2", { policy })).toMatchObject({
      state: "open",
      attempted: false,
      facts: [],
      ways: [{ kind: "first", task: "1.1", command: "fixpoint why 1.1 sample" }],
    });
  });

  it("names the cap on all attempts if it denied", async () => {
    const policy = { recovery: ["fix" as const], maxTotalAttempts: 2 };
    const made = await ran(async ({ taskId }) => fails(taskId), { policy });
    const told = why(made, "1.1", { policy });
    expect(of(told, "decided").at(-1)).toMatchObject({
      decision: "exhausted",
      considered: [{ rung: "fix", passedOver: "total" }],
      counts: { failures: { count: 2, max: 2 } },
    });
    expect(told.ways.map(({ kind }) => kind)).toEqual(["raise", "tick", "edit"]);
    expect(told.ways[0]).toEqual(raise("maxTotalAttempts", "--max-total-attempts", 2, "3"));
  });

  it("says that a start runs the failed Verify first, for the task it stopped at", async () => {
    const policy = { maxTaskIterations: 1 };
    const fails = { exitCode: 1, stderr: "no\n" };
    // In a batch, Verify is repeated once no other member works, and that result decides.
    const given = () => ({
      policy,
      shell: scriptedShell({ "check first": [fails, fails], "check second": [fails, fails] }),
    });
    const stoppedAt = (made: MemoryRun, task: string): MemoryRun => {
      const ended = made.records.at(-1) as Extract<TimedRunRecord, { type: "ended" }>;
      const denial = { kind: "denied", limit: "maxTaskIterations", task, max: 1 } as const;
      return { ...made, records: [...made.records.slice(0, -1), { ...ended, denial }] };
    };
    const alone = stoppedAt(await ran(scriptedExecutor(), given()), "1.1");
    expect(why(alone, "1.1", { policy }).ways).toContainEqual(mend);
    const verification = plan.replace("1.1 First", "1.1 [VERIFY] Goal verification");
    const goal = stoppedAt(await ran(scriptedExecutor(), given(), verification), "1.1");
    const told = why(goal, "1.1", { policy });
    expect([told.state, of(told, "judged")[0]?.verify?.command]).toEqual(["limit", "check first"]);
    expect(told.ways).not.toContainEqual(mend);
    const batch = stoppedAt(await ran(scriptedExecutor(), given(), plan.replaceAll(/(1\.[12]) /g, "$1 [P] ")), "1.2");
    const kindsOf = (task: string) => why(batch, task, { policy }).ways.map(({ kind }) => kind);
    expect(["1.1", "1.2"].map((task) => kindsOf(task).includes("mend"))).toEqual([false, true]);
  });

  it("shows a limit of the whole run as the reason the task stopped", async () => {
    const policy = { recovery: ["fix" as const], maxGlobalIterations: 1 };
    const made = await ran(async ({ taskId }) => fails(taskId), { policy });
    const told = why(made, "1.1", { policy });
    expect(told.state).toBe("limit");
    expect(of(told, "denied")).toMatchObject([{ limit: "maxGlobalIterations", max: 1 }]);
    expect(told.ways).toEqual([raise("maxGlobalIterations", "--max-global-iterations", 1, "2")]);
  });

  it("shows a question that only a person can answer, in its own words", async () => {
    const shell = scriptedShell({ "check first": [{ exitCode: 127, stderr: "check: not found" }] });
    const made = await ran(scriptedExecutor(), { shell });
    const told = why(made, "1.1");
    expect(told.state).toBe("gate");
    expect(of(told, "judged")).toMatchObject([{ verdict: "undecided" }]);
    const [asked] = of(told, "asked");
    expect(asked).toMatchObject({ decidable: false });
    expect(told.ways).toEqual([mend, { kind: "answer", hint: asked?.hint }, { kind: "tick", task: "1.1", line: 3 }]);
  });

  it("shows why the executor could not work, and the end of its wait", async () => {
    const reply = { text: "", exitCode: 1, problem: { kind: "rate-limit" as const, message: "limit", until: 5000 } };
    const made = await ran(scriptedExecutor({ "1.1": [reply] }));
    const told = why(made, "1.1");
    expect(of(told, "waited")).toMatchObject([{ reason: "rate-limit", until: 5000 }]);
    const at = made.records.findIndex((record) => record.type === "answered" && record.key.endsWith("/wait"));
    const waiting = why({ ...made, records: made.records.slice(0, at), store: newRun(plan).store }, "1.1", {
      alive: true,
    });
    expect(waiting).toMatchObject({ state: "running", ways: [{ kind: "wait", until: 5000 }] });
    const before = { ...made, records: made.records.slice(0, 2), store: newRun(plan).store };
    expect(why(before, "1.1", { alive: true })).toMatchObject({
      state: "running",
      ways: [{ kind: "wait", until: null }],
    });
    expect(why(before, "1.2", { alive: true })).toMatchObject({
      state: "open",
      ways: [{ kind: "first", task: "1.1", command: "fixpoint why 1.1 sample" }],
    });
    expect(why({ ...before, records: [] }, "1.1", { alive: true })).toMatchObject({
      state: "open",
      ways: [{ kind: "wait", until: null }],
    });
  });

  it("returns nothing for a task in neither the plan nor a record", async () => {
    const made = await ran(scriptedExecutor());
    const run = { spec: "sample", plan: readPlan(plan), starts: [], alive: false };
    expect(explain({ ...run, starts: [{ at: 0, policy: Policy.parse({}), records: made.records }] }, "9.9")).toBeNull();
    expect(explain(run, "1.1")).toMatchObject({
      state: "open",
      attempted: false,
      ways: [{ kind: "run", command: "fixpoint run sample" }],
    });
  });

  it("gives no line for a task that stopped the run and is no longer in the plan", async () => {
    const policy = { maxTaskIterations: 1 };
    const made = await ran(async () => fails("1.1"), { policy });
    const starts = [{ at: 0, policy: Policy.parse(policy), records: made.records }];
    const found = explain({ spec: "sample", plan: readPlan("- [ ] 1.2 Second\n"), starts, alive: false }, "1.1");
    expect(found?.ways.at(-1)).toEqual({ kind: "edit", task: "1.1", line: null, command: goOnCommand });
  });

  it("still explains a task that was removed from the plan", async () => {
    const made = await ran(scriptedExecutor());
    const found = explain(
      {
        spec: "sample",
        plan: readPlan("- [ ] 1.2 Second\n"),
        starts: [{ at: 0, policy: Policy.parse({}), records: made.records }],
        alive: false,
      },
      "1.1",
    );
    expect(found).toMatchObject({ title: null, state: "passed", attempted: true });
    const stopped = withoutPlan(made.records).slice(0, 3);
    const gone = { spec: "sample", plan: readPlan("- [ ] 1.2 Second\n"), alive: false };
    expect(explain({ ...gone, starts: [{ at: 0, policy: Policy.parse({}), records: stopped }] }, "1.1")).toMatchObject({
      state: "open",
      ways: [],
    });
  });
});

function repairing(directives: readonly string[], failing: (task: string, attempt: number) => boolean): Executor {
  const left = [...directives];
  return async ({ taskId, attempt, role }) => {
    if (role === "operator") return left.shift() ?? "ESCALATE: all | which way?";
    return failing(taskId, attempt) ? fails(taskId, `boom ${attempt}`) : "TASK_COMPLETE";
  };
}

const repair = { recovery: ["repair" as const] };
const withOperator = (execute: Executor): MemoryRunOptions => ({
  policy: repair,
  ports: { executors: { executor: execute, verifier: execute, operator: execute } },
});

describe("explain with a repair operator", () => {
  it("shows its choice and its remaining budget", async () => {
    const execute = repairing(["RETRY: look at b.ts first"], (task, attempt) => task === "1.1" && attempt < 2);
    const made = await ran(execute, withOperator(execute));
    const told = why(made, "1.1", { policy: repair });
    expect(of(told, "delegated").map(({ role }) => role)).toEqual(["executor", "operator", "executor"]);
    expect(of(told, "repaired")).toMatchObject([{ strategy: "retry", detail: "look at b.ts first", budgetLeft: 1 }]);
    expect(of(told, "decided")).toMatchObject([{ decision: "repair", considered: [{ spent: 0, max: 2 }] }]);
  });

  it("shows the parts of a task with it, and each separately", async () => {
    const execute = repairing(
      ["DECOMPOSE: Write the reader of b | Write the writer of c"],
      (task, attempt) => task === "1.1" && attempt < 2,
    );
    const made = await ran(execute, withOperator(execute));
    const whole = why(made, "1.1", { policy: repair });
    expect(whole.state).toBe("passed");
    expect(of(whole, "delegated").map(({ task }) => task)).toEqual(["1.1", "1.1", "1.1~1", "1.1~2"]);
    const part = why(made, "1.1~2", { policy: repair });
    expect(part).toMatchObject({ title: "Write the writer of c", madeFor: "1.1", state: "passed", attempted: true });
    expect(kinds(part)).toEqual(["started", "repaired", "delegated", "judged", "passed", "ended"]);
  });

  it("shows a skipped task, and the reason", async () => {
    const execute = repairing(["PRUNE: the service is gone"], (task) => task === "1.1");
    const made = await ran(execute, withOperator(execute));
    const told = why(made, "1.1", { policy: repair });
    expect(told.state).toBe("skipped");
    expect(of(told, "skipped")).toMatchObject([{ justification: "the service is gone" }]);
    expect(told.ways).toEqual([
      { kind: "tick", task: "1.1", line: 3 },
      { kind: "decide", decision: "retry", task: "1.1", command: "fixpoint resume sample --decision retry" },
    ]);
    const ended = made.records.at(-1) as Extract<TimedRunRecord, { type: "ended" }>;
    const endedWith = (part: Partial<typeof ended.ending>) => ({
      ...made,
      records: [...made.records.slice(0, -1), { ...ended, ending: { ...ended.ending, ...part } }],
    });
    const both: TimedRunRecord = { type: "skipped", at: 0, task: "1.2", justification: "later" };
    const withBoth = { ...made, records: [...made.records.slice(0, -1), both, ended] };
    expect(why(withBoth, "1.1", { policy: repair }).ways.at(-1)).toMatchObject({ decision: "retry", others: ["1.2"] });
    const gate = endedWith({ outcome: "gate", exitCode: 3 });
    expect(why(gate, "1.1", { policy: repair }).ways.map(({ kind }) => kind)).toEqual(["tick"]);
    const again: TimedRunRecord = { type: "skipped", at: 0, task: "1.1", justification: null };
    expect(why({ ...made, records: [...made.records, again] }, "1.1", { policy: repair }).state).toBe("open");
  });

  it("shows a skipped part whose whole task was not skipped", async () => {
    const directives = ["DECOMPOSE: Write the reader of b | Write the writer of c", "PRUNE: not needed"];
    const execute = repairing(directives, (task, attempt) => task === "1.1~2" || (task === "1.1" && attempt < 2));
    const made = await ran(execute, withOperator(execute));
    expect(why(made, "1.1~2", { policy: repair }).state).toBe("skipped");
    expect(why(made, "1.1~1", { policy: repair }).state).toBe("passed");
    expect(why(made, "1.1", { policy: repair }).state).toBe("passed");
  });

  it("shows a task that a person skipped before a start", () => {
    const made = newRun(plan);
    made.records.push({ type: "skipped", at: 0, task: "1.1", justification: "later" });
    expect(why(made, "1.1")).toMatchObject({ state: "skipped", attempted: false });
    expect(why(made, "1.2").ways).toEqual([{ kind: "run", command: "fixpoint run sample" }]);
  });

  it("shows answers that could not be followed, and the question to a person", async () => {
    const execute = repairing(["dunno", "dunno"], (task) => task === "1.1");
    const made = await ran(execute, withOperator(execute));
    const told = why(made, "1.1", { policy: repair });
    expect(told.state).toBe("gate");
    expect(of(told, "refused")).toMatchObject([{ what: "repair" }, { what: "repair" }]);
    expect(told.ways.map(({ kind }) => kind)).toEqual(["decide", "decide", "guide", "tick"]);
  });

  it("shows the decision and the advice of a person", async () => {
    const answers = [{ kind: "guided", text: "use c.ts" } as const, { kind: "decided", decision: "skip" } as const];
    const execute = repairing([], (task) => task === "1.1");
    const options = withOperator(execute);
    const person = async () => answers.shift() ?? null;
    const made = await ran(execute, { ...options, ports: { ...options.ports, person } });
    const told = why(made, "1.1", { policy: repair });
    expect(of(told, "told").map(({ task, words }) => [task, words])).toEqual([
      ["1.1", "use c.ts"],
      ["1.1", "skip"],
    ]);
    expect(told.state).toBe("skipped");
  });
});

describe("explain with an open question", () => {
  const stuck = repairing([], (task) => task === "1.1");
  async function upToQuestion(): Promise<MemoryRun> {
    const made = await ran(stuck, withOperator(stuck));
    const at = made.records.findIndex(
      ({ type, ...rest }) => type === "answered" && `${Object.values(rest)}`.includes("askPerson"),
    );
    return { ...made, records: made.records.slice(0, at) };
  }

  it("says that a live question is answered in the process of the run", async () => {
    const told = why(await upToQuestion(), "1.1", { policy: repair, alive: true });
    expect(told).toMatchObject({
      state: "gate",
      ways: [{ kind: "answer", hint: "answer the open question, in the terminal of the run or with fixpoint say" }],
    });
    expect(why(await upToQuestion(), "1.2", { policy: repair, alive: true }).state).toBe("open");
  });

  it.each(["killed", "interrupted", "environment"] as const)(
    "says how to answer it if its run was %s",
    async (outcome) => {
      const made = await upToQuestion();
      const ending = { ...(await continueRun(newRun(plan), scriptedExecutor())), outcome } as never;
      const end = outcome === "killed" ? [] : [{ type: "ended", at: 0, ending, planHash: "p", denial: null } as const];
      const told = why({ ...made, records: [...made.records, ...end] }, "1.1", { policy: repair });
      expect(told.state).toBe("gate");
      expect(told.ways.map(({ kind }) => kind)).toEqual(["decide", "decide", "guide", "tick"]);
    },
  );

  it("separates a checkpoint from a gate", async () => {
    const policy = { recovery: ["checkpoint" as const] };
    const made = await ran(async ({ taskId }) => fails(taskId), { policy });
    const records = made.records.slice(0, -2);
    expect(why({ ...made, records }, "1.1", { policy, alive: true })).toMatchObject({
      state: "checkpoint",
      ways: [{ kind: "answer" }],
    });
    expect(why({ ...made, records }, "1.1", { policy })).toMatchObject({ state: "checkpoint" });
  });

  it("has no question once the end of the run was the answer", async () => {
    const options = withOperator(stuck);
    const person = async () => ({ kind: "decided", decision: "stop" }) as const;
    const made = await ran(stuck, { ...options, ports: { ...options.ports, person } });
    expect(why(made, "1.1", { policy: repair }).state).toBe("open");
  });
});

const startsOf = ({ records }: MemoryRun, ...cuts: readonly (readonly [from: number, policy: PolicyInput])[]) =>
  cuts.map(([from, policy], index) => ({
    at: 1000 * index,
    policy: Policy.parse(policy),
    records: records.slice(from, cuts[index + 1]?.[0]),
  }));

describe("explain over several starts", () => {
  it.each(["left", "released"] as const)("shows a question that a start left open: %s", async (type) => {
    const policy = { recovery: ["checkpoint" as const] };
    const made = await ran(async ({ taskId }) => fails(taskId), { policy });
    const [first] = startsOf(made, [0, policy]);
    const starts = [first, { ...first, at: 1000, records: [{ type, at: 1000 }] }] as RecordedStart[];
    expect(whyAfter(made, "1.1", starts).state).toBe("checkpoint");
  });

  it("shows the changes and the end of each, and continues in the previous one's turn", async () => {
    const made = await ran(scriptedExecutor({ "1.1": [fails("1.1")] }));
    const at = made.records.findIndex((record) => record.type === "delegated" && record.attempt === 2);
    const told = whyAfter(made, "1.1", startsOf(made, [0, {}], [at, {}]));
    expect(of(told, "ended").map(({ outcome }) => outcome)).toEqual(["killed", "complete"]);
    expect(of(told, "started").map(({ start, at: time, changed }) => [start, time, changed])).toEqual([
      [1, "1970-01-01T00:00:00.000Z", []],
      [2, "1970-01-01T00:00:01.000Z", []],
    ]);
    expect(of(told, "decided")).toHaveLength(1);
    expect(of(told, "passed")).toMatchObject([{ attempts: 2 }]);
  });

  it("shows verdicts that were recorded without their inputs", async () => {
    const made = await ran(scriptedExecutor({ "1.1": [fails("1.1"), "It needs human eyes\nTASK_COMPLETE"] }), {
      shell: scriptedShell({ "check second": [{ exitCode: 127 }] }),
    });
    const bare = made.records.map((record): TimedRunRecord => {
      if (record.type !== "answered") return record;
      const { judgement: _judgement, verify: _verify, ...rest } = record;
      return rest;
    });
    expect(of(why({ ...made, records: bare }, "1.1"), "judged")).toMatchObject([
      { verdict: "failed", layers: [{ layer: "signal", kind: "failed" }], evidence: null, verify: null },
      { verdict: "rejected", layers: [{ layer: "contradiction", kind: "rejected" }] },
      { verdict: "accepted", layers: [] },
    ]);
    expect(of(why({ ...made, records: bare }, "1.2"), "judged")).toEqual([]);
  });

  it("omits a question that was asked again", async () => {
    const made = await ran(scriptedExecutor(), { shell: scriptedShell({ "check first": [{ exitCode: 127 }] }) });
    const [question] = made.records.filter((record) => record.type === "answered" && record.key === "1.1#1/verify");
    const again = { ...question, answer: { kind: "accepted" } } as TimedRunRecord;
    const told = why({ ...made, records: [...made.records, again] }, "1.1");
    expect(of(told, "asked")).toHaveLength(1);
  });

  it("shows messages of a person to the run", async () => {
    const made = await ran(scriptedExecutor());
    const said = (event: object) => ({ type: "said", at: 0, event }) as TimedRunRecord;
    const [choice, , delegated] = withoutPlan(made.records) as [TimedRunRecord, TimedRunRecord, TimedRunRecord];
    const words = [
      said({ type: "guidance.given", text: "use c.ts" }),
      said({ type: "decision.made", decision: "retry" }),
      said({ type: "pause" }),
    ];
    const open = { ...made, store: newRun(plan).store };
    const paused = why({ ...open, records: [choice, delegated, ...words] }, "1.1", { alive: true });
    expect(of(paused, "told").map(({ words }) => words)).toEqual(["retry", "pause"]);
    expect(paused.ways).toEqual([{ kind: "run", command: "fixpoint resume sample" }]);
    const resumed = [choice, delegated, ...words, said({ type: "resume" })];
    expect(why({ ...open, records: resumed }, "1.1", { alive: true }).ways).toEqual([{ kind: "wait", until: null }]);
  });
});

const asking = (type: string, ...proposedTasks: string[]): string =>
  `TASK_MODIFICATION_REQUEST\n\`\`\`json\n${JSON.stringify({ type, originalTaskId: "1.1", reasoning: "r", proposedTasks })}\n\`\`\`\n`;

describe("explain of other events than attempts", () => {
  it("shows reviews with their findings", async () => {
    const verdicts = ["## Code\n- a.ts leaks\n\nREVIEW_FAIL", "REVIEW_PASS"];
    const execute: Executor = async ({ role }) =>
      role === "reviewer" ? (verdicts.shift() ?? "REVIEW_PASS") : "TASK_COMPLETE";
    const policy = { recovery: ["fix" as const] };
    const ports = { executors: { executor: execute, verifier: execute, reviewer: execute } };
    const made = await ran(execute, { policy, ports });
    const told = why(made, "1.2", { policy });
    expect(of(told, "reviewed").map(({ round, passed, findings }) => [round, passed, findings !== ""])).toEqual([
      [1, false, true],
      [2, true, false],
    ]);
    expect(of(told, "delegated").filter(({ role }) => role === "reviewer")).toHaveLength(2);
    const bare = made.records.map((record) => (record.type === "answered" ? { ...record, review: undefined } : record));
    expect(of(why({ ...made, records: bare as TimedRunRecord[] }, "1.2", { policy }), "reviewed")).toEqual([]);
  });

  it("shows changes of the plan, and those that were refused", async () => {
    const block =
      "- [ ] 1.0 Prepare\n  - **Do**: Do it\n  - **Files**: c.ts\n  - **Done when**: done\n  - **Verify**: `check first`\n  - **Commit**: `feat: c`\n";
    const made = await ran(
      scriptedExecutor({ "1.1": [asking("ADD_PREREQUISITE", block), asking("ADD_PREREQUISITE", "nonsense")] }),
    );
    const told = why(made, "1.1");
    expect(of(told, "changed")).toMatchObject([{ change: "ADD_PREREQUISITE", added: ["1.0"] }]);
    expect(of(told, "refused")).toMatchObject([{ what: "change" }]);
  });

  it("shows the members of a batch separately", async () => {
    const tasks = plan.replaceAll(/(1\.[12]) /g, "$1 [P] ");
    const made = await ran(scriptedExecutor({ "1.2": [fails("1.2")] }), {}, tasks);
    expect(of(why(made, "1.1"), "decided")).toEqual([]);
    expect(of(why(made, "1.2"), "decided")).toMatchObject([{ task: "1.2", decision: "retry" }]);
  });

  it("refers from a member that waits at its checkpoint to the member that is asked about", async () => {
    const policy = { recovery: ["retry" as const, "checkpoint" as const], maxTaskIterations: 1 };
    const tasks = plan.replaceAll(/(1\.[12]) /g, "$1 [P] ");
    const made = await ran(async ({ taskId }) => fails(taskId), { policy }, tasks);
    const [first, second] = ["1.1", "1.2"].map((task) => why(made, task, { policy }));
    expect([first?.state, second?.state]).toEqual(["checkpoint", "checkpoint"]);
    expect(first?.ways.map(({ kind }) => kind)).toEqual(["guide", "decide", "decide", "tick"]);
    expect(second?.ways).toEqual([
      { kind: "first", task: "1.1", command: "fixpoint why 1.1 sample" },
      { kind: "tick", task: "1.2", line: expect.any(Number) },
    ]);
  });

  it("terminates for a cycle of fixes", () => {
    const circle = readPlan("- [ ] 1.1 [FIX 1.2] A\n- [ ] 1.2 [FIX 1.1] B\n");
    expect(explain({ spec: "s", plan: circle, starts: [], alive: false }, "1.1")).toMatchObject({ madeFor: "1.2" });
  });
});

describe("flagOf", () => {
  it.each(Limit.options.filter((limit) => !isOfPullRequest(limit)))("returns the option for a stop at %s", (limit) => {
    const { hint } = explainDenial({ kind: "denied", limit, task: "1.1", max: 1 }, {}, null, {
      address: addressOf("s"),
      used: emptyLedger,
      rerunsFirst: () => false,
      hasLearnings: false,
    });
    expect(/--[a-z-]+/.exec(hint)?.[0]).toBe(flagOf(limit));
  });
});

const ladders = fc.constantFrom<Policy["recovery"]>(
  ["retry"],
  ["fix"],
  ["retry", "fix"],
  ["fix", "repair"],
  ["retry", "fix", "pivot", "research", "checkpoint"],
  ["fix", "repair", "pivot", "research", "checkpoint"],
);

const isFailure = (fact: Fact): boolean =>
  fact.kind === "failed" || (fact.kind === "judged" && fact.verdict === "rejected");

describe("explain, for every run", () => {
  prop(
    "shows the decisions made, with number, kind and counts",
    [
      policies(),
      ladders,
      fc.array(fc.constantFrom("ok", "boom", "bang", "rejected", "lost"), { maxLength: 15 }),
      fc.boolean(),
    ],
    async (limits, recovery, script, parallel) => {
      const policy = { ...limits, recovery };
      const left = [...script];
      const directives = [
        "RETRY: again, but slowly",
        "DECOMPOSE: Write the reader of b | Write the writer of c",
        "dunno",
      ];
      let asked = 0;
      const execute: Executor = async ({ taskId, role }) => {
        if (role === "operator") return directives[asked++ % 3] as string;
        const fate = left.shift() ?? "ok";
        if (fate === "ok") return "TASK_COMPLETE";
        if (fate === "rejected") return "It needs human eyes\nTASK_COMPLETE";
        return fails(taskId, fate === "lost" ? `${taskId} fails. I don't know how to go on` : fate);
      };
      const tasks = parallel ? plan.replaceAll(/(1\.[12]) /g, "$1 [P] ") : plan;
      const ports = { executors: { executor: execute, verifier: execute, operator: execute } };
      const made = await ran(execute, { policy, ports }, tasks);
      const decisions = made.events.filter((event) => event.type === "task.decided");
      const explained = ["1.1", "1.2"].map((task) => why(made, task, { policy }));
      const told = explained.flatMap((each) => of(each, "decided"));
      const plain = ({
        task,
        decision,
        stuck,
        level,
        considered,
      }: (typeof decisions)[number] | (typeof told)[number]) => ({
        task,
        decision,
        stuck,
        level,
        considered,
      });
      const rootOf = (task: string): string => task.slice(0, 3);
      const made12 = ["1.1", "1.2"].flatMap((root) => decisions.filter(({ task }) => rootOf(task) === root));
      expect(told.map(plain)).toEqual(made12.map(plain));
      for (const { facts } of explained) {
        facts.forEach((fact, index) => {
          if (fact.kind !== "decided") return;
          const before = facts.slice(0, index).filter(isFailure);
          const errors = before.flatMap((each) => (each.kind === "failed" ? [each.failure.fingerprint] : []));
          const { sameErrors, failures, admission } = fact.counts;
          expect(failures.count).toBe(before.length);
          expect(sameErrors.count).toBeLessThanOrEqual(
            errors.length - errors.findLastIndex((e) => e !== errors.at(-1)) - 1,
          );
          if (fact.stuck === "same-error") expect(sameErrors.count).toBeGreaterThanOrEqual(3);
          if (fact.stuck === "admission") expect(admission).not.toBeNull();
        });
      }
    },
  );
});
