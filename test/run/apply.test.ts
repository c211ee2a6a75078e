import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { attemptsOn, reviewsOn, spentOn } from "../../src/model/ledger.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { noSeed } from "../../src/model/run-seed.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { answered as answeredWith } from "../support/answered.ts";
import { evidenceWith, measuredFailure, setOf } from "../support/sample-failure.ts";
import { sampleFix } from "../support/sample-fix.ts";

const delegated = (role: "executor" | "reviewer", attempt: number): RunRecord => ({
  ...{ type: "delegated", key: role === "reviewer" ? "1.1#1/review" : `1.1#${attempt}`, task: "1.1", role, attempt },
  ...{ retries: attempt - 1, elapsedMs: 0 },
});
const answered = (effect: string, answer: object) => answeredWith(`1.1#1/${effect}`, answer);
const planned: RunRecord = {
  type: "planned",
  key: "1.1#1",
  change: "ADD_FOLLOWUP",
  plan: { task: "1.1", place: "behind", tasks: [{ id: "1.2", markers: [], title: "Two", fields: {} }] },
};

function memoryOf(...records: readonly RunRecord[]) {
  const memory = createRunMemory();
  for (const record of records) memory.apply(record);
  return memory;
}

describe("apply", () => {
  it("changes nothing for a request to a forge that is about to be made", () => {
    const [before, after] = [newRun(), newRun()];
    apply(after, { type: "shipping", key: "pr#1.1/pushBranch", act: "push", target: "abc" });
    expect(after).toEqual(before);
  });

  it("merges nothing of a worktree task that a person fixed in the workspace", () => {
    const begun: RunRecord = { ...(delegated("executor", 1) as object), base: { apart: true, content: "x" } } as never;
    const result = { exitCode: 0, stdout: "", stderr: "", durationMs: 1, timedOut: false };
    const verify = { command: "make", name: "1.1#1/mended", result, digest: null };
    const before = memoryOf(begun);
    expect(before.apart("1.1")).toBe("x");
    const memory = memoryOf(begun, { type: "mended", passes: [{ key: "1.1#1", verify }] });
    expect([memory.toMerge(), memory.apart("1.1"), memory.wasApart("1.1")]).toEqual([[], null, true]);
  });

  it("reopens a task with another conflict, even if its leftover work is unknown", () => {
    const collision = { files: ["a.ts"], failed: null };
    const memory = memoryOf({ type: "merged", tasks: ["1.1"], collided: { "1.1": collision }, runs: [] });
    expect([memory.collision("1.1"), memory.leftIn("1.1"), [...memory.sequential()]]).toEqual([
      collision,
      null,
      ["1.1"],
    ]);
  });

  it("changes nothing if an unknown fix is dropped", () => {
    const [before, after] = [newRun(), newRun()];
    apply(after, { type: "dropped", fix: "1.1.1" });
    expect(after.fixes).toEqual(before.fixes);
  });

  it("tracks tasks whose box and log lines are not written yet", () => {
    const state = newRun();
    apply(state, answered("recordPass", { kind: "recorded", commit: "abc", pending: true }));
    expect(state.unflushed).toEqual({ "1.1": "abc" });
  });

  it("counts once a review that is repeated after a crash", () => {
    const { ledger } = memoryOf(delegated("executor", 1), delegated("reviewer", 1), delegated("reviewer", 1));
    expect(reviewsOn(ledger.tasks, "1.1")).toBe(1);
    expect(reviewsOn(memoryOf(delegated("reviewer", 1), delegated("reviewer", 2)).ledger.tasks, "1.1")).toBe(2);
  });

  it("resets the iterations of a task, and continues the numbers of its attempts", () => {
    const { ledger } = memoryOf(delegated("executor", 1), delegated("executor", 2), { type: "reset", task: "1.1" });
    expect(spentOn(ledger.tasks, "1.1")).toMatchObject({ attempts: 2, retries: 0 });
    expect(attemptsOn(ledger.tasks, "1.1")).toBe(0);
  });

  it("resets a task that is no longer skipped", () => {
    const skipped = (justification: string | null): RunRecord => ({ type: "skipped", task: "1.1", justification });
    const records = [delegated("executor", 1), delegated("executor", 2), skipped("gone")];
    expect([
      ...memoryOf(...records)
        .skipped()
        .keys(),
    ]).toEqual(["1.1"]);
    const taken = memoryOf(...records, skipped(null));
    expect([attemptsOn(taken.ledger.tasks, "1.1"), taken.skipped().size]).toEqual([0, 0]);
  });

  it("records that a fix supersedes another, unless it was never written", () => {
    const fixOf = (id: string, more: object = {}): RunRecord => ({
      ...{ type: "intended", key: `1.1#${id}`, fix: { ...sampleFix, id, fixOf: "1.1", ...more } },
    });
    const made = [fixOf("1.1.1"), fixOf("1.1.2", { supersedes: "1.1.1", madeFor: { fingerprint: "f" } })];
    const { ledger, ...memory } = memoryOf(...made);
    expect([...memory.superseded()]).toEqual([["1.1.1", "1.1.2"]]);
    expect(ledger.tasks["1.1.2"]).toEqual({ attempts: 0, retries: 0, fixes: [], madeFor: { fingerprint: "f" } });
    const dropped = memoryOf(...made, { type: "dropped", fix: "1.1.2" });
    expect(dropped.superseded().size).toBe(0);
    expect(dropped.ledger.tasks).toEqual({
      ...{ "1.1": { attempts: 0, retries: 0, fixes: ["1.1.1"] }, "1.1.1": { attempts: 0, retries: 0, fixes: [] } },
    });
  });

  it("records a fix that was closed as accepted", () => {
    const memory = memoryOf({ type: "closed", fix: "1.1.1", by: "1.1.2" });
    expect([memory.isAccepted("1.1.1"), memory.state.accepted]).toEqual([true, { "1.1.1": true }]);
  });

  it("counts limits on one task from a new minimum reached by a failure or a fix", () => {
    const failed = (ids: readonly string[]) => answered("readFailure", measuredFailure(ids));
    const counted = (...records: readonly RunRecord[]) =>
      memoryOf(delegated("executor", 1), ...records).ledger.tasks["1.1"]?.beforeProgress;
    expect(counted(failed(["a", "b"]))).toBeUndefined();
    expect(counted(failed(["a", "b"]), failed(["c", "d"]))).toBeUndefined();
    expect(counted(failed(["a", "b"]), failed(["c"]))).toEqual({ iterations: 1, fixes: 0 });
    const left = { failing: setOf("a"), evidence: evidenceWith(["a"]) };
    const accepted = answered("verify", { kind: "accepted", left });
    expect(counted(failed(["a", "b"]), accepted)).toEqual({ iterations: 1, fixes: 0 });
    expect(counted(failed(["a", "b"]), answered("verify", { kind: "accepted" }))).toBeUndefined();
    expect(memoryOf(failed(["a", "b"]), accepted).escalation("1.1")).toMatchObject({ failing: setOf("a"), before: 2 });
  });

  it("records the proof of a task", () => {
    const passed = (more: object) => answered("recordPass", { kind: "recorded", ...more });
    const [unverified, proven] = [{ kind: "unverified" }, { kind: "proven" }] as const;
    expect([...memoryOf(passed({ proof: unverified })).proofs()]).toEqual([["1.1", unverified]]);
    expect([...memoryOf(passed({ proof: unverified }), passed({ proof: proven })).proofs()]).toEqual([["1.1", proven]]);
    expect([...memoryOf(passed({ proof: unverified, open: true })).proofs()]).toEqual([]);
    const accepted = answered("verify", { kind: "accepted", proof: proven });
    expect([...memoryOf(accepted, passed({})).proofs()]).toEqual([["1.1", proven]]);
    expect([...memoryOf(passed({})).proofs()]).toEqual([]);
  });

  describe("of boxes that changed before a claim was judged", () => {
    const replied = (key: string): RunRecord => ({
      ...{ type: "answered", effect: "delegate", key: `${key}/delegate`, answer: { kind: "replied" } },
      reply: { text: "TASK_COMPLETE", headBefore: null, mark: null },
    });
    const boxes = (key: string, set: string[], cleared: string[] = []): RunRecord => ({
      ...{ type: "boxes", key, set, cleared },
    });
    const begun = ["1.1", "1.2"].map((task) => ({ ...delegated("executor", 1), key: `${task}#1`, task }) as RunRecord);
    const verdict = (task: string, kind: string, more = {}): RunRecord =>
      answeredWith(`${task}#1/verify`, { kind, ...more });
    const claims = [...begun, replied("1.1#1"), replied("1.2#1")];
    const boxesFor = async (key: string, ...records: readonly RunRecord[]) =>
      (await memoryOf(...claims, ...records).recall(key)).boxes;

    it("merges the reports of several starts", async () => {
      const told = [boxes("1.1#1", ["1.1", "1.4"]), boxes("1.1#1", ["1.2"], ["1.4"])];
      expect(await boxesFor("1.1#1", ...told)).toEqual({ set: ["1.1", "1.2"], cleared: ["1.4"] });
      expect(await boxesFor("1.2#1", ...told)).toBeNull();
      expect(await boxesFor("1.1#1", boxes("1.9#1", ["1.9"]))).toBeNull();
    });

    it.each(["answered", "judged"] as const)("ends attempts that no longer run at one %s verdict", async (type) => {
      const told = [boxes("1.1#1", ["1.1", "1.2", "1.4"]), boxes("1.2#1", ["1.1", "1.2", "1.4"])];
      const rejected = { ...verdict("1.1", "rejected", { reason: "no" }), type } as RunRecord;
      const left = type === "answered" ? ["1.2"] : ["1.1", "1.2"];
      expect(await boxesFor("1.2#1", ...told, rejected)).toEqual({ set: left, cleared: [] });
      const accepted = verdict("1.1", "accepted");
      expect(await boxesFor("1.2#1", ...told, accepted)).toEqual({ set: ["1.1", "1.2"], cleared: [] });
    });
  });

  it("does not count an interrupted attempt", () => {
    const { ledger } = memoryOf(delegated("executor", 1), { type: "refunded", key: "1.1#1" });
    expect(attemptsOn(ledger.tasks, "1.1")).toBe(0);
  });

  it("keeps the log lines pending of a task whose pass was refused after its tick", () => {
    const memory = memoryOf(delegated("executor", 1), { type: "passed", key: "1.1#1", commit: "abc1234" });
    expect([...memory.unlogged()]).toEqual([["1.1", "abc1234"]]);
    expect([memory.isAccepted("1.1"), memory.inFlight().has("1.1")]).toEqual([true, false]);
  });

  it("keeps the reply to a claim until it is answered", async () => {
    const answer = { kind: "rejected", layer: "checkmarks", reason: "checkmark mismatch" } as const;
    const reply = { text: "TASK_COMPLETE", headBefore: null };
    const memory = memoryOf(delegated("executor", 1), { ...answered("delegate", { kind: "replied" }), reply });
    const concluded = async () => (await memory.recall("1.1#1")).concluded;
    expect(await concluded()).toBe(null);
    memory.apply({ type: "judged", key: "1.1#1/verify", answer });
    expect([await concluded(), memory.inFlight().has("1.1")]).toEqual([answer, true]);
    memory.apply(answered("verify", answer));
    expect([await concluded(), memory.inFlight().has("1.1")]).toEqual([null, false]);
  });

  it("keeps only attempts of the current turn", () => {
    const reply = { text: "", headBefore: null };
    const chosen = {
      type: "answered",
      effect: "chooseTask",
      key: "run#2/chooseTask",
      answer: { kind: "none" },
    } as const;
    const memory = memoryOf(delegated("executor", 1), { ...answered("delegate", { kind: "replied" }), reply }, chosen);
    expect([memory.knows("1.1#1"), memory.inFlight().size, memory.state.turns]).toEqual([false, 0, 1]);
  });

  it("forgets a change of the plan that was never written", () => {
    const memory = memoryOf(planned);
    expect([memory.changesOf("1.1").count, memory.changesOf("1.2").depth]).toEqual([1, 1]);
    for (const _ of [1, 2]) memory.apply({ type: "withdrawn", key: "1.1#1" });
    expect([memory.changesOf("1.1").count, memory.changesOf("1.2").depth]).toEqual([0, 0]);
    expect(memory.planned("1.1#1")).toBe(null);
  });

  describe("of an executor that cannot work", () => {
    const limited = (more: object) => answered("readFailure", { ...measuredFailure([]), kind: "rate-limit", ...more });
    const told = (...records: readonly RunRecord[]) => memoryOf(...records).state.blocked;

    it.each([
      [{ until: 7, blocked: undefined }, 7],
      [{ until: 7, blocked: 9 }, 9],
      [{ until: 7, blocked: null }, null],
      [{}, null],
    ])("keeps the end of the block: %j", (more, until) => {
      expect(told(delegated("executor", 1), limited(more))).toEqual({ "executor 0": { until, said: null } });
    });

    it("blocks no executor if it is unknown who had the attempt", () => {
      expect(told(limited({ until: 7 }))).toEqual({});
    });

    it("refunds its attempt, at any level", () => {
      const spentAfter = (...records: readonly RunRecord[]) => memoryOf(...records, limited({})).ledger.tasks["1.1"];
      expect(attemptsOn({ "1.1": spentAfter(delegated("executor", 1)) ?? spentOn({}, "1.1") }, "1.1")).toBe(0);
      expect(spentAfter()).toMatchObject({ attempts: 0, waits: 1 });
    });
  });

  it("counts an attempt with too long a prompt, so that the next is shorter", () => {
    const long = answered("readFailure", { ...measuredFailure(["a"]), kind: "context-exhausted" });
    expect(memoryOf(delegated("executor", 1), long, long).ledger.tasks["1.1"]).toMatchObject({ tooLong: 2 });
    const other = answered("readFailure", measuredFailure(["a"]));
    expect(memoryOf(delegated("executor", 1), other).ledger.tasks["1.1"]).not.toHaveProperty("tooLong");
  });

  it("asks about a denied action once for each planned task, and refunds the attempt", () => {
    const act = { tool: "Bash", act: "npm test" };
    const denied = answered("readFailure", { ...measuredFailure([]), denied: act });
    const memory = memoryOf(delegated("executor", 1), denied, denied);
    expect(memory.newDenial("1.1", [act])).toBeNull();
    expect(memory.newDenial("1.2", [act])).toEqual(act);
    expect(memory.state.trees["1.1"]?.denied).toHaveLength(1);
    expect(memory.state.blocked).toEqual({});
  });

  it("refuses to recall an attempt that was not made", async () => {
    await expect(memoryOf().recall("1.1#1")).rejects.toMatchObject({ code: "attempt-unknown" });
  });
});

describe("newRun", () => {
  it("takes over which fixes are superseded by others", () => {
    const tasks = {
      "1.1": { ...spentOn({}, "1.1"), fixes: ["1.1.1", "1.1.2"] },
      "1.1.1": { ...spentOn({}, "1.1.1"), supersededBy: "1.1.2" },
    };
    expect(newRun(null, { ...noSeed, tasks })).toMatchObject({
      superseded: { "1.1.1": "1.1.2" },
      fixParents: { "1.1.1": "1.1", "1.1.2": "1.1" },
    });
  });
});
