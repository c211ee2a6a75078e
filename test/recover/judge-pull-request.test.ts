import { describe, expect, it } from "vitest";
import {
  answerMarker,
  type Book,
  type Cause,
  type Check,
  type Comment,
  isSameCause,
  type Look,
  noBook,
  type Thread,
  tasksFor,
} from "../../src/model/pull-request.ts";
import { PullRequestPolicy, type PullRequestPolicyInput } from "../../src/model/pull-request-policy.ts";
import { judgePullRequest } from "../../src/recover/judge-pull-request.ts";
import { authorsIn, isTrustedThread, openThreads, requestingIn } from "../../src/recover/open-threads.ts";

const hour = 3_600_000;
const book: Book = { ...noBook, number: 7, url: "u", head: "h", pushedAt: 0, since: 0 };
const check = (more: Partial<Check> = {}): Check => ({
  ...{ id: "CI / test", state: "passed", required: false, job: "1", since: 0, summary: null, url: null },
  ...more,
});
const comment = (more: Partial<Comment> = {}): Comment => ({
  ...{ id: "c1", author: "ann", bot: false, body: "rename it", at: 0 },
  ...more,
});
const thread = (more: Partial<Thread> = {}): Thread => ({
  ...{ id: "t1", path: "a.ts", line: 1, resolved: false, comments: [comment()] },
  ...more,
});
const look = (more: Partial<Look> = {}): Look => ({
  ...{ number: 7, url: "u", state: "open", draft: false, head: "h", branch: "work", base: "main", baseHead: "b" },
  ...{ defaultBranch: "main", fork: false, merge: "clean", checksOf: "h", checks: [check()], threads: [], reviews: [] },
  ...{ viewer: "bot", mayWrite: true, ...more },
});
const judge = (
  seen: Partial<Look> = {},
  {
    known = {},
    policy = {},
    now = hour,
    baseChecked = null,
  }: { known?: Partial<Book>; policy?: PullRequestPolicyInput; now?: number; baseChecked?: boolean | null } = {},
) =>
  judgePullRequest(look(seen), { ...book, ...known }, PullRequestPolicy.parse(policy), now, {
    writers: new Set(["ann"]),
    baseChecked,
  });
const made = (cause: Cause, commit: string | null = "abc", checks: string[] = []) => ({
  ...{ cause, checks },
  result: { commit, reply: "" },
});
const red = (head = "h"): Cause => ({ kind: "check", check: "CI / test", job: "1", head });
const said = (id = "c1"): Cause => ({ kind: "thread", thread: "t1", comment: id, head: "h" });
const failed = { checks: [check({ state: "failed" })] };
const rerun = { reran: { "CI / test": "h" } };

describe("judgePullRequest", () => {
  it.each<[string, ReturnType<typeof judge>, object]>([
    ["merged", judge({ state: "merged" }), { kind: "merged" }],
    ["closed", judge({ state: "closed" }), { kind: "gate", reason: expect.stringContaining("closed") }],
    ["out of time", judge({}, { now: 48 * hour }), { kind: "denied", limit: "maxTime", max: 48 * hour }],
    ["another head", judge({ head: "g" }), { kind: "moved", head: "g" }],
    ["a conflict", judge({ merge: "conflicting" }), { kind: "failing", cause: { kind: "conflict", baseHead: "b" } }],
    ["green", judge(), { kind: "green", flaky: [] }],
    ["green, flaky", judge({}, { known: rerun }), { kind: "green", flaky: ["CI / test"] }],
    [
      "green, reported as flaky",
      judge({}, { known: { ...rerun, flaky: ["CI / test"] } }),
      { kind: "green", flaky: [] },
    ],
    [
      "gone since its rerun",
      judge({ checks: [check({ id: "CI / lint" })] }, { known: rerun }),
      { kind: "pending", reason: "checks", until: 48 * hour },
    ],
    ["gone at an earlier head", judge({}, { known: { reran: { old: "g" } } }), { kind: "green" }],
    ["red", judge(failed), { kind: "rerunDue", check: "CI / test", job: "1" }],
    ["red, no rerun", judge(failed, { policy: { reruns: 0 } }), { kind: "failing", cause: red() }],
    ["red, without a job", judge({ checks: [check({ state: "failed", job: null })] }), { kind: "failing" }],
    ["red again", judge(failed, { known: rerun }), { kind: "failing", cause: red() }],
    ["red in a fork", judge({ ...failed, fork: true }), { kind: "failing" }],
    ["red, no right to run it", judge({ ...failed, mayWrite: false }), { kind: "failing" }],
    [
      "red with its task done",
      judge(failed, { known: { ...rerun, tasks: { "5.5": made(red(), "abc", ["CI / test"]) } } }),
      { kind: "gate", reason: expect.stringContaining("still fails") },
    ],
    [
      "red too often",
      judge(failed, {
        known: { ...rerun, tasks: { "5.5": made(red("g"), "abc", ["CI / test"]) } },
        policy: { maxFixesPerCheck: 1 },
      }),
      { kind: "denied", limit: "maxFixesPerCheck", max: 1 },
    ],
    [
      "red after the maximum number of tasks",
      judge(failed, {
        known: { ...rerun, tasks: { "5.5": made(said(), null) }, answered: { t1: "c1" } },
        policy: { maxCycles: 1 },
      }),
      { kind: "denied", limit: "maxCycles", max: 1 },
    ],
    ["cancelled", judge({ checks: [check({ state: "cancelled" })] }), { kind: "rerunDue" }],
    ["cancelled again", judge({ checks: [check({ state: "cancelled" })] }, { known: rerun }), { kind: "gate" }],
    ["blocked", judge({ checks: [check({ state: "blocked" })] }), { kind: "failing" }],
    [
      "pending",
      judge({ checks: [check({ state: "pending" })] }),
      { kind: "pending", reason: "checks", until: 6 * hour },
    ],
    [
      "pending, not known since when",
      judge({ checks: [check({ state: "pending", since: null })] }),
      { until: 6 * hour },
    ],
    [
      "pending, not known since when, nor when it was pushed",
      judge({ checks: [check({ state: "pending", since: null })] }, { known: { pushedAt: null } }),
      { until: 7 * hour },
    ],
    ["pending too long", judge({ checks: [check({ state: "pending" })] }, { now: 6 * hour }), { kind: "gate" }],
    [
      "pending too long, with a page",
      judge({ checks: [check({ state: "pending", url: "https://ci" })] }, { now: 6 * hour }),
      { hint: expect.stringContaining("https://ci") },
    ],
    [
      "an optional red check",
      judge({ checks: [check({ required: true }), check({ id: "x", state: "failed" })] }),
      { kind: "green" },
    ],
    [
      "an optional red check that counts",
      judge(
        { checks: [check({ required: true }), check({ id: "x", state: "failed" })] },
        { policy: { checks: "all" } },
      ),
      { kind: "rerunDue", check: "x" },
    ],
    ["no checks yet", judge({ checks: [] }, { now: 1000 }), { kind: "pending", reason: "checks", until: 600_000 }],
    ["checks of another head", judge({ checksOf: "g" }, { now: 1000 }), { kind: "pending" }],
    ["no checks", judge({ checks: [] }), { kind: "unexplained" }],
    ["no checks, nor on the base", judge({ checks: [] }, { baseChecked: false }), { kind: "green" }],
    ["no checks, but on the base", judge({ checks: [] }, { baseChecked: true }), { kind: "gate" }],
    ["no checks, never pushed", judge({ checks: [] }, { known: { pushedAt: null, since: null } }), { kind: "pending" }],
    ["its mergeability is unknown", judge({ merge: "unknown" }), { kind: "pending", reason: "merge" }],
    ["behind", judge({ merge: "behind" }), { kind: "green" }],
    [
      "behind its base, to be updated",
      judge({ merge: "behind" }, { policy: { updateBranch: true } }),
      { kind: "behind" },
    ],
    ["a comment", judge({ threads: [thread()] }), { kind: "failing", cause: said() }],
    [
      "a comment with its task done",
      judge({ threads: [thread()] }, { known: { tasks: { "5.5": made(said()) } } }),
      { kind: "answerDue", thread: "t1", comment: "c1", task: "5.5" },
    ],
    [
      "two tasks of a thread done",
      judge({}, { known: { tasks: { "5.5": made(said()), "5.6": made(said("c2")) } } }),
      { kind: "answerDue", comment: "c2", task: "5.6" },
    ],
    [
      "a comment whose task is not done",
      judge({ threads: [thread()] }, { known: { tasks: { "5.5": { ...made(said()), result: null } } } }),
      { kind: "green" },
    ],
    [
      "a comment that was answered",
      judge({ threads: [thread()] }, { known: { tasks: { "5.5": made(said()) }, answered: { t1: "c1" } } }),
      { kind: "green" },
    ],
    [
      "an answer with a later reply",
      judge(
        { threads: [thread({ comments: [comment(), comment({ id: "c2" })] })] },
        { known: { tasks: { "5.5": made(said()) }, answered: { t1: "c1" } } },
      ),
      { kind: "failing", cause: said("c2") },
    ],
    [
      "a thread too often",
      judge(
        { threads: [thread({ comments: [comment({ id: "c2" })] })] },
        { known: { tasks: { "5.5": made(said()) }, answered: { t1: "c1" } }, policy: { maxTasksPerThread: 1 } },
      ),
      { kind: "denied", limit: "maxTasksPerThread" },
    ],
  ])("%s", (_, judgement, expected) => {
    expect(judgement).toMatchObject(expected);
  });

  it("asks a person at the third conflict, and if a task has not resolved one", () => {
    const conflict = (baseHead: string): Cause => ({ kind: "conflict", base: "main", baseHead, head: "h" });
    const tasks = (...heads: string[]) =>
      Object.fromEntries(heads.map((head, index) => [`5.${index}`, made(conflict(head))]));
    expect(judge({ merge: "conflicting" }, { known: { tasks: tasks("a") } }).kind).toBe("failing");
    expect(judge({ merge: "conflicting" }, { known: { tasks: tasks("b") } }).kind).toBe("gate");
    expect(judge({ merge: "conflicting" }, { known: { tasks: tasks("a", "c") } }).kind).toBe("gate");
  });

  it("links no page of a check without one", () => {
    expect(isSameCause(said(), made(red()))).toBe(false);
    expect(isSameCause(red(), made(said()))).toBe(false);
    expect(tasksFor({ tasks: { "5.5": made(red(), "a", ["x"]) } }, said())).toEqual([]);
  });
});

describe("openThreads", () => {
  const of = (seen: Partial<Look>, trusted: string[] = []) =>
    openThreads(look(seen), new Set(["ann"]), trusted).map(({ comment: { id } }) => id);

  it("omits strangers, unnamed programs, ourselves and deleted accounts", () => {
    const by = (author: string | null, bot = false) => ({
      threads: [thread({ comments: [comment({ author, bot })] })],
    });
    expect(of(by("ann"))).toEqual(["c1"]);
    for (const each of [by("mallory"), by("bot"), by(null), by("rabbit[bot]", true)]) expect(of(each)).toEqual([]);
    expect(of(by("Rabbit", true), ["rabbit[bot]"])).toEqual(["c1"]);
    expect(of({ threads: [thread({ resolved: true })] })).toEqual([]);
  });

  it("omits answered threads, by marker, until an authorized person writes again", () => {
    const by = (author: string, answered: string) =>
      comment({ id: "a1", author, body: `Addressed.\n\n${answerMarker("5.4", answered)}\n` });
    const of = (...comments: Comment[]) => openThreads(look({ threads: [thread({ comments })] }), new Set(["ann"]), []);
    expect(of(comment(), by("bot", "c1"))).toEqual([]);
    expect(of(comment(), by("eve", "c1"))).toHaveLength(1);
    expect(of(comment(), by("bot", "c0"))).toHaveLength(1);
    expect(of(comment(), comment({ id: "a2", author: "bot", body: "I shall see to it" }))).toHaveLength(1);
    expect(of(comment(), by("bot", "c1"), comment({ id: "c2" }))).toHaveLength(1);
  });
  it("treats a review that requests changes as a thread, unless its own text is empty", () => {
    const review = (body: string, verdict: "approved" | "changes" = "changes") => ({ ...comment({ body }), verdict });
    expect(of({ reviews: [review("rename it")] })).toEqual(["c1"]);
    expect(of({ reviews: [review(" ")] })).toEqual([]);
    expect(of({ reviews: [review("fine", "approved")] })).toEqual([]);
  });

  it("lists once each authorized reviewer who still requests changes", () => {
    const review = (author: string, verdict: "approved" | "changes" = "changes") => ({
      ...comment({ author }),
      verdict,
    });
    const reviews = [review("ann"), review("eve"), review("ann"), review("ben", "approved")];
    expect(requestingIn(look({ reviews }), new Set(["ann", "ben"]), [])).toEqual(["ann"]);
  });

  it("looks up the rights of people, and of no one else", () => {
    const comments = [
      comment(),
      comment({ author: "ben" }),
      comment({ author: "x[bot]", bot: true }),
      comment({ author: null }),
    ];
    const seen = look({
      threads: [thread({ comments }), thread({ resolved: true, comments: [comment({ author: "eve" })] })],
    });
    expect(authorsIn(seen)).toEqual(["ann", "ben"]);
    expect(isTrustedThread(thread({ comments: [comment({ author: "x[bot]", bot: true })] }), ["x"])).toBe(true);
    expect(isTrustedThread(thread({ comments: [comment({ author: null, bot: true })] }), ["x"])).toBe(false);
    expect(isTrustedThread(thread(), ["ann"])).toBe(false);
    expect(isTrustedThread(undefined, ["ann"])).toBe(false);
  });
});
