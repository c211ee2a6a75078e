import { describe, expect, it } from "vitest";
import { type AnyActor, type AnyStateMachine, createActor, fromPromise, toPromise } from "xstate";
import { createBatchMachine } from "../../machines/batch.ts";
import { createRepairMachine } from "../../machines/repair.ts";
import { createSpecMachine } from "../../machines/spec.ts";
import { createTaskMachine } from "../../machines/task.ts";
import type { Effects } from "../../src/effects/create-effects.ts";
import { createKnownPlan } from "../../src/effects/known-plan.ts";
import type { Performers } from "../../src/effects/performers.ts";
import { readProposedTask } from "../../src/markdown/tasks/read-proposed-task.ts";
import type { EffectName } from "../../src/model/effect.ts";
import type { NewTask } from "../../src/model/new-task.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { attemptKey, attemptOf, type Reply } from "../../src/model/reply.ts";
import { maxReviews } from "../../src/model/review.ts";
import { wholeOf } from "../../src/model/task-id.ts";
import { parseDirective } from "../../src/parse/parse-directive.ts";
import { parseModificationRequest } from "../../src/parse/parse-modification-request.ts";
import { planChangeOf } from "../../src/recover/plan-change-of.ts";
import { reviewDue } from "../../src/recover/review-due.ts";
import { writeFixTask } from "../../src/recover/write-fix-task.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { type Life, live, lives, worldOf } from "../support/native-lives.ts";
import { noPullRequest } from "../support/no-pull-request.ts";

/** Every effect of somebody else, over the same documents: what a person would write for an orchestrator of their own. */
function foreign(life: Life, { store, memory }: ReturnType<typeof worldOf>): Performers {
  const told = (key: string): Reply => {
    const task = store.standing().plan.tasks.find(({ id }) => id === key.split("#")[0]);
    const reply = life.answers?.[key] ?? (task?.markers.includes("VERIFY") ? "VERIFICATION_PASS" : "TASK_COMPLETE");
    return typeof reply === "string" ? { text: reply } : reply;
  };
  const claims = (key: string): boolean => /TASK_COMPLETE|VERIFICATION_PASS/.test(told(key).text);
  const upon = (root: string) => ({ root, current: root, spent: memory.spent(root) });
  const next = () => store.standing().plan.tasks.find(({ done }) => !done);
  return {
    ...noPullRequest,
    chooseTask: ({ maxParallel }) => {
      const open = store.standing().plan.tasks.filter(({ id, done }) => !done && !memory.skipped().has(id));
      const members = open.filter(({ markers }) => markers.includes("P")).map(({ id }) => id);
      if (members.length > 1 && maxParallel > 1) {
        return { kind: "batch", members: members.map((root) => ({ ...upon(root), after: [] })) };
      }
      const [first] = open;
      return first === undefined ? { kind: "none" } : { kind: "task", ...upon(first.id) };
    },
    chooseCleanup: ({ done }) =>
      done.includes("VE3") ? { kind: "none" } : { kind: "task", root: "VE3", current: "VE3", spent: {} },
    mergeProgress: () => ({ kind: "merged" }),
    confirmCompletion: () => ({ kind: next() === undefined ? "complete" : "skipped" }),
    delegate: ({ task, attempt }) => {
      const reply = told(attemptKey(task, attempt));
      return { kind: reply.text.includes("TASK_MODIFICATION_REQUEST") ? "requested" : "replied", reply };
    },
    changePlan: async ({ task, root, key }) => {
      const parsed = parseModificationRequest(told(attemptOf(key)).text);
      if (parsed.kind !== "request") return { kind: "refused", reason: "malformed" };
      const tasks = parsed.request.proposedTasks.map((text) => readProposedTask(text) as NewTask);
      await store.change(planChangeOf(parsed.request.type, { task, root, tasks }));
      return { kind: "replanned", change: parsed.request.type, added: tasks.map(({ id }) => id) };
    },
    verify: ({ key, task, reviews }) => {
      const attempt = attemptOf(key);
      const isPart = wholeOf(task) !== null;
      // A whole is claimed by its parts.
      const isGathered = life.answers?.[attempt] === undefined;
      if (!isGathered && !claims(attempt)) return { kind: "failed", layer: "signal", reason: "it says that it failed" };
      const { plan } = store.standing();
      const isDue = !isPart && reviews < maxReviews && reviewDue({ plan, task });
      return isDue ? { kind: "accepted", reviewDue: true } : { kind: "accepted" };
    },
    review: ({ key }) =>
      life.answers?.[key] === undefined
        ? { kind: "accepted", passed: true, findings: "" }
        : { kind: "failed", findings: "it leaks" },
    readFailure: ({ key }) => {
      const { problem, text } = told(attemptOf(key));
      const error = /- Error: (.*)/.exec(text)?.[1] ?? "it leaks";
      const failure = { attemptedFix: "something", status: "Blocked", fingerprint: error };
      if (problem === undefined) return { kind: "task", error, ...failure };
      return { kind: "rate-limit", error: "limit", until: 5000, ...failure };
    },
    wait: () => ({ kind: "waited" }),
    recordPass: async ({ task }) => {
      if (wholeOf(task) === null) await store.tick(task, true);
      return { kind: "recorded" };
    },
    insertFix: async ({ fixOf, failure, made, supersedes }) => {
      const task = store.standing().plan.tasks.find(({ id }) => id === fixOf);
      if (task === undefined) throw new Error(`no task ${fixOf}`);
      const fix = writeFixTask({ task, failure, attempt: made + 1, scope: null, supersedes, spec: "sample" });
      await store.insert(fix);
      return { kind: "inserted", fix: fix.id };
    },
    askOperator: ({ key }) => {
      const parsed = parseDirective(told(key).text);
      if (parsed.kind === "malformed") return { kind: "malformed", reason: parsed.reason };
      return { kind: "directed", directive: parsed.directive };
    },
    gatherParts: () => ({ kind: "gathered", reply: { text: "TASK_COMPLETE" } }),
    recordSkip: ({ task, root, justification }) =>
      wholeOf(task) === null ? { kind: "skipped", skipped: { root, justification } } : { kind: "skipped" },
    writeStuckReport: () => ({ kind: "written", path: "report.md" }),
    askPerson: ({ about }) => life.person?.[about] ?? { kind: "gate", reason: "r", hint: "h" },
  };
}

/** The machine of a life, with an actor in place of one of its effects, or of one of those of the machines in it. */
function withActor(life: Life, effects: Effects, name: EffectName, performers: Performers): AnyStateMachine {
  const perform = performers[name] as (input: unknown, effect: unknown) => unknown;
  const actor = fromPromise(async ({ input }) => perform(input, { name, key: (input as { key: string }).key, input }));
  const provided = (machine: AnyStateMachine, inner: object): AnyStateMachine => {
    const own = name in machine.implementations.actors ? { [name]: actor } : {};
    return machine.provide({ actors: { ...inner, ...own } as never });
  };
  const repair = provided(createRepairMachine(effects), {});
  const task = provided(createTaskMachine(effects), { repair });
  const batch = provided(createBatchMachine(effects), { task });
  return { repair, task, batch, spec: provided(createSpecMachine(effects), { task, batch }) }[life.machine];
}

/** Effects that were answered, as they are recorded; those of a batch in any order. */
const answeredIn = (records: readonly string[]): string[] =>
  records
    .map((record) => JSON.parse(record) as RunRecord)
    .flatMap((record) =>
      record.type === "answered" ? [`${record.key} ${(record.answer as { kind: string }).kind}`] : [],
    )
    .sort();

const told = await Promise.all(
  lives.map(async (life) => {
    const world = worldOf(life);
    const { outcome } = await live(life, world);
    return { life, outcome, answered: answeredIn(world.records), records: world.records };
  }),
);
const trials = told.flatMap(({ life, answered, ...rest }) =>
  Object.keys(foreign(life, worldOf(life)))
    .filter((name) =>
      answered.some((each) => new RegExp(`/(${name === "askOperator" ? "askOperator|askAgain" : name}) `).test(each)),
    )
    .map((name) => ({ name: name as EffectName, of: life.name, life, answered, ...rest })),
);

describe("an actor that is provided in place of one effect", () => {
  it("is tried for every effect", () => {
    expect(new Set(trials.map(({ name }) => name)).size).toBe(17);
  });

  it.each(trials)("leads to the same end, and its answers are recorded: $name in $of", async (trial) => {
    const { life, name, outcome, answered, records } = trial;
    const world = worldOf(life);
    const machine = withActor(life, world.effects, name, foreign(life, world));
    const ended = await live(life, world, { machine });
    expect(kindsIn(ended.outcome)).toEqual(kindsIn(outcome));
    expect(answeredIn(world.records)).toEqual(answered);
    expect(begunIn(world.records)).toEqual(begunIn(records));
  });
});

describe("an answer of somebody else", () => {
  const [life] = lives as readonly [Life];
  const begin = (effects: Effects, actors: object) =>
    toPromise(
      silent(
        createActor(createTaskMachine(effects).provide({ actors: actors as never }), { input: life.input as never }),
      ),
    );

  it("is refused where later effects need the reply that it lacks", async () => {
    const delegate = fromPromise(async () => ({ kind: "replied" }));
    await expect(begin(worldOf(life).effects, { delegate })).rejects.toMatchObject({
      code: "reply-missing",
      message: "Cannot take the answer to `1.1#1/delegate`, expected the reply of the attempt in it",
      hint: 'Answer { kind: "replied", reply: { text } } with the final message of whoever worked on the task',
    });
  });

  it.each([undefined, null, "accepted", { kind: "maybe" }])("is refused in another form: %j", async (answer) => {
    const verify = fromPromise(async () => answer);
    const refusal = {
      code: "answer-malformed",
      message: "Cannot take the answer to `1.1#1/verify`, expected one for `verify`",
    };
    await expect(begin(worldOf(life).effects, { verify })).rejects.toMatchObject(refusal);
  });

  it("is taken where its effect fails, without a record", async () => {
    const { effects, records } = worldOf(life);
    const verify = fromPromise(async () => Promise.reject(new Error("no shell")));
    await expect(begin(effects, { verify })).rejects.toThrow("no shell");
    expect(answeredIn(records)).toEqual(["1.1#1/delegate replied"]);
  });

  it("is recorded as well where its function stands among the effects", async () => {
    const { effects, records } = worldOf(life);
    const own = { ...effects, verify: async () => ({ kind: "accepted" as const }) };
    expect(await begin(own, {})).toMatchObject({ kind: "passed" });
    expect(answeredIn(records)).toEqual([
      "1.1#1/delegate replied",
      "1.1#1/recordPass recorded",
      "1.1#1/verify accepted",
    ]);
  });

  it("makes no box known but that of the task that it is about", async () => {
    const store = memoryStore(life.plan);
    const plan = createKnownPlan(store);
    await plan.known();
    await store.tick("1.1", true);
    await store.tick("1.2", true);
    plan.trust(["1.1"]);
    const done = (await plan.known()).plan.tasks.filter((task) => task.done).map(({ id }) => id);
    expect(done).toEqual(["1.1"]);
    const { known, found } = await plan.read();
    expect([known.plan.tasks[1]?.done, found.plan.tasks[1]?.done]).toEqual([false, true]);
  });
});

const silent = <Actor extends AnyActor>(actor: Actor): Actor => {
  actor.subscribe({ error: () => {} });
  return actor.start();
};

const kindsIn = (outcome: unknown): unknown =>
  JSON.parse(
    JSON.stringify(outcome, (key, value) => (["outcomes", "kind", "0", "1", ""].includes(key) ? value : undefined)),
  );

/** Delegations and fix tasks, which are recorded before they begin. */
const begunIn = (records: readonly string[]): string[] =>
  records
    .map((record) => JSON.parse(record) as RunRecord)
    .flatMap((record) =>
      record.type === "delegated"
        ? [`${record.key} ${record.attempt} ${record.retries} ${record.level} ${record.rung}`]
        : record.type === "intended"
          ? [record.fix.id]
          : [],
    )
    .sort();
