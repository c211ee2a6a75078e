import { describe, expect, it } from "vitest";
import { spentOn } from "../../src/model/ledger.ts";
import { noBook } from "../../src/model/pull-request.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { select } from "../../src/run/select.ts";
import { answered } from "../support/answered.ts";
import { digestOf, nameOf, plainFailure } from "../support/sample-failure.ts";
import { sampleFix } from "../support/sample-fix.ts";

const delegated = (key: string): RunRecord => ({
  ...{ type: "delegated", key, task: key.slice(0, key.indexOf("#")), role: "executor", retries: 0, elapsedMs: 0 },
  ...{ attempt: Number(key.slice(key.indexOf("#") + 1)), baseline: { headBefore: key, mark: null, fileState: null } },
});
const replied = (key: string, text: string | null = `Reply of ${key}`): RunRecord =>
  answered(`${key}/delegate`, { kind: "replied" }, { reply: { text, headBefore: "abc" } });
const reviewed = (key: string, verdict: string, code: string, spec = ""): RunRecord =>
  answered(`${key}/review`, { kind: "failed" }, { review: { verdict, code, spec, round: 1 } });

function asked(...records: readonly RunRecord[]) {
  const state = newRun();
  for (const record of records) apply(state, record);
  const read = async (key: string) => `Long reply of ${key}`;
  return select(() => state, read);
}

describe("selectors of a run", () => {
  it("return the plan text as the run expects it", () => {
    expect(asked().planSeen()).toBeNull();
    const seen: RunRecord = { type: "planSeen", from: 0, cut: 0, text: "- [ ] 1.1 First" };
    expect(asked(seen, { ...seen, from: 3, cut: 1, text: "x" }).planSeen()).toBe("- [x] 1.1 First");
  });

  it("return the reply, even if it is too long for a record", async () => {
    const run = asked(replied("1.1#1"), replied("1.2#1", null));
    expect(await run.recall("1.1#1")).toMatchObject({
      ...{ reply: { text: "Reply of 1.1#1" }, headBefore: "abc", mark: null, fileState: null, verify: null },
    });
    expect((await run.recall("1.2#1")).reply.text).toBe("Long reply of 1.2#1");
    await expect(run.recall("1.3#1")).rejects.toThrow("Cannot recall attempt `1.3#1`");
  });

  it("return the state before an attempt", () => {
    const run = asked(delegated("1.1#1"));
    expect(run.baseline("1.1#1")).toEqual({ headBefore: "1.1#1", mark: null, fileState: null });
    expect(run.baseline("1.2#1")).toBeNull();
  });

  it("return the last failed result of a command that has only failed, and otherwise the last passing one", () => {
    const result = { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false };
    const ran = (name: string, digest: object | null): RunRecord =>
      answered("1.1#1/verify", { kind: "failed" }, { verify: { command: "make", name, result, digest } });
    expect(asked().lastCheck("make")).toBeNull();
    expect(asked(ran("one", {})).lastCheck("make")).toEqual({ command: "make", name: "one", passed: false });
    expect(asked(ran("one", null), ran("two", {})).lastCheck("make")).toEqual({
      ...{ command: "make", name: "one", passed: true },
    });
    expect(asked(ran("one", null)).lastCheck("other")).toBeNull();
  });

  it("return the checks that were flaky twice", () => {
    const result = { exitCode: 1, stdout: "", stderr: "", durationMs: 0, timedOut: false };
    const ran = (name: string, flaky: readonly string[]): RunRecord =>
      answered(
        `${name}/verify`,
        { kind: "failed" },
        { verify: { command: "make", name, result, digest: null, flaky } },
      );
    const run = asked(ran("1.1#1/verify", ["a", "b"]), ran("1.1#2/verify", ["b"]));
    expect([...run.flaky()]).toEqual(["b"]);
    expect([...asked().flaky()]).toEqual([]);
  });

  it("return the checks that were red before the first delegation, whatever later runs say", () => {
    const result = { exitCode: 1, stdout: "", stderr: "", durationMs: 0, timedOut: false };
    const verify = (name: string, command: string, ...ids: readonly string[]) => ({
      verify: { command, name, result, digest: digestOf(ids) },
    });
    const checked = (key: string, command: string, ...ids: readonly string[]): RunRecord => ({
      ...(delegated(key) as object as { type: "delegated" } & RunRecord),
      ...verify(`${key}/before`, command, ...ids),
    });
    const run = asked(
      checked("1.1#1", "make", "a"),
      answered("1.1#1/verify", { kind: "failed" }, verify("1.1#1/verify", "make", "a", "b")),
      checked("1.2#1", "other", "c"),
    );
    expect(run.redAtFirst("make")).toEqual([nameOf("a")]);
    expect(run.redAtFirst("other")).toEqual([]);
    expect(run.redAtFirst("none")).toEqual([]);
  });

  it("return what the prompt of the next attempt says about earlier ones", async () => {
    const run = asked(
      ...[replied("1.1#1"), answered("1.1#1/changePlan", { kind: "refused", reason: "too deep" })],
      ...[replied("1.2#1"), replied("1.1#2"), reviewed("1.1#2", "fail", "No test"), replied("1.1#3")],
    );
    expect(await run.earlier("1.1#3")).toEqual([
      { attempt: "1.1#1", text: "Reply of 1.1#1", verdict: "the plan was not changed as asked: too deep" },
      { attempt: "1.1#2", text: "Reply of 1.1#2", verdict: "A reviewer found: No test" },
    ]);
    expect(await run.earlier("1.2#1")).toEqual([]);
    const judgement = {
      ...{ kind: "rejected", evidence: { ended: "exit", git: null } },
      layers: [{ name: "checkmarks", passed: false, reason: "one box too many" }],
    };
    const judged = answered("1.1#1/verify", { kind: "rejected", reason: "one box too many" }, { judgement });
    expect(await asked(replied("1.1#1"), judged).earlier("1.1#2")).toMatchObject([{ verdict: "one box too many" }]);
  });

  it("return the reviewers' findings on a task", () => {
    const run = asked(
      ...[replied("1.1#1"), reviewed("1.1#1", "fail", "No test", "1.1 says so")],
      ...[replied("1.1#2"), reviewed("1.1#2", "none", "", "Nothing said")],
      ...[replied("1.1#3"), reviewed("1.1#3", "pass", "Fine")],
      ...[replied("1.1#4"), replied("1.2#1"), reviewed("1.2#1", "fail", "Other")],
    );
    expect(run.findings("1.1")).toEqual(["No test\n1.1 says so", "Nothing said"]);
    expect(run.findings("1.3")).toEqual([]);
  });

  it("return claims that are not judged yet", () => {
    const rejected = { kind: "rejected", layer: "checkmarks", reason: "no" } as const;
    const run = asked(
      ...[replied("1.1#1"), replied("1.2#1"), replied("1.3#1")],
      answered("1.2#1/verify", rejected, { judgement: { kind: "rejected" } }),
      { type: "judged", key: "1.3#1/verify", answer: rejected },
    );
    expect(run.unjudged()).toEqual(["1.1#1"]);
  });

  it("return the fix made for an attempt, and after its turn its reason", () => {
    const made = { ...sampleFix, id: "1.3.2", madeFor: { fingerprint: "f" } };
    const run = asked(
      { type: "intended", key: "1.3#1", fix: sampleFix },
      { type: "intended", key: "1.3#2", fix: made },
    );
    expect([run.madeFor("1.3#1"), run.madeFor("1.3#3")]).toEqual([sampleFix, null]);
    const { error } = sampleFix;
    expect(["1.3.1", "1.3.2", "1.3.3"].map(run.intended)).toStrictEqual([
      { error, madeAfter: 0 },
      { error, madeFor: made.madeFor, madeAfter: 0 },
      null,
    ]);
  });

  it("return whether a check of its tree has failed", () => {
    const result = { exitCode: 1, stdout: "", stderr: "", durationMs: 1, timedOut: false };
    const verify = { command: "make", name: "1.3.1#1/verify", result, digest: { source: "last-line", failures: [] } };
    const failed = answered("1.3.1#1/verify", { kind: "failed" }, { verify });
    const run = asked({ type: "intended", key: "1.3#1", fix: sampleFix }, failed);
    expect(["1.3", "1.3.1", "1.4"].map((task) => run.hasFailed(task, "make"))).toEqual([true, true, false]);
    expect(run.hasFailed("1.3", "make test")).toBe(false);
  });

  it("return unanswered questions of executors", () => {
    const fixed = [delegated("1.3#1"), { type: "intended", key: "1.3#1", fix: sampleFix }] as const;
    const blocked = (key: string) => answered(`${key}/verify`, { kind: "blocked", question: "Which?" });
    const gate = answered("1.3.1#1/askPerson", { kind: "gate", reason: "asks", hint: "" });
    const told = (...more: readonly RunRecord[]) =>
      asked(...fixed, delegated("1.3.1#1"), blocked("1.3.1#1"), gate, ...more);
    const open = (run: ReturnType<typeof asked>) => ["1.3", "1.3.1", "1.4"].map((task) => run.openQuestion(task));
    expect(open(told())).toEqual([null, "Which?", null]);
    expect(open(asked(...fixed, delegated("1.3.1~2#1"), blocked("1.3.1~2#1")))).toEqual([null, "Which?", null]);
    const answers = [
      { kind: "guided", text: "Blue" },
      { kind: "decided", decision: "retry" },
      { kind: "decided", decision: "skip" },
    ] as const;
    for (const answer of answers) {
      expect(open(told(answered("1.3.1#1/askPerson", answer)))).toEqual([null, null, null]);
    }
    const stopped = answered("1.3.1#1/askPerson", { kind: "decided", decision: "stop" });
    expect(open(told(stopped))).toEqual([null, "Which?", null]);
    expect(open(told({ type: "reset", task: "1.3" }))).toEqual([null, null, null]);
    expect(open(told(delegated("1.3#2")))).toEqual([null, null, null]);
  });

  it("return whether a task was attempted since its last fix was made", () => {
    const made = [delegated("1.3#1"), { type: "intended", key: "1.3#1", fix: sampleFix }] as const;
    expect(asked().isRepaired("1.3")).toBe(false);
    expect(asked(...made).isRepaired("1.3")).toBe(true);
    expect(asked(...made, delegated("1.3#2")).isRepaired("1.3")).toBe(false);
    expect(asked(...made, delegated("1.3#2"), { type: "refunded", key: "1.3#2" }).isRepaired("1.3")).toBe(true);
    expect(asked(...made, { type: "skipped", task: "1.3.1", justification: "no" }).isRepaired("1.3")).toBe(false);
    const reset = asked(...made, { type: "reset", task: "1.3" }, delegated("1.3#2"));
    expect(reset.isRepaired("1.3")).toBe(false);
    expect(
      asked({ type: "intended", key: "1.3#1", fix: sampleFix }, { type: "dropped", fix: "1.3.1" }).isRepaired("1.3"),
    ).toBe(false);
  });

  it("return tasks that are never batched again", () => {
    const members = [{ root: "1.1" }, { root: "1.2" }];
    const run = asked(
      answered("run#1/chooseTask", { kind: "batch", members }),
      answered("1.1#1/changePlan", { kind: "extended" }),
    );
    expect([...run.sequential()]).toEqual(["1.1", "1.2"]);
    expect([...asked().sequential()]).toEqual([]);
  });

  it("return the counts of a tree, for the kinds it has spent", () => {
    const run = asked(delegated("1.3#1"), delegated("1.4#1"), { type: "intended", key: "1.3#1", fix: sampleFix });
    const nothing = spentOn({}, "1.3");
    expect(run.spent("1.3")).toEqual({ "1.3": { ...nothing, attempts: 1, fixes: ["1.3.1"] }, "1.3.1": nothing });
    expect(run.spent("1.9")).toEqual({});
  });

  it("return how many tasks met a trouble, including the current one", () => {
    const lost = plainFailure("No route", { environment: "network" });
    const run = asked(answered("1.1#1/readFailure", lost), answered("1.2#1/readFailure", lost));
    expect(["1.2", "1.3"].map((task) => run.meets(task, "network"))).toEqual([2, 3]);
    expect(run.meets("1.3", "disk")).toBe(1);
    expect(asked().meets("1.1", "network")).toBe(1);
  });

  it("return the denied action that a person was not asked about", () => {
    const denied = { tool: "Bash", act: "npm test" };
    const other = { tool: "Bash", act: "npm start" };
    const run = asked(answered("1.1#1/readFailure", plainFailure("denied", { denied })));
    expect(run.newDenial("1.1", [denied, other])).toEqual(other);
    expect(run.newDenial("1.1~1", [denied])).toBeNull();
    expect(run.newDenial("1.2", [denied, other])).toEqual(denied);
    expect(run.newDenial("1.2", [])).toBeNull();
  });

  it("return whether a tool denied something before in the same tree", () => {
    const reply = { text: "", headBefore: null, denials: [{ tool: "Bash", act: "ls" }] };
    const run = asked(
      { type: "intended", key: "1.3#1", fix: sampleFix },
      answered("1.3#1/delegate", { kind: "replied" }, { reply }),
      replied("1.3#2"),
    );
    const keys = ["1.3#1", "1.3#2", `${sampleFix.id}#1`, "1.2#1"];
    expect(keys.map(run.deniedBefore)).toEqual([false, true, true, false]);
  });

  it("return the directive of a repair operator, and the goals of parts", () => {
    const directive = { strategy: "decompose", parts: ["One", "Two"] };
    const run = asked(answered("1.1#1/askOperator", { kind: "directed", directive }));
    expect(run.repairs("1.1")).toEqual([{ task: "1.1", directive }]);
    expect([run.repairs("1.1~2").length, run.repairs("1.2")]).toEqual([1, []]);
    expect(["1.1~1", "1.1~2", "1.1~3", "1.1", "1.2~1"].map((task) => run.part(task))).toEqual([
      ...["One", "Two", null, null, null],
    ]);
  });

  it("return a person's advice, and the paths of reports", () => {
    const run = asked(
      { type: "guided", task: "1.1", text: "Read the log" },
      answered("1.2#1/writeStuckReport", { kind: "written", path: "r.md" }),
    );
    expect([run.guidance("1.1"), run.guidance("1.2"), run.guidance("1.3")]).toEqual(["Read the log", null, null]);
    expect([...run.reported()]).toEqual([["1.2", "r.md"]]);
  });

  it("return the state of a pull request: nothing before it begins", () => {
    expect(asked().pullRequest()).toEqual(noBook);
    const pushed = { kind: "pushed", head: "abc", at: 5 };
    expect(asked(answered("pr#1/pushBranch", pushed)).pullRequest()).toMatchObject({ head: "abc", pushedAt: 5 });
  });
});
