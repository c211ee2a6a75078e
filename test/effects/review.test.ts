import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { EffectInput } from "../../src/model/effect.ts";
import { noLimits } from "../../src/model/limits.ts";
import type { Git } from "../../src/ports/git.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { type ScriptedAnswer, scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { inputs } from "../support/effect-inputs.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { gitEvidence } from "../support/sample-git.ts";

const never = new AbortController().signal;
const plan = "- [ ] 1.1 First\n  - **Done when**: It is there\n- [ ] 1.2 Second\n";
const git: Git = {
  ...{ head: async () => "b", mark: async () => ({ head: "a", at: 0, files: {} }), commit: async () => null },
  since: async () =>
    gitEvidence({ changed: ["src/changed.ts"], commits: [{ hash: "abc1234", subject: "feat: first" }] }),
};

/** Effects over an attempt whose result is reviewed. @param said What the reviewer answers, round by round. */
async function world(said: readonly ScriptedAnswer[], more: Partial<Ports> = {}) {
  const store = memoryStore(plan, "", { "design.md": "The design.", "requirements.md": "The requirements." });
  const memory = createRunMemory({ open: 2 });
  const reviewer = scriptedExecutor({ "1.1": said });
  const base = memoryPorts(store, scriptedExecutor());
  const executors = { ...base.executors, reviewer };
  const effects = createEffects(withMemory({ ...base, executors, ...more, attempts: memory }));
  await effects.delegate(inputs.delegate("1.1"), never);
  await effects.verify(inputs.verify("1.1"), never);
  const review = (round = 1, signal = never, input: Partial<EffectInput<"review">> = {}) =>
    effects.review({ key: "1.1#1/review", task: "1.1", round, limits: noLimits, ...input }, signal);
  return { store, memory, reviewer, review };
}

describe("a review", () => {
  it("is made by the reviewer, who is told what was asked for and what was done", async () => {
    const { review, reviewer, memory } = await world(["REVIEW_PASS"], { git });
    expect(await review()).toStrictEqual({ kind: "accepted", passed: true, findings: "" });
    const [delegation] = reviewer.delegations;
    expect(delegation).toMatchObject({
      ...{ key: "1.1#1/review", role: "reviewer", taskId: "1.1", attempt: 1 },
      ...{ spec: "/work/specs/sample", progressFile: "/work/specs/sample/.progress.md" },
    });
    for (const told of [
      ...["- [ ] 1.1 First\n  - **Done when**: It is there", "src/changed.ts", "abc1234", "feat: first", "sample"],
      ...["/work/specs/sample", "The design.", "The requirements."],
    ]) {
      expect(delegation?.prompt).toContain(told);
    }
    expect(delegation?.prompt).not.toContain("1.2 Second");
    expect(memory.ledger.iterations).toBe(2);
  });

  it("says of no files that they were changed where git is not known", async () => {
    const { review, reviewer } = await world(["REVIEW_PASS"]);
    await review();
    const changed = await world(["REVIEW_PASS"], { git: { ...git, since: async () => gitEvidence() } });
    await changed.review();
    expect(reviewer.delegations[0]?.prompt).toBe(changed.reviewer.delegations[0]?.prompt);
  });

  it("is kept with what it has used", async () => {
    const { review, memory } = await world([{ text: "CODE: it leaks\nREVIEW_FAIL", usage: { costUsd: 3 } }]);
    await review();
    expect((await memory.recall("1.1#1")).review).toMatchObject({ verdict: "fail", code: "it leaks", round: 1 });
    expect(memory.ledger.costUsd).toBe(3);
    const unknown = await world(["REVIEW_PASS"]);
    await unknown.review();
    expect((await unknown.memory.recall("1.1#1")).review).toStrictEqual({
      ...{ verdict: "pass", code: "", spec: "", round: 1 },
    });
  });

  it("fails the attempt for what is found in the code, and the next reviewer is told of it", async () => {
    const said = "CODE: it leaks\n\nSPEC: it should say more\n\nREVIEW_FAIL";
    const { review, store, reviewer } = await world([said, "REVIEW_PASS"]);
    expect(await review()).toStrictEqual({ kind: "failed", findings: "it leaks\nit should say more" });
    expect(store.log.text).toBe("");
    await review(2);
    expect(reviewer.delegations[1]?.prompt).toContain("it leaks");
  });

  it("passes the attempt for what is found in the spec alone, and writes that into the log", async () => {
    const { review, store } = await world(["SPEC: it should say more\n\nREVIEW_FAIL"]);
    expect(await review()).toStrictEqual({ kind: "accepted", passed: false, findings: "it should say more" });
    expect(store.log.text).toContain("1.1");
    expect(store.log.text).toContain("it should say more");
  });

  it("passes the attempt after the last round, and writes what is left into the log", async () => {
    const { review, store } = await world(["CODE: it leaks\n\nREVIEW_FAIL"]);
    expect(await review(3)).toStrictEqual({ kind: "accepted", passed: false, findings: "it leaks" });
    expect(store.log.text).toContain("it leaks");
  });

  it("says that there is no verdict where the reviewer gave none", async () => {
    const { review, store } = await world(["I had a look."]);
    expect(await review()).toStrictEqual({
      ...{ kind: "accepted", passed: false, findings: "the reviewer gave no verdict" },
    });
    expect(store.log.text).toBe("");
  });

  it("asks a person where the reviewer has changed the plan, and keeps what was found", async () => {
    const made: Awaited<ReturnType<typeof world>> = await world([
      () => {
        made.store.tasks.text = made.store.tasks.text.replace("1.2 Second", "1.2 Other");
        return "CODE: it leaks\n\nREVIEW_FAIL";
      },
    ]);
    expect(await made.review()).toMatchObject({ kind: "gate", reason: expect.stringContaining("while task 1.1") });
    expect((await made.memory.recall("1.1#1")).review).toMatchObject({ code: "it leaks" });
  });

  it("is not made where a limit of the run denies it", async () => {
    const { review, reviewer, memory } = await world(["REVIEW_PASS"]);
    const limits = { ...noLimits, maxGlobalIterations: 1 };
    expect(await review(1, never, { limits })).toMatchObject({ kind: "denied", limit: "maxGlobalIterations" });
    expect(reviewer.delegations).toEqual([]);
    expect((await memory.recall("1.1#1")).review).toBe(null);
  });

  it("is none that was stopped before its verdict, but one that has given it", async () => {
    const stop = new AbortController();
    const stopped = (text: string) => () => {
      stop.abort(new Error("interrupted"));
      return text;
    };
    const { review, memory } = await world([stopped("I had a")]);
    await expect(review(1, stop.signal)).rejects.toThrow("interrupted");
    expect((await memory.recall("1.1#1")).review).toBe(null);
    const late = new AbortController();
    const given = await world([
      () => {
        late.abort(new Error("interrupted"));
        return "REVIEW_PASS";
      },
    ]);
    expect(await given.review(1, late.signal)).toMatchObject({ kind: "accepted", passed: true });
  });
});
