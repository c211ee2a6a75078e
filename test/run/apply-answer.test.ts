import { describe, expect, it } from "vitest";
import type { Level } from "../../src/model/escalation.ts";
import type { RunEnding } from "../../src/model/event.ts";
import type { FailureDigest } from "../../src/model/failure.ts";
import type { Baseline } from "../../src/model/git-evidence.ts";
import { spentOn } from "../../src/model/ledger.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { Role } from "../../src/model/role.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { answered } from "../support/answered.ts";
import { measuredFailure, plainFailure } from "../support/sample-failure.ts";

const delegated = (key: string, more: { role?: Role; level?: Level; baseline?: Baseline; elapsedMs?: number } = {}) => {
  const [task = "", number] = key.split("#");
  const { role = "executor", ...others } = more;
  return {
    ...{ type: "delegated", key, task, role, attempt: Number.parseInt(number ?? "", 10), retries: 0, elapsedMs: 0 },
    ...others,
  } as const satisfies RunRecord;
};
const replied = (key: string): RunRecord =>
  answered(`${key}/delegate`, { kind: "replied" }, { reply: { text: "Done", headBefore: null } });
const failed = (key: string, failure: FailureDigest): RunRecord => answered(`${key}/readFailure`, failure);
const choice = (answer: object): RunRecord => answered("run#1/chooseTask", answer);
const ended = (durationMs: number): RunRecord => ({
  ...{ type: "ended", planHash: "", denial: null },
  ending: {
    ...{ type: "run.ended", outcome: "interrupted" satisfies RunEnding, exitCode: 0, original: 1, fixes: 0 },
    ...{ attempts: 1, skipped: [], tickedByHand: 0, durationMs },
  },
});
const advised: RunRecord = { type: "advised", text: "Look at the log" };
const lost = plainFailure("No route to host", { environment: "network" });

function stateOf(...records: readonly (RunRecord & { readonly at?: number })[]) {
  const state = newRun();
  for (const record of records) apply(state, record);
  return state;
}

describe("a choice", () => {
  const member = (root: string) => ({ root, current: root, spent: {} });
  const task = choice({ kind: "task", ...member("1.1") });
  const batch = choice({ kind: "batch", members: [member("1.1"), member("1.2")] });
  const none = choice({ kind: "none" });

  it("begins a turn of one task or a batch", () => {
    expect([stateOf(task).turns, stateOf(task).batch]).toEqual([1, []]);
    expect(stateOf(task, batch)).toMatchObject({ turns: 2, batch: ["1.1", "1.2"] });
    expect(stateOf(batch, task).batch).toEqual([]);
  });

  it("passes advice to the chosen tasks, and keeps it if none is chosen", () => {
    expect(stateOf(advised).advice).toEqual({ text: "Look at the log" });
    expect(stateOf(advised, task).advice).toBeNull();
    expect(stateOf(advised, batch).advice).toBeNull();
    expect(stateOf(advised, none).advice).toEqual({ text: "Look at the log" });
    expect(stateOf(advised, answered("1.1#1/wait", { kind: "waited" })).advice).toEqual({ text: "Look at the log" });
  });

  it("writes the pending log lines of an earlier batch, as the end of a batch does", () => {
    const passed = [delegated("1.1#1"), { type: "passed", key: "1.1#1", commit: "abc" } as const];
    expect(stateOf(...passed).owed).toEqual({ "1.1": "abc" });
    expect(stateOf(...passed, none).owed).toEqual({});
    expect(stateOf(...passed, answered("run#1/mergeProgress", { kind: "merged" })).owed).toEqual({});
  });
});

describe("a verdict", () => {
  const judgedWith = (answer: object) =>
    stateOf(delegated("1.1#1"), replied("1.1#1"), answered("1.1#1/verify", answer));

  it("of an invalid claim is a failure, unless the failure is read first", () => {
    const failures = (answer: object) => judgedWith(answer).trees["1.1"]?.escalation?.failures ?? 0;
    const rejected = { kind: "rejected", layer: "checkmarks", reason: "no" };
    expect(failures(rejected)).toBe(1);
    expect(failures({ ...rejected, withheld: false })).toBe(1);
    expect(failures({ ...rejected, withheld: true })).toBe(0);
    expect(failures({ ...rejected, kind: "failed" })).toBe(0);
  });

  it("refunds the attempt if a question comes first", () => {
    expect(spentOn(judgedWith({ kind: "blocked", question: "Which?" }).tasks, "1.1").waits).toBe(1);
    expect(spentOn(judgedWith({ kind: "failed", layer: "verify", reason: "no" }).tasks, "1.1").waits).toBeUndefined();
  });

  it("ends the attempt, unless it accepted the claim", () => {
    expect(judgedWith({ kind: "failed" }).turn.inFlight).toEqual({});
    expect(judgedWith({ kind: "accepted" }).turn.inFlight).toEqual({ "1.1": true });
  });

  it("clears the failures of a tree whose claim is accepted, and changes no other tree", () => {
    const twice = [delegated("1.1#1"), failed("1.1#1", measuredFailure(["a"])), delegated("1.1#2")];
    const accepted = stateOf(...twice, answered("1.1#2/verify", { kind: "accepted" }));
    expect(accepted.trees["1.1"]?.escalation).toMatchObject({ failures: 1, failing: null, evidence: null });
    const turnedDown = stateOf(...twice, answered("1.1#2/verify", { kind: "failed" }));
    expect(turnedDown.trees["1.1"]?.escalation).toMatchObject({ failures: 1, failing: { count: 1 } });
    expect(stateOf(delegated("1.2#1"), answered("1.2#1/verify", { kind: "accepted" })).trees).toEqual({});
  });
});

describe("the state of an attempt", () => {
  const verify = {
    ...{ command: "make", name: "1.1#1/verify", digest: null },
    result: { exitCode: 0, stdout: "", stderr: "", durationMs: 1, timedOut: false },
  };
  const reality = { ...verify, command: "make old", name: "1.1#1/reality" };
  const judgement = { kind: "accepted" };
  const review = { verdict: "pass", code: "", spec: "", round: 1 };
  const outcome = { verify, reality, judgement, review };

  it("contains all its answers, whatever comes later", () => {
    const told = [replied("1.1#1"), answered("1.1#1/verify", { kind: "accepted" }, outcome)];
    const { turn } = stateOf(...told, answered("1.1#1/recordPass", { kind: "recorded" }));
    expect(turn.attempts["1.1#1"]).toMatchObject({ ...outcome, refusal: null, failure: null });
    expect(stateOf(...told, replied("1.1#1")).turn.attempts["1.1#1"]).toMatchObject({ verify: null, review: null });
  });

  it("contains its failure", () => {
    const told = (more: Partial<FailureDigest>) =>
      stateOf(replied("1.1#1"), failed("1.1#1", plainFailure("Broken", { status: "half done", ...more })));
    const failureOf = (more: Partial<FailureDigest>) => told(more).turn.attempts["1.1#1"]?.failure;
    expect(failureOf({})).toStrictEqual({ error: "Broken", status: "half done" });
    expect(failureOf({ unstated: ["status"] })).toStrictEqual({
      error: "Broken",
      status: "half done",
      unstated: ["status"],
    });
  });

  it("contains why its change of the plan was refused", () => {
    const asked = (answer: object) =>
      stateOf(replied("1.1#1"), answered("1.1#1/changePlan", answer)).turn.attempts["1.1#1"]?.refusal;
    expect(asked({ kind: "refused", reason: "too deep" })).toBe("too deep");
    expect(asked({ kind: "extended", change: "ADD_FOLLOWUP", added: [], reason: "none" })).toBeNull();
  });

  it("contains the state at its first start", () => {
    const stood = (fileState: string): Baseline => ({ headBefore: "abc", mark: null, fileState });
    const begun = delegated("1.1#1", { baseline: stood("before") });
    expect(stateOf(begun, delegated("1.1#1", { baseline: stood("later") })).turn.baselines).toEqual({
      "1.1#1": stood("before"),
    });
    expect(stateOf(delegated("1.1#1")).turn.baselines).toStrictEqual({});
  });

  it("keeps the names of outputs by whether the command passed", () => {
    const broken = { ...verify, name: "1.1#2/verify", digest: { source: "tools", failures: [] } };
    const ran = (check: object) => answered("1.1#1/verify", { kind: "failed" }, { verify: check });
    expect(stateOf(ran(verify), ran(broken)).checks).toMatchObject({
      make: { last: { name: "1.1#2/verify", passed: false }, passed: "1.1#1/verify", failed: "1.1#2/verify" },
    });
    const realities = stateOf(answered("1.1#1/verify", { kind: "failed" }, { reality }));
    expect(realities.checks).toMatchObject({ "make old": { passed: "1.1#1/reality", failed: null } });
  });
});

describe("a change of the plan", () => {
  const planned = (more: object = {}): RunRecord => ({
    ...{ type: "planned", key: "1.1#1", change: "SPLIT_TASK" },
    plan: { task: "1.1", place: "behind", tasks: [], ...more },
  });
  const turn = [choice({ kind: "batch", members: [{ root: "1.1" }, { root: "1.2" }] }), delegated("1.1#1")];
  const changedWith = (kind: string, more: object = {}) =>
    stateOf(...turn, planned(more), answered("1.1#1/changePlan", { kind, change: "SPLIT_TASK", added: [] }));

  it("puts no member of its batch into a batch again, unless it was refused", () => {
    expect(changedWith("replanned").sequential).toEqual({ "1.1": true, "1.2": true });
    expect(changedWith("extended").sequential).toEqual({ "1.1": true, "1.2": true });
    expect(changedWith("refused").sequential).toEqual({});
  });

  it("that puts other tasks first ends its task's attempt, and refunds it", () => {
    expect([changedWith("replanned").turn.inFlight, changedWith("replanned").tasks["1.1"]?.waits]).toEqual([{}, 1]);
    expect([changedWith("extended").turn.inFlight, changedWith("extended").tasks["1.1"]?.waits]).toEqual([
      { "1.1": true },
      undefined,
    ]);
  });

  it("that splits a task completes it with its parts", () => {
    expect(changedWith("replanned", { tick: true }).accepted).toEqual({ "1.1": true });
    expect(changedWith("replanned", { tick: false }).accepted).toEqual({});
    expect(changedWith("replanned").accepted).toEqual({});
    expect(changedWith("extended", { tick: true }).accepted).toEqual({});
    const unplanned = stateOf(...turn, answered("1.1#1/changePlan", { kind: "replanned" }));
    expect(unplanned.accepted).toEqual({});
  });
});

describe("a pass", () => {
  const owedBy = (...records: readonly RunRecord[]) => {
    const { accepted, owed, unflushed, proofs } = stateOf(...records);
    return { accepted: Object.keys(accepted), owed, unflushed, proofs };
  };
  const passed = (more: object, key = "1.1#1") => [
    delegated(key),
    answered(`${key}/recordPass`, { kind: "recorded", ...more }),
  ];
  const settled = { accepted: ["1.1"], owed: {}, unflushed: {}, proofs: {} };

  it("adds pending log lines if its record asks for them, each with its commit", () => {
    expect(owedBy(...passed({ commit: "abc" }))).toEqual(settled);
    expect(owedBy(...passed({ grouped: true, commit: "abc" }))).toEqual({ ...settled, owed: { "1.1": "abc" } });
    expect(owedBy(...passed({ pending: true, commit: "abc" }))).toEqual({ ...settled, unflushed: { "1.1": "abc" } });
    const both = { ...settled, owed: { "1.1": null }, unflushed: { "1.1": null } };
    expect(owedBy(...passed({ grouped: true, pending: true }))).toEqual(both);
  });

  it("of an abandoned turn has pending log lines, and counts as proven done", () => {
    const left = { type: "passed", key: "1.1#1", commit: "abc" } as const;
    expect(owedBy(delegated("1.1#1"), left)).toEqual({ ...settled, owed: { "1.1": "abc" } });
  });

  it("is flushed for the tasks that a record names", () => {
    const flushed = (task: string): RunRecord => ({ type: "flushed", tasks: [task] });
    expect(stateOf(...passed({ pending: true }), flushed("1.2")).unflushed).toEqual({ "1.1": null });
    expect(stateOf(...passed({ pending: true }), flushed("1.1")).unflushed).toEqual({});
  });

  it("of a part does not pass its task", () => {
    const part = passed({ grouped: true, pending: true, proof: { kind: "proven" } }, "1.1~1#1");
    expect(owedBy(...part)).toEqual({ accepted: [], owed: {}, unflushed: {}, proofs: {} });
    expect(stateOf(...part).turn.inFlight).toEqual({});
  });

  it("of a manual fix has pending log lines without a commit", () => {
    const result = { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false };
    const verify = { command: "make", name: "1.1#1/mended", result, digest: null };
    const mended: RunRecord = { type: "mended", passes: [{ key: "1.1#1", verify }] };
    expect(owedBy(mended)).toEqual({ ...settled, owed: { "1.1": null } });
    expect(stateOf(mended).checks).toMatchObject({ make: { passed: "1.1#1/mended", failed: null } });
  });
});

describe("trouble of the environment", () => {
  const inTrouble = (...records: readonly RunRecord[]) => stateOf(...records).trouble;
  const first = [delegated("1.1#1"), failed("1.1#1", lost)];
  const second = [delegated("1.2#1"), failed("1.2#1", lost)];
  const none = { what: null, tasks: [] };

  it("counts once for each task that meets it in sequence", () => {
    expect(inTrouble(...first)).toEqual({ what: "network", tasks: ["1.1"] });
    expect(inTrouble(...first, ...second, failed("1.1#1", lost))).toEqual({ what: "network", tasks: ["1.1", "1.2"] });
    const other = failed("1.2#1", plainFailure("Disk full", { environment: "disk" }));
    expect(inTrouble(...first, other)).toEqual({ what: "disk", tasks: ["1.2"] });
  });

  it("ends with another failure, a pass, a person's message, and an end", () => {
    expect(inTrouble(...first, failed("1.2#1", plainFailure("Broken")))).toEqual(none);
    expect(inTrouble(...first, answered("1.1#2/recordPass", { kind: "recorded" }))).toEqual(none);
    expect(inTrouble(...first, answered("1.1#1/askPerson", { kind: "guided", text: "" }))).toEqual(none);
    expect(inTrouble(...first, ended(1))).toEqual(none);
  });

  it("is kept while a question about it is open", () => {
    const gate = answered("1.1#1/askPerson", { kind: "gate", reason: "Network?", hint: "Look" });
    expect(inTrouble(...first, gate)).toEqual({ what: "network", tasks: ["1.1"] });
  });
});

describe("a repair operator", () => {
  const asked = (answer: object, at?: number) =>
    stateOf(
      delegated("1.1#1"),
      { ...delegated("1.1#1"), key: "1.1#1/askOperator", role: "operator" },
      { ...answered("1.1#1/askOperator", answer), ...(at !== undefined && { at }) },
    );

  it("does not count as an attempt at the task", () => {
    const state = stateOf({ ...delegated("1.1#1"), key: "1.1#1/askOperator", role: "operator" });
    expect([state.iterations, state.tasks, state.turn.inFlight]).toEqual([1, {}, {}]);
    expect(state.turn.executors).toEqual({ "1.1#1/askOperator": "operator 0" });
  });

  it("is blocked until the time it gives", () => {
    expect(asked({ kind: "malformed", reason: "limit", until: 70 }, 60).blocked).toEqual({
      "operator 0": { until: 70, said: 60 },
    });
    expect(asked({ kind: "malformed", reason: "limit", until: null }).blocked).toEqual({
      "operator 0": { until: null, said: null },
    });
    expect(asked({ kind: "malformed", reason: "prose" }).blocked).toEqual({});
    expect(asked({ kind: "directed", directive: { strategy: "retry", adjustment: "a" } }).blocked).toEqual({});
  });

  it("has its directive followed only if it gave one", () => {
    const directive = { strategy: "retry", adjustment: "Read first" };
    expect(asked({ kind: "directed", directive }).trees["1.1"]?.repairs).toEqual([{ task: "1.1", directive }]);
    expect(asked({ kind: "malformed", reason: "prose", directive }).trees).toEqual({});
  });
});

describe("an executor that cannot work", () => {
  const limit = (until: number | undefined): RunRecord =>
    failed("1.1#1", plainFailure("limit", { kind: "rate-limit", ...(until !== undefined && { until }) }));

  it("is asked again after an end, if only a person could help", () => {
    expect(stateOf(delegated("1.1#1"), limit(undefined), ended(1)).blocked).toEqual({});
    expect(stateOf(delegated("1.1#1"), limit(70), ended(1)).blocked).toEqual({
      "executor 0": { until: 70, said: null },
    });
  });
});

describe("parts, skips and reports", () => {
  it("counts work collected from parts as begun, but not as an attempt", () => {
    const gathered = stateOf(delegated("1.1#1"), answered("1.1#2/gatherParts", { kind: "gathered" }));
    expect(gathered.tasks["1.1"]).toMatchObject({ attempts: 2, waits: 1 });
    expect(gathered.turn.levels).toEqual({ "1.1": "normal" });
    const again = stateOf(answered("1.1#1/gatherParts", { kind: "gathered" }), answered("1.1#2/gatherParts", {}));
    expect(again.tasks["1.1"]).toMatchObject({ attempts: 2, waits: 2 });
  });

  it("keeps skipped tasks, which no one is working on", () => {
    const skipped = { root: "1.1", justification: "gone" };
    const whole = stateOf(delegated("1.1#1"), answered("1.1#1/recordSkip", { kind: "skipped", skipped }));
    expect([whole.skipped, whole.turn.inFlight]).toEqual([{ "1.1": "gone" }, {}]);
    const part = stateOf(delegated("1.1~1#1"), answered("1.1~1#1/recordSkip", { kind: "skipped" }));
    expect([part.skipped, part.turn.inFlight]).toEqual([{}, {}]);
  });

  it("keeps the path of a checkpoint's report", () => {
    const state = stateOf(delegated("1.1.1#1"), answered("1.1#1/writeStuckReport", { kind: "written", path: "r.md" }));
    expect([state.reports, state.trees["1.1"]?.escalation?.level]).toEqual([{ "1.1": "r.md" }, "checkpoint"]);
  });

  it("clears a task for a pull request once it is written", () => {
    const addition: RunRecord = {
      ...{ type: "addition", key: "pr#1/addPullRequestTask", checks: ["c"] },
      cause: { kind: "check", check: "c", job: null, head: "h" },
      plan: { task: "5.1", place: "behind", tasks: [{ id: "5.5", markers: [], title: "t", fields: {} }] },
    };
    const written = stateOf(addition, answered("pr#1/addPullRequestTask", { kind: "added" }));
    expect([written.turn.addition, Object.keys(written.pullRequest?.tasks ?? {})]).toEqual([undefined, ["5.5"]]);
  });
});

describe("working time", () => {
  it("is the highest value recorded, by whichever record", () => {
    expect(stateOf(delegated("1.1#1", { elapsedMs: 50 }), delegated("1.1#2", { elapsedMs: 20 })).elapsedMs).toBe(50);
    expect(stateOf(delegated("1.1#1", { elapsedMs: 50 }), ended(80)).elapsedMs).toBe(80);
    expect(stateOf(delegated("1.1#1", { elapsedMs: 50 }), ended(20)).elapsedMs).toBe(50);
  });
});
