import { describe, expect, it } from "vitest";
import type { SpecOutcome } from "../../machines/spec.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { EnvironmentError, InputError } from "../../src/model/errors.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { endRun } from "../../src/runtime/conclude.ts";
import { stopFor } from "../../src/runtime/stop.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor } from "../../src/testing/scripted-ports.ts";
import { answered } from "../support/answered.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { sampleFix } from "../support/sample-fix.ts";
import { seenPlan, withoutPlan } from "../support/seen-plan.ts";

const plan = "- [x] 1.1 First\n- [x] 1.2 Second\n- [ ] 1.2.1 [FIX 1.2] Fix: adds\n- [ ] 1.3 Third\n";
const complete: SpecOutcome = { kind: "complete" } as SpecOutcome;
const delegated = (task: string, more: object = {}): RunRecord => ({
  ...{ type: "delegated", key: `${task}#1`, task, role: "executor", attempt: 1, retries: 0, elapsedMs: 0, ...more },
});
const replied = (key: string, costUsd: number): RunRecord =>
  ({
    ...answered(`${key}/delegate`, { kind: "replied" }),
    reply: { text: "TASK_COMPLETE", headBefore: null, usage: { costUsd, inputTokens: costUsd * 10 } },
  }) as RunRecord;

async function end(
  outcome: SpecOutcome,
  {
    records = [] as readonly RunRecord[],
    text = plan,
    found: standing = null as string | null,
    more = {} as Partial<Ports>,
  } = {},
) {
  const made: RunRecord[] = [];
  const append = (more: readonly RunRecord[]) => void made.push(...withoutPlan(more));
  const attempts = createRunMemory({
    ...{ open: 1, elapsedMs: () => 1234.6 },
    store: { append, writeOutput: () => {}, readOutput: async () => "" },
  });
  for (const record of [seenPlan(text), ...records]) attempts.apply(record);
  const store = memoryStore(standing ?? text);
  const ports = { ...memoryPorts(store, scriptedExecutor()), ...more, attempts };
  return { ...(await endRun(ports, outcome)), store, made };
}

describe("the end of a run", () => {
  it("reports the state of the plan, and omits empty parts", async () => {
    const { ended, denial, settled, made } = await end(complete, {
      records: [answered("1.1#1/recordPass", { kind: "recorded" })],
    });
    expect(ended).toStrictEqual({
      ...{ type: "run.ended", outcome: "complete", exitCode: 0, original: 3, fixes: 1, attempts: 0, skipped: [] },
      ...{ tickedByHand: 1, durationMs: 1235 },
    });
    expect([denial, settled, made]).toEqual([null, true, []]);
  });

  it("reports what was accepted without proof, skipped, or superseded", async () => {
    const { ended } = await end({ kind: "skipped" } as SpecOutcome, {
      records: [
        answered("1.1#1/recordPass", { kind: "recorded", proof: { kind: "unverified" } }),
        { type: "skipped", task: "1.2", justification: "gone" },
        { type: "skipped", task: "1.3", justification: "gone" },
        { type: "intended", key: "1.2#1", fix: { ...sampleFix, id: "1.2.1", fixOf: "1.2" } },
        { type: "intended", key: "1.2.1#1", fix: { ...sampleFix, id: "1.2.2", fixOf: "1.2", supersedes: "1.2.1" } },
      ],
    });
    expect(ended).toMatchObject({ outcome: "skipped", exitCode: 3, superseded: ["1.2.1"] });
    expect(ended.proofs).toEqual({ proven: 0, checked: 0, unproven: [], unverified: ["1.1"] });
    expect(ended.skipped).toEqual(["1.3"]);
    expect(ended.hint).toBe(
      "After you have done and ticked the skipped tasks, continue: fixpoint run sample\nOr retry them: fixpoint resume sample --decision retry",
    );
  });

  it("reports what was spent, and by part if there are several", async () => {
    const first = [delegated("1.1"), replied("1.1#1", 2)];
    const one = await end(complete, { records: first });
    expect(one.ended).toMatchObject({ attempts: 1, costUsd: 2, tokens: 20 });
    expect(one.ended).not.toHaveProperty("spent");
    const fixed = [delegated("1.2", { rung: "fix" }), replied("1.2#1", 1)];
    const { ended } = await end(complete, { records: [...first, ...fixed] });
    expect(ended.spent).toMatchObject({ first: { costUsd: 2, tokens: 20 }, fix: { costUsd: 1, tokens: 10 } });
    const silent = [delegated("1.1"), delegated("1.2", { rung: "fix" })];
    for (const field of ["spent", "costUsd", "tokens"]) {
      expect((await end(complete, { records: silent })).ended).not.toHaveProperty(field);
    }
    const asked = delegated("1.1", { key: "1.1#1/askOperator", role: "operator" });
    expect((await end(complete, { records: [asked] })).ended).toMatchObject({ attempts: 1, toOperator: 1 });
  });

  it("reports a phase for a pull request that is not made, or the pull request", async () => {
    const text = "- [x] 1.1 First\n\n## Phase 5: PR Lifecycle\n\n- [x] 5.1 Create the PR\n- [ ] 5.2 Paint it\n";
    const bare = await end(complete, { text });
    expect(bare.ended.pullRequest).toEqual({ title: "Phase 5: PR Lifecycle", tasks: 2, open: ["5.2"] });
    expect(bare.ended).not.toHaveProperty("shipped");
    const opened = answered("run#1/openPullRequest", { kind: "opened", number: 7, url: "u", created: true });
    const { ended } = await end(complete, { text, records: [opened] });
    expect(ended.shipped).toEqual({ number: 7, url: "u" });
    expect(ended).not.toHaveProperty("pullRequest");
    const confirmed = answered("run#1/confirmPullRequest", { kind: "confirmed", requesting: ["ann"] });
    const asked = await end(complete, { text, records: [opened, confirmed] });
    expect(asked.ended.shipped).toEqual({ number: 7, url: "u", requesting: ["ann"] });
    const pushed = answered("run#1/pushBranch", { kind: "pushed", head: "c1", fresh: true, at: 0 });
    expect((await end(complete, { text, records: [pushed] })).ended).not.toHaveProperty("shipped");
  });

  it("S8: counts tasks that were added for a pull request separately", async () => {
    const text = "- [x] 1.1 First\n- [x] 1.1.1 [FIX 1.1] Fix: it\n- [x] 5.2 Fix CI failure: test - red\n";
    const cause = { kind: "check", check: "test", job: null, head: "c1" } as const;
    const added = { id: "5.2", markers: [], title: "Fix CI failure: test - red", fields: {} };
    const addition: RunRecord = {
      ...({ type: "addition", key: "pr#1.4/addPullRequestTask", cause, checks: ["test"] } as const),
      plan: { task: "1.1", place: "behind", tasks: [added] },
    };
    const { ended } = await end(complete, { text, records: [addition] });
    expect(ended).toMatchObject({ original: 1, fixes: 1, added: 1 });
    expect((await end(complete, { text })).ended).toMatchObject({ original: 2, fixes: 1 });
  });

  it("reports the open question, or the limit reached", async () => {
    const gate: SpecOutcome = { kind: "gated", end: { kind: "gate", reason: "why", hint: "how" } };
    expect((await end(gate)).ended).toMatchObject({ outcome: "gate", exitCode: 3, error: "why", hint: "how" });
    const question = { kind: "gate", reason: "why", hint: "how" } as const;
    const checkpoint: SpecOutcome = {
      kind: "checkpoint",
      end: { kind: "checkpoint", root: "1.3", current: "1.3", end: question },
    };
    expect((await end(checkpoint)).ended).toMatchObject({ outcome: "checkpoint", error: "why", hint: "how" });
    const cancelled = await end({ kind: "cancelled" } as SpecOutcome);
    expect(cancelled.ended).toMatchObject({ outcome: "cancelled", hint: "Continue: fixpoint run sample" });
    const denial = { kind: "denied", limit: "maxTaskIterations", task: "1.3", max: 1 } as const;
    const exhausted = { kind: "exhausted", root: "1.3", current: "1.3", end: denial } as const;
    const boom = { kind: "task", error: "boom", attemptedFix: "", status: "", fingerprint: "f" } as const;
    const limit = await end({ kind: "limited", end: exhausted }, { records: [answered("1.3#1/readFailure", boom)] });
    expect(limit.ended).toMatchObject({ outcome: "limit", error: expect.stringContaining("boom") });
    expect(limit.denial).toEqual(denial);
  });

  it("reverts ticks without acceptance, but keeps those whose claims are not judged yet", async () => {
    const found = plan.replace("[ ] 1.3", "[x] 1.3").replace("[x] 1.1", "[ ] 1.1");
    const judged = await end(complete, { found });
    expect(judged.store.tasks.text).toBe(plan);
    expect(judged.made).toEqual([]);
    const { made, store } = await end(complete, { found, records: [delegated("1.3"), replied("1.3#1", 0)] });
    expect(made).toEqual([{ type: "boxes", key: "1.3#1", set: ["1.3"], cleared: ["1.1"] }]);
    expect(store.tasks.text).toBe(plan);
    const same = await end(complete, { records: [delegated("1.3"), replied("1.3#1", 0)] });
    expect(same.made).toEqual([]);
  });

  it("counts no tick in the middle of a pass as a person's", async () => {
    const text = plan.replace("[ ] 1.3", "[x] 1.3");
    const { ended } = await end(complete, { text, records: [delegated("1.3"), replied("1.3#1", 0)] });
    expect(ended.tickedByHand).toBe(2);
  });

  it("reports that the documents could not be updated", async () => {
    const refused = new EnvironmentError("Cannot write `.progress.md`", { code: "file-refused", hint: "Make room" });
    const store = memoryStore(plan);
    const documents = {
      ...store,
      progress: async () => {
        throw refused;
      },
    };
    const { ended, settled } = await end(complete, { more: { documents } });
    expect(settled).toBe(false);
    expect(ended).toMatchObject({
      ...{ outcome: "environment", exitCode: 5, error: "Cannot write `.progress.md`", hint: "Make room" },
    });
  });
});

describe("the outcome of an error", () => {
  const address = { program: "fixpoint", spec: "sample", cwd: null, path: "sample" };
  const { signal } = new AbortController();

  it("is an end for the environment, or a question about the input", () => {
    const hinted = new EnvironmentError("full", { code: "file-refused", hint: "Make room" });
    expect(stopFor(hinted, signal, address)).toEqual({ outcome: "environment", error: "full", hint: "Make room" });
    expect(stopFor(new EnvironmentError("full", { code: "file-refused" }), signal, address)).toEqual({
      ...{ outcome: "environment", error: "full", hint: "Solve the problem, then run again to resume" },
    });
    expect(stopFor(new InputError("odd", { code: "task-not-found", hint: "Look" }), signal, address)).toEqual({
      ...{ outcome: "gate", error: "odd", hint: "Look" },
    });
    expect(stopFor(new InputError("odd", { code: "task-not-found" }), signal, address)).toEqual({
      ...{ outcome: "gate", error: "odd", hint: "Look at tasks.md, then run again" },
    });
  });

  it("is an interrupt if there was one, whatever an executor reports", () => {
    const stop = new AbortController();
    const reason = new Error("interrupted");
    const failed = new EnvironmentError("it was killed", { code: "executor-failed" });
    expect(stopFor(failed, stop.signal, address)).toMatchObject({ outcome: "environment" });
    stop.abort(reason);
    const interrupted = { outcome: "interrupted", hint: "Continue: fixpoint run sample" };
    expect(stopFor(reason, stop.signal, address)).toEqual(interrupted);
    expect(stopFor(failed, stop.signal, address)).toEqual(interrupted);
    const full = new EnvironmentError("full", { code: "file-refused" });
    expect(stopFor(full, stop.signal, address)).toMatchObject({ outcome: "environment" });
  });

  it("is none for a defect, or if another start holds the spec", () => {
    for (const error of [new Error("a defect"), new EnvironmentError("taken", { code: "spec-taken-over" })]) {
      expect(() => stopFor(error, signal, address)).toThrow(error);
    }
  });
});
