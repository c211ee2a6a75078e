import { describe, expect, it } from "vitest";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { type AddedTask, type Book, type Cause, noBook } from "../../../src/model/pull-request-book.ts";
import type { PullRequestPolicyInput } from "../../../src/model/pull-request-policy.ts";
import type { ScriptedCheck } from "../../../src/testing/forge-world.ts";
import {
  hindered,
  openBook,
  openedWorld,
  refusal,
  refused,
  shippedPlan,
  shippingPolicy,
  type shippingWorld,
} from "../../support/shipping-world.ts";

const never = new AbortController().signal;
const key = "run#1/addPullRequestTask";
const log = (text: string): string =>
  `##[group]Run npm test\n##[endgroup]\n${text}\n##[error]Process completed with exit code 1.`;
const tap = (name: string): string => `TAP version 13\nok 1 - src/b.ts\nnot ok 2 - ${name}\n1..2`;
const red = (id: string, text = tap("adds"), more: Partial<ScriptedCheck> = {}): ScriptedCheck => ({
  ...{ id, runs: ["failed"], log: log(text) },
  ...more,
});
const causeOf = (check: string): Cause => ({ kind: "check", check, job: "1", head: "c1" });
const added = (cause: Cause, checks: string[] = []): AddedTask => ({ cause, checks, result: null });

/** Checks of the head, and of the base. */
const checked = (ours: readonly ScriptedCheck[], base: readonly ScriptedCheck[] = []) => ({
  script: { checks: (head: string) => (head === "c1" ? ours : base) },
});

async function add(
  cause: Cause,
  made: ReturnType<typeof shippingWorld>,
  {
    book = {} as Partial<Book>,
    policy = {} as PullRequestPolicyInput,
    finalVerify = null as string | null,
    name = key,
  } = {},
) {
  const input = { key: name, policy: shippingPolicy(policy), number: 1, head: "c1", cause, book: openBook(book) };
  const answer = await made.effects.addPullRequestTask({ ...input, finalVerify }, never);
  const { tasks } = openPlan(made.store.tasks.text).plan;
  return { ...made, answer, tasks, last: tasks.at(-1) };
}

describe("a task for a red check", () => {
  const cause = causeOf("CI / test");

  it("stands at the end of the phase of the pull request, says what failed, and is recorded before", async () => {
    const made = openedWorld(checked([red("CI / test")]));
    const { answer, last, records, store, memory } = await add(cause, made);
    const title = "Fix CI failure: CI / test - adds";
    expect(answer).toStrictEqual({ kind: "inserted", task: "5.5", title, checks: ["CI / test"] });
    expect(last).toMatchObject({ id: "5.5", title, done: false, fields: { files: "src/b.ts" } });
    expect(last?.fields.verify).toBeUndefined();
    expect(records).toMatchObject([
      { type: "addition", key, cause, checks: ["CI / test"], plan: { task: "5.4", place: "behind" } },
      { type: "answered", effect: "addPullRequestTask" },
    ]);
    expect(store.log.text).toContain(`task 5.5: ${title}`);
    expect(memory.pullRequest().tasks["5.5"]).toEqual(added(cause, ["CI / test"]));
  });

  it("stands behind the last task of a plan without that phase", async () => {
    const plan = "- [x] 1.1 Build it\n- [x] 1.2 Test it\n";
    expect((await add(cause, openedWorld({ ...checked([red("CI / test")]), plan }))).tasks.map(({ id }) => id)).toEqual(
      [...["1.1", "1.2", "1.3"]],
    );
  });

  it("is for all checks that fail with the same error, and no others", async () => {
    const ours = [
      ...[
        red("CI / test"),
        red("CI / lint", "src/a.ts(1,2): error TS2304: Cannot find name 'one'."),
        red("CI / node 20"),
      ],
      { id: "CI / docs", runs: ["passed"] } as const,
    ];
    const { answer, last, called } = await add(cause, openedWorld(checked(ours)));
    expect(answer).toMatchObject({ kind: "inserted", checks: ["CI / test", "CI / node 20"] });
    expect(last?.fields.doneWhen).toContain("CI / test, CI / node 20 pass");
    const lint = await add(causeOf("CI / lint"), openedWorld(checked(ours)));
    expect(lint.answer).toMatchObject({ kind: "inserted", checks: ["CI / lint"] });
    expect(lint.called("ahead")).toEqual([{ remote: "origin", base: "main" }]);
    expect(called("log")).toHaveLength(3);
  });

  it("reads the logs of ten others at most", async () => {
    const ours = Array.from({ length: 15 }, (_, index) => red(`CI / ${index}`));
    const { answer } = await add(causeOf("CI / 0"), openedWorld(checked(ours)));
    expect(answer).toMatchObject({ checks: ours.slice(0, 11).map(({ id }) => id) });
  });

  it("is for no check that nobody requires, unless all are wanted", async () => {
    const ours = [red("CI / test"), red("CI / more", undefined, { required: false })];
    expect((await add(cause, openedWorld(checked(ours)))).answer).toMatchObject({ checks: ["CI / test"] });
    const all = await add(cause, openedWorld(checked(ours)), { policy: { checks: "all" } });
    expect(all.answer).toMatchObject({ checks: ["CI / test", "CI / more"] });
  });

  it("runs the final check where that is a command of the plan", async () => {
    const verifyOf = async (finalVerify: string | null, plan = shippedPlan) =>
      (await add(cause, openedWorld({ ...checked([red("CI / test")]), plan }), { finalVerify })).last?.fields.verify;
    expect(await verifyOf("npm test")).toBe("`npm test`");
    expect(await verifyOf("npm run all")).toBeUndefined();
    expect(await verifyOf(null)).toBeUndefined();
  });

  it("tells the error that the check says itself where there is no log", async () => {
    const silent = { id: "CI / test", runs: ["failed"] } as const;
    const told = "The check CI / test fails, and shows no log";
    for (const forge of [{}, { log: async () => refused }]) {
      const { last } = await add(cause, openedWorld({ ...checked([silent]), forge }));
      expect(last?.fields).toMatchObject({ do: expect.stringContaining(told), files: "." });
    }
    const annotations = ["a.ts is wrong"];
    const log = async () => ({ kind: "log", log: null, step: null, annotations }) as const;
    const { last } = await add(cause, openedWorld({ ...checked([silent]), forge: { log } }));
    expect(last?.fields.do).toContain("a.ts is wrong");
  });

  it("is not made where the check is not red any more, or the head another", async () => {
    for (const ours of [
      [],
      [{ id: "CI / test", runs: ["passed"] }],
      [{ id: "CI / test", runs: ["cancelled"] }],
    ] as const) {
      const { answer, tasks } = await add(cause, openedWorld(checked(ours)));
      expect(answer).toStrictEqual({ kind: "changed" });
      expect(tasks).toHaveLength(5);
    }
    const moved = await add({ ...cause, head: "c0" } as Cause, openedWorld(checked([red("CI / test")])));
    expect(moved.answer).toStrictEqual({ kind: "changed" });
  });

  it("is not made for what fails on the base as well, unless the policy says so", async () => {
    const both = checked([red("CI / test")], [red("CI / test")]);
    const { answer, called, tasks } = await add(cause, openedWorld(both));
    expect(answer).toStrictEqual({
      kind: "gate",
      reason: "The check `CI / test` fails on `main` as well: adds",
      hint: "Fix `main` first, or have it fixed here: run again with --fix-base",
    });
    expect(called("lookAtBase")).toEqual(["main"]);
    expect(tasks).toHaveLength(5);
    const fixed = await add(cause, openedWorld(both), { policy: { fixBase: true } });
    expect(fixed.answer).toMatchObject({ kind: "inserted" });
    expect(fixed.called("lookAtBase")).toEqual([]);
  });

  it("is made where the base passes, or fails with another error or in another check", async () => {
    for (const base of [
      [{ id: "CI / test", runs: ["passed"], log: log(tap("adds")) }] as const,
      [red("CI / test", tap("takes"))],
      [red("CI / other")],
    ]) {
      expect((await add(cause, openedWorld(checked([red("CI / test")], base)))).answer).toMatchObject({
        ...{ kind: "inserted", task: "5.5" },
      });
    }
  });

  it("is made for one that did not begin only where the change is about workflows", async () => {
    const blocked = checked([{ id: "CI / test", runs: ["blocked"] }]);
    const gate = { kind: "gate", reason: "The check `CI / test` did not begin" };
    expect((await add(cause, openedWorld(blocked))).answer).toStrictEqual({
      ...{ ...gate, hint: "See what it waits for, then run again" },
    });
    const made = openedWorld(blocked);
    const { look } = made.forge;
    const url = "https://forge.example/job";
    const withUrl: typeof look = async (...given) => {
      const seen = await look(...given);
      if (seen.kind !== "look") return seen;
      return { ...seen, look: { ...seen.look, checks: seen.look.checks.map((check) => ({ ...check, url })) } };
    };
    expect((await add(cause, openedWorld({ ...blocked, forge: { look: withUrl } }))).answer).toStrictEqual({
      ...{ ...gate, hint: `See what it waits for (${url}), then run again` },
    });
    const paths = [".github/workflows/ci.yml", "src/a.ts"];
    const branch = { ahead: async () => ({ kind: "ahead", commits: [], count: 1, paths }) as const };
    expect((await add(cause, openedWorld({ ...blocked, branch }))).answer).toMatchObject({ kind: "inserted" });
  });

  it("waits for what is hindered, and asks about what is refused", async () => {
    const ours = checked([red("CI / test")]);
    for (const [given, answer] of [
      [hindered, hindered],
      [refused, refusal],
    ] as const) {
      const say = async () => given;
      for (const options of [{ forge: { look: say } }, { forge: { lookAtBase: say } }, { branch: { ahead: say } }]) {
        const made = await add(cause, openedWorld({ ...ours, ...options }));
        expect(made.answer).toStrictEqual(answer);
        expect(made.tasks).toHaveLength(5);
      }
    }
    expect((await add(cause, openedWorld({ ...ours, forge: { log: async () => hindered } }))).answer).toEqual(hindered);
  });

  it("is one alone: a person is asked where it stands in the plan and is not done", async () => {
    const made = openedWorld(checked([red("CI / test")]));
    await add(cause, made);
    const again = await add(cause, made, { book: { tasks: { "5.5": added(cause, ["CI / test"]) } }, name: "run#2/x" });
    expect(again.answer).toStrictEqual({
      kind: "gate",
      reason: "Task 5.5 was made for this and is not done",
      hint: "Do task 5.5, or see to it by hand, then run again",
    });
    expect(again.tasks).toHaveLength(6);
  });

  it("keeps its id where it was recorded, but never written", async () => {
    const book = { tasks: { "5.9": added(cause, ["CI / test"]) } };
    const { answer } = await add(cause, openedWorld(checked([red("CI / test")])), { book });
    expect(answer).toMatchObject({ kind: "inserted", task: "5.9" });
    const other = { tasks: { "5.9": added(causeOf("CI / lint"), ["CI / lint"]) } };
    const { answer: another } = await add(cause, openedWorld(checked([red("CI / test")])), { book: other });
    expect(another).toMatchObject({ kind: "inserted", task: "5.5" });
  });

  it("is written by a start that finds it recorded, without a look", async () => {
    const first = openedWorld(checked([red("CI / test"), red("CI / more")]));
    await add(cause, first);
    const addition = first.records.find(({ type }) => type === "addition");
    const next = openedWorld({ plan: shippedPlan });
    next.memory.apply(addition as never);
    const { answer, tasks, called, records } = await add(cause, next);
    expect(answer).toMatchObject({ kind: "inserted", task: "5.5", checks: ["CI / test", "CI / more"] });
    expect(tasks.at(-1)?.title).toBe("Fix CI failure: CI / test - adds");
    expect(called("look")).toEqual([]);
    expect(records.map(({ type }) => type)).toEqual(["answered"]);
  });

  it("cannot be written into a plan without a task", async () => {
    const { answer } = await add(cause, openedWorld({ ...checked([red("CI / test")]), plan: "# Nothing\n" }));
    expect(answer).toStrictEqual({
      kind: "gate",
      reason: "The plan has no task that one could be written beside",
      hint: "Write a task into it, then run again",
    });
  });
});

describe("a task for what a reviewer has written", () => {
  const comment = (id: string, body: string) => ({ id, author: "ann", bot: false, body, at: 0 });
  const threads = [
    { id: "t0", path: "src/b.ts", line: 1, resolved: false, comments: [comment("c0", "No")] },
    {
      id: "t1",
      path: "src/a.ts",
      line: 1,
      resolved: false,
      comments: [comment("c1", "Hm"), comment("c2", "Rename it")],
    },
  ];
  const cause = (thread: string, of: string): Cause => ({ kind: "thread", thread, comment: of, head: "c1" });

  it("says what was written, and where", async () => {
    const { answer, last } = await add(cause("t1", "c2"), openedWorld({ script: { threads } }));
    expect(answer).toStrictEqual({
      ...{ kind: "inserted", task: "5.5", title: "Address review: ann - Rename it", checks: [] },
    });
    expect(last?.fields).toMatchObject({ files: "src/a.ts" });
  });

  it("is one for a review as a whole, too", async () => {
    const made = openedWorld();
    const { look } = made.forge;
    const reviews = [{ ...comment("r1", "Do it again"), verdict: "changes" as const }];
    const reviewed: typeof look = async (...given) => {
      const seen = await look(...given);
      return seen.kind === "look" ? { ...seen, look: { ...seen.look, reviews } } : seen;
    };
    const { last } = await add(cause("r1", "r1"), openedWorld({ forge: { look: reviewed } }));
    expect(last).toMatchObject({ title: "Address review: ann - Do it again", fields: { files: "." } });
  });

  it("is not made where the comment is gone", async () => {
    const { answer, tasks } = await add(cause("t1", "c0"), openedWorld({ script: { threads } }));
    expect(answer).toStrictEqual({ kind: "changed" });
    expect(tasks).toHaveLength(5);
  });
});

describe("a task for a conflict", () => {
  it("names the base and the remote, and takes no look", async () => {
    const cause: Cause = { kind: "conflict", base: "main", baseHead: "m1", head: "c1" };
    const made = openedWorld({ forge: { look: async () => hindered } });
    const { answer, last } = await add(cause, made, { policy: { remote: "fork" } });
    expect(answer).toStrictEqual({
      ...{ kind: "inserted", task: "5.5", title: "Resolve conflict with main", checks: [] },
    });
    expect(last?.fields.do).toContain("Merge fork/main into this branch");
  });
});

describe("an answer to a reviewer", () => {
  const said = { id: "c1", author: "ann", bot: false, body: "Rename it", at: 0 };
  const thread = { id: "t1", path: "src/a.ts", line: 1, resolved: false, comments: [said] };
  const cause: Cause = { kind: "thread", thread: "t1", comment: "c1", head: "c1" };
  const threads = [{ ...thread, id: "t0", comments: [] }, thread];
  const script = { threads };
  const ofBot = (author: string) => ({ threads: [{ ...thread, comments: [{ ...said, author, bot: true }] }] });

  async function answerWith(
    made = openedWorld({ script }),
    policy: PullRequestPolicyInput = {},
    result = { commit: "abc1234" as string | null, reply: "" },
  ) {
    const book: Book = { ...noBook, tasks: { "5.5": { ...added(cause), result } } };
    const input = { key: "run#1/answerThread", policy: shippingPolicy(policy), number: 1, head: "c1", book };
    const answer = await made.effects.answerThread({ ...input, thread: "t1", comment: "c1", task: "5.5" }, never);
    return { ...made, answer, thread: made.world.threads.find(({ id }) => id === "t1") };
  }

  it("tells what was done, once, and is recorded before", async () => {
    const made = openedWorld({ script });
    const { answer, thread: left, records, called } = await answerWith(made);
    expect(answer).toStrictEqual({ kind: "answered", thread: "t1", comment: "c1" });
    expect(left?.comments.map(({ body }) => body)).toEqual([
      "Rename it",
      "Addressed in abc1234 (task 5.5).\n\n<!-- fixpoint:5.5:c1 -->\n",
    ]);
    expect(left?.resolved).toBe(false);
    expect(records[0]).toEqual({ type: "shipping", key: "run#1/answerThread", act: "answer", target: "t1" });
    expect(called("look")).toEqual([]);
    expect((await answerWith(made)).thread?.comments).toHaveLength(2);
    const none = await answerWith(openedWorld({ script }), {}, { commit: null, reply: "It is right" });
    expect(none.thread?.comments.at(-1)?.body).toContain("No change was made (task 5.5).\n\n> It is right");
  });

  it.each([
    ["off", script, [], false],
    ["all", script, [], true],
    ["own", script, [], false],
    ["own", ofBot("lint[bot]"), [], false],
    ["own", ofBot("lint[bot]"), ["lint"], true],
  ] as const)(
    "resolves the thread as the policy says: %s %o %o",
    async (resolveThreads, has, trustedReviewers, resolved) => {
      const made = await answerWith(openedWorld({ script: has as typeof script }), {
        ...{ resolveThreads, trustedReviewers: [...trustedReviewers] },
      });
      expect(made.answer).toMatchObject({ kind: "answered" });
      expect(made.thread?.resolved).toBe(resolved);
      expect(made.called("resolve")).toEqual(resolved ? ["t1"] : []);
    },
  );

  it("resolves nothing in which somebody has gone on, nor what is resolved or gone", async () => {
    const spoken = { threads: [{ ...thread, comments: [said, { ...said, id: "c2", body: "And that" }] }] };
    const before = { threads: [{ ...thread, comments: [{ ...said, id: "c0" }, said] }] };
    const all = { resolveThreads: "all" } as const;
    expect((await answerWith(openedWorld({ script: spoken }), all)).thread?.resolved).toBe(false);
    expect((await answerWith(openedWorld({ script: before }), all)).thread?.resolved).toBe(true);
    for (const has of [{ threads: [{ ...thread, resolved: true }] }, { threads: [] }]) {
      const made = await answerWith(openedWorld({ script: has }), all);
      expect(made.answer).toMatchObject({ kind: "answered" });
      expect(made.called("resolve")).toEqual([]);
    }
  });

  it("waits for what is hindered, and asks about what is refused but to resolve it", async () => {
    const all = { resolveThreads: "all" } as const;
    for (const [given, answer] of [
      [hindered, hindered],
      [refused, refusal],
    ] as const) {
      for (const name of ["answer", "look"]) {
        const made = await answerWith(openedWorld({ script, forge: { [name]: async () => given } }), all);
        expect(made.answer).toStrictEqual(answer);
      }
    }
    const hinders = await answerWith(openedWorld({ script, forge: { resolve: async () => hindered } }), all);
    expect(hinders.answer).toStrictEqual(hindered);
    const refuses = await answerWith(openedWorld({ script, forge: { resolve: async () => refused } }), all);
    expect(refuses.answer).toStrictEqual({ kind: "answered", thread: "t1", comment: "c1" });
  });
});
