import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { EffectInput } from "../../src/model/effect.ts";
import type { Cause } from "../../src/model/pull-request.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { plannedTask } from "../../src/model/task.ts";
import type { LocalBranch } from "../../src/ports/branch.ts";
import type { Git } from "../../src/ports/git.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { CommandResult } from "../../src/ports/shell.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { type ScriptedAnswer, scriptedExecutor, scriptedShell } from "../../src/testing/scripted-ports.ts";
import { recordAnswer } from "../support/answered.ts";
import { inputs } from "../support/effect-inputs.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { performing } from "../support/performing.ts";
import { gitEvidence } from "../support/sample-git.ts";
import { seenPlan, withoutPlan } from "../support/seen-plan.ts";

const never = new AbortController().signal;
const one = "- [ ] 1.1 First\n  - **Files**: src/a.ts\n  - **Verify**: `check`\n";
const two = `${one}- [ ] 1.2 Second\n`;
const accepted = { kind: "accepted", proof: { kind: "unproven", reason: "no result from before the work" } } as const;
const unverified = { kind: "accepted", proof: { kind: "unverified" } } as const;

function world({
  plan = one,
  said = "TASK_COMPLETE" as ScriptedAnswer,
  ends = [] as readonly Partial<CommandResult>[],
  more = {} as Partial<Ports>,
  isReviewed = false,
  records = [] as readonly RunRecord[],
} = {}) {
  const made: RunRecord[] = [];
  const ran: string[] = [];
  const scripted = scriptedShell({ check: ends });
  const run: Ports["shell"]["run"] = (command, ...given) => {
    ran.push(command);
    return scripted.run(command, ...given);
  };
  const store = memoryStore(plan);
  const append = (more: readonly RunRecord[]) => void made.push(...withoutPlan(more));
  const memory = createRunMemory({ open: 2, store: { append, writeOutput: () => {}, readOutput: async () => "" } });
  for (const record of [seenPlan(plan), ...records]) memory.apply(record);
  const base = memoryPorts(store, scriptedExecutor({ "1.1": [said], "VF~1": [said] }), { ...scripted, run });
  const reviewer = async (): Promise<string> => "REVIEW_PASS";
  const executors = { ...base.executors, ...(isReviewed && { reviewer }) };
  const ports = withMemory({ ...base, executors, ...more, attempts: memory });
  const effects = performing(ports);
  const verify = (input: Partial<EffectInput<"verify">> = {}, task = "1.1") =>
    effects.verify(inputs.verify(task, 1, input), never);
  const attempt = async (input: Partial<EffectInput<"verify">> = {}, task = "1.1") => {
    await effects.delegate(inputs.delegate(task, 1, { root: plannedTask(task) }), never);
    return verify(input, task);
  };
  return { store, memory, made, ran, base, effects, verify, attempt };
}

function ticking(text: string, options: Parameters<typeof world>[0] = {}) {
  const made: ReturnType<typeof world> = world({
    ...options,
    said: () => {
      made.store.tasks.text = made.store.tasks.text.replace("[ ] 1.1", "[x] 1.1");
      return text;
    },
  });
  return made;
}

describe("an accepted claim", () => {
  it("is reviewed if a review is due, there is a reviewer, and rounds are left", async () => {
    const isReviewed = true;
    expect(await world({ isReviewed }).attempt()).toStrictEqual({ ...accepted, reviewDue: true });
    expect(await world({ isReviewed }).attempt({ reviews: 2 })).toStrictEqual({ ...accepted, reviewDue: true });
    expect(await world({ isReviewed }).attempt({ reviews: 3 })).toStrictEqual(accepted);
    expect(await world({ isReviewed, plan: two }).attempt()).toStrictEqual(accepted);
    expect(await world().attempt()).toStrictEqual(accepted);
    expect(await world({ isReviewed, ends: [{ exitCode: 1 }] }).attempt()).toMatchObject({ kind: "failed" });
  });

  it("keeps the tick of its executor, unless it is reviewed first", async () => {
    const kept = ticking("TASK_COMPLETE");
    expect(await kept.attempt()).toStrictEqual(accepted);
    expect(kept.store.tasks.text).toContain("[x] 1.1");
    expect(kept.made.map(({ type }) => type)).toEqual(["delegated", "answered", "answered"]);
    const taken = ticking("TASK_COMPLETE", { isReviewed: true });
    expect(await taken.attempt()).toStrictEqual({ ...accepted, reviewDue: true });
    expect(taken.store.tasks.text).toContain("[ ] 1.1");
  });

  it("is not verified if executors are trusted, or there is no Verify", async () => {
    const trusting = world();
    expect(await trusting.attempt({ trustExecutor: true })).toStrictEqual(unverified);
    expect(trusting.ran).toEqual([]);
    expect((await trusting.memory.recall("1.1#1")).judgement?.evidence.verify).toBe("not run: executors are trusted");
    expect(await world({ plan: "- [ ] 1.1 First\n" }).attempt()).toStrictEqual(unverified);
  });

  it("of a part is not compared with a goal", async () => {
    const made = world({ plan: "- [ ] VF [VERIFY] Goal verification\n", said: "VERIFICATION_PASS" });
    const directive = { strategy: "decompose", parts: ["One", "Two"] };
    recordAnswer(made.memory, "VF#1/askOperator", { kind: "directed", directive });
    expect(await made.attempt({}, "VF~1")).toStrictEqual(unverified);
  });
});

describe("a rejected claim", () => {
  const contradicted = "It needs human eyes\nTASK_COMPLETE";

  it("has its tick reverted, after the inputs of its verdict are recorded", async () => {
    const made = ticking(contradicted);
    expect(await made.attempt()).toMatchObject({ kind: "rejected", layer: "contradiction" });
    expect(made.store.tasks.text).toContain("[ ] 1.1");
    expect(made.made.map(({ type }) => type)).toEqual(["delegated", "answered", "judged", "answered"]);
    expect(made.made[2]).toMatchObject({ key: "1.1#1/verify", answer: { kind: "rejected" } });
    const plain = world({ said: contradicted });
    await plain.attempt();
    expect(plain.made.map(({ type }) => type)).toEqual(["delegated", "answered", "answered"]);
  });

  it("still has its Verify run, unless its executor gave up", async () => {
    const made = world({ said: contradicted });
    await made.attempt();
    expect(made.ran).toEqual(["check"]);
    const left = world({ said: { text: contradicted, exitCode: 1 } });
    expect(await left.attempt()).toMatchObject({ kind: "failed", layer: "signal" });
    expect(left.ran).toEqual([]);
  });

  it("says that its tool denied an action that no one was asked about", async () => {
    const denials = [{ tool: "Bash", act: "npm test" }];
    const made = world({ said: { text: `I was not allowed to test. ${contradicted}`, denials } });
    expect(await made.attempt()).toMatchObject({ kind: "rejected", withheld: true });
    expect(await world({ said: { text: contradicted, denials } }).attempt()).not.toHaveProperty("withheld");
    expect(await world({ said: contradicted }).attempt()).not.toHaveProperty("withheld");
    const failed = world({ said: { text: "TASK_COMPLETE", denials }, ends: [{ exitCode: 1 }] });
    expect(await failed.attempt()).not.toHaveProperty("withheld");
    const asked = world({ said: { text: `I was not allowed to test. ${contradicted}`, denials } });
    recordAnswer(asked.memory, "1.1#0/readFailure", { kind: "permission", denied: denials[0], until: null });
    expect(await asked.attempt()).not.toHaveProperty("withheld");
  });
});

describe("other changes of the plan during an attempt", () => {
  const contradicted = "It needs human eyes\nTASK_COMPLETE";
  const setting = (ids: readonly string[], said: string, plan: string) => {
    const made: ReturnType<typeof world> = world({
      plan,
      said: () => {
        const { tasks } = made.store;
        for (const id of ids) tasks.text = tasks.text.replace(`[ ] ${id} `, `[x] ${id} `);
        return said;
      },
    });
    return made;
  };
  const batch = `${two}- [ ] 1.3 Third\n`;

  it("are kept if other members of the batch are working, because the changes may be theirs", async () => {
    const made = setting(["1.1", "1.2"], contradicted, batch);
    await made.effects.delegate(inputs.delegate("1.2"), never);
    expect(await made.attempt()).toMatchObject({ kind: "rejected", layer: "contradiction" });
    expect(made.store.tasks.text).toMatch(/\[ \] 1\.1 [\s\S]*\[x\] 1\.2 /);
  });

  it("count against the claim if no one else is working", async () => {
    const made = setting(["1.2"], "TASK_COMPLETE", batch);
    expect(await made.attempt()).toMatchObject({ kind: "rejected", layer: "checkmarks" });
    expect(made.store.tasks.text).toContain("[ ] 1.2 ");
  });

  it("raise a question if a text changed: the ticks are reverted, and the new text stays", async () => {
    const made = setting(["1.1"], "TASK_COMPLETE", batch);
    await made.effects.delegate(inputs.delegate("1.1"), never);
    made.store.tasks.text = made.store.tasks.text.replace("1.3 Third", "1.3 Other");
    expect(await made.verify()).toStrictEqual({
      kind: "gate",
      ofRun: true,
      reason: expect.stringMatching(/^The plan was changed while task 1\.1 was worked on: /),
      hint: expect.stringContaining("; run again to see how to accept the current text"),
    });
    expect(made.store.tasks.text).toContain("[ ] 1.1 ");
    expect(made.store.tasks.text).toContain("1.3 Other");
  });

  it("count against the claim if an earlier start reverted them", async () => {
    const made = world({ plan: two });
    await made.effects.delegate(inputs.delegate("1.1"), never);
    made.memory.apply({ type: "boxes", key: "1.1#1", set: ["1.2"], cleared: [] });
    expect(await made.verify()).toMatchObject({ kind: "rejected", layer: "checkmarks" });
  });
});

describe("a Verify that cannot run", () => {
  const bare = "- [ ] 1.1 First\n  - **Verify**: npm test\n";
  const shell = { ...scriptedShell(), exists: async () => false };

  it.each(["look at the page", "npm test"])("shows nothing: %s", async (verify) => {
    const made = world({ plan: bare.replace("npm test", verify), more: { shell } });
    expect(await made.attempt()).toStrictEqual(unverified);
    expect((await made.memory.recall("1.1#1")).judgement?.evidence.verify).toMatch(/^no Verify ran: /);
    expect((await made.memory.recall("1.1#1")).verify).toBe(null);
  });

  it("is plain text whose program is missing; text formatted as code is a command anyway", async () => {
    const away = world({ plan: bare, more: { shell } });
    await away.attempt();
    const { judgement } = await away.memory.recall("1.1#1");
    expect(judgement?.evidence.verify).toBe("no Verify ran: there is no program `npm`");
    const there = world({ plan: bare });
    expect(await there.attempt()).toStrictEqual(accepted);
    expect(there.ran).toEqual(["npm test"]);
    expect(await world({ more: { shell } }).attempt()).toStrictEqual(accepted);
  });

  it("raises a question if the shell does not find the command", async () => {
    expect(await world({ ends: [{ exitCode: 127 }] }).attempt()).toStrictEqual({
      kind: "gate",
      reason: "Task 1.1: the Verify command cannot run\nVerify: check\nExit 127",
      hint: "Fix the task's Verify in tasks.md, then run again",
    });
  });
});

describe("a verdict recorded by an earlier start", () => {
  const delegated: RunRecord = {
    ...{ type: "delegated", key: "1.1#1", task: "1.1", role: "executor", attempt: 1, retries: 0, elapsedMs: 0 },
  };
  const reply = { text: "TASK_COMPLETE", headBefore: null };
  const begun = [
    ...[delegated, { type: "answered", effect: "delegate", key: "1.1#1/delegate", answer: { kind: "replied" }, reply }],
  ] as readonly RunRecord[];

  it("is returned again with all its inputs, and nothing is run", async () => {
    const first = ticking("TASK_COMPLETE", { isReviewed: true, ends: [{ exitCode: 0 }] });
    await first.attempt();
    const judged = first.made.find(({ type }) => type === "judged") as RunRecord;
    const next = world({ records: [...begun, judged] });
    next.store.tasks.text = next.store.tasks.text.replace("[ ] 1.1", "[x] 1.1");
    expect(await next.verify()).toStrictEqual({ ...accepted, reviewDue: true });
    expect(next.ran).toEqual([]);
    expect(next.store.tasks.text).toContain("[ ] 1.1");
    const { verify, judgement } = judged as Extract<RunRecord, { type: "judged" }>;
    expect(next.made).toStrictEqual(
      [
        {
          ...{ type: "answered", effect: "verify", key: "1.1#1/verify", answer: { ...accepted, reviewDue: true } },
          ...{ verify, judgement, at: undefined },
        },
      ].map(({ at: _, ...record }) => record),
    );
  });

  it("raises a question about a plan that changed since", async () => {
    const judged: RunRecord = {
      ...{ type: "judged", key: "1.1#1/verify", answer: { kind: "failed", layer: "signal", reason: "r" } },
    };
    const next = world({ plan: two, records: [...begun, judged] });
    next.store.tasks.text = next.store.tasks.text.replace("1.2 Second", "1.2 Other");
    expect(await next.verify()).toMatchObject({ kind: "gate" });
    const same = world({ plan: two, records: [...begun, judged] });
    expect(await same.verify()).toStrictEqual({ kind: "failed", layer: "signal", reason: "r" });
    expect(same.made[0]).not.toHaveProperty("judgement");
  });
});

const repository: Git = {
  ...{ head: async () => "b", mark: async () => ({ head: "a", at: 0, files: {} }), commit: async () => null },
  since: async () =>
    gitEvidence({ changed: ["src/a.ts", "src/b.ts", "specs/sample/tasks.md", "specs/other/tasks.md"] }),
};

describe("changed files", () => {
  it("are listed if the task's Files do not name them, except for the spec's own", async () => {
    const made = world({ more: { git: repository } });
    await made.attempt();
    expect((await made.memory.recall("1.1#1")).judgement?.evidence.undeclared).toEqual([
      ...["src/b.ts", "specs/other/tasks.md"],
    ]);
    const outside = world({ more: { git: repository, spec: "/elsewhere/specs/sample" } });
    await outside.attempt();
    expect((await outside.memory.recall("1.1#1")).judgement?.evidence.undeclared).toContain("specs/sample/tasks.md");
  });
});

describe("work for a pull request", () => {
  const branchAt = (local: Partial<LocalBranch>): Partial<Ports> => ({
    branch: { local: async () => ({ head: "c1", branch: "feature", dirty: [], ...local }) } as never,
  });
  const added = (cause: Cause): RunRecord => ({
    ...{ type: "addition", key: "run#1/addPullRequestTask", cause, checks: [] },
    plan: { task: "1.0", place: "behind", tasks: [{ id: "1.1", markers: [], title: "First", fields: {} }] } as never,
  });
  const check: Cause = { kind: "check", check: "test", job: null, head: "c1" };
  const unshipped = async (
    local: Partial<LocalBranch>,
    { ships = "own" as "own" | "all" | null, cause = null as Cause | null } = {},
  ) => {
    const made = world({ more: branchAt(local), records: cause === null ? [] : [added(cause)] });
    const answer = await made.attempt(ships === null ? {} : { ships });
    return { answer, seen: (await made.memory.recall("1.1#1")).judgement?.evidence.unshipped };
  };

  it("is committed by the executor, or for it", async () => {
    const dirty = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    const own = await unshipped({ dirty });
    expect(own.answer).toMatchObject({ kind: "rejected", layer: "commit", reason: expect.stringContaining("a, b, c") });
    expect(own.seen).toEqual({ dirty: dirty.slice(0, 8), nothing: false });
    expect(await unshipped({ dirty }, { ships: "all" })).toMatchObject({
      ...{ answer: { kind: "accepted" }, seen: { dirty: [], nothing: false } },
    });
    expect((await unshipped({ dirty }, { ships: null })).seen).toBeUndefined();
  });

  it("must change something, except for an answer to a reviewer", async () => {
    expect((await unshipped({}, { cause: check })).seen).toEqual({ dirty: [], nothing: true });
    expect((await unshipped({}, { cause: check })).answer).toMatchObject({ kind: "failed", layer: "commit" });
    expect((await unshipped({ head: "c2" }, { cause: check })).seen).toEqual({ dirty: [], nothing: false });
    const left = await unshipped({ dirty: ["a"] }, { cause: check, ships: "all" });
    expect(left.seen).toEqual({ dirty: [], nothing: false });
    const thread: Cause = { kind: "thread", thread: "t", comment: "c", head: "c1" };
    expect((await unshipped({}, { cause: thread })).seen).toEqual({ dirty: [], nothing: false });
    expect((await unshipped({})).seen).toEqual({ dirty: [], nothing: false });
  });

  it("is examined if there is a branch", async () => {
    expect(await world().attempt({ ships: "own" })).toStrictEqual(accepted);
  });
});
