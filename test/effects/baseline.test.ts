import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import type { EffectInput } from "../../src/model/effect.ts";
import { noEscalation } from "../../src/model/escalation.ts";
import type { GitMark } from "../../src/model/git-evidence.ts";
import { noLimits } from "../../src/model/limits.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { recordAnswer } from "../support/answered.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { gitEvidence } from "../support/sample-git.ts";

const never = new AbortController().signal;
const delegating: EffectInput<"delegate"> = {
  ...{ key: "1.1#1/delegate", task: "1.1", root: "1.1", attempt: 1, retries: 0, requireExecutorTick: false },
  ...{ limits: noLimits, grouped: false, climb: null, escalation: noEscalation, escalates: true, remedy: null },
  ...{ maxEvidence: 8000, adjustment: null, guidance: null },
};
const verifying: EffectInput<"verify"> = {
  ...{ key: "1.1#1/verify", task: "1.1", trustExecutor: false, requireExecutorTick: false, requireCommit: true },
  ...{ timeoutMs: 1, reviews: 0 },
};
const passing: EffectInput<"recordPass"> = {
  ...{ key: "1.1#1/recordPass", task: "1.1", fixes: [], grouped: false, keepOpen: false, commit: false, repair: null },
  ...{ leftOut: 0, unverified: false },
};
const reviewing: EffectInput<"review"> = { key: "1.1#1/review", task: "1.1", round: 1, limits: noLimits };
const markOf = (head: string): GitMark => ({ head, at: 5, files: { "tasks.md": head } });
const first = { headBefore: "a", mark: markOf("a"), fileState: "files at a" };

/** A start that goes on from records; the executor commits `b` over what HEAD is at first, unless it is there. */
function startOf({ head, records = [] }: { head: string; records?: readonly RunRecord[] }) {
  let at = head;
  const made: RunRecord[] = [];
  const marks: GitMark[] = [];
  const seen: RunRecord[][] = [];
  const store = {
    append: (more: readonly RunRecord[]) => made.push(...more),
    writeOutput: () => {},
    readOutput: async () => "",
  };
  const attempts = createRunMemory({ open: 1, store });
  for (const record of records) attempts.apply(record);
  const execute = async (): Promise<string> => {
    seen.push([...made]);
    at = "b";
    return "TASK_COMPLETE";
  };
  const documents = memoryStore("- [ ] 1.1 First\n");
  const ports = memoryPorts(documents, execute);
  const git = {
    head: async () => at,
    mark: async () => markOf(at),
    since: async (mark: GitMark) => {
      marks.push(mark);
      return gitEvidence({ headBefore: mark.head, headAfter: at });
    },
    commit: async () => null,
  };
  const reviewer = async (): Promise<string> => "REVIEW_PASS";
  const whole = { ...ports, executors: { ...ports.executors, reviewer }, git, fileState: async () => `files at ${at}` };
  return {
    attempts,
    made,
    marks,
    seen,
    documents,
    effects: createEffects({ ...whole, attempts, known: { text: documents.tasks.text } }),
  };
}

describe("what an attempt begins from", () => {
  it("is recorded with the delegation, before anybody is asked", async () => {
    const { effects, seen } = startOf({ head: "a" });
    await effects.delegate(delegating, never);
    expect(seen).toEqual([[expect.objectContaining({ type: "delegated", key: "1.1#1", baseline: first })]]);
  });

  it("is that of the first delegation where it is made again behind a commit", async () => {
    const killed = startOf({ head: "a" });
    await killed.effects.delegate(delegating, never);
    const again = startOf({ head: "b", records: killed.made });
    await again.effects.delegate(delegating, never);
    expect(again.seen).toEqual([[expect.objectContaining({ baseline: first })]]);
    expect(await again.attempts.recall("1.1#1")).toMatchObject(first);
    expect(await again.effects.verify(verifying, never)).toMatchObject({ kind: "accepted" });
    expect(again.marks).toEqual([first.mark]);
    expect(await again.effects.recordPass(passing, never)).toEqual({ kind: "recorded", commit: "b" });
    expect(again.documents.log.text).toContain("- [x] 1.1 First - b\n");
    // And once more, by a start that finds both.
    const third = startOf({ head: "b", records: [...killed.made, ...again.made.slice(0, 1)] });
    await third.effects.delegate(delegating, never);
    expect(third.seen).toEqual([[expect.objectContaining({ baseline: first })]]);
  });

  it("is what is found where an earlier version has recorded none", async () => {
    const old: RunRecord = {
      ...{ type: "delegated", key: "1.1#1", task: "1.1", role: "executor", attempt: 1, retries: 0, elapsedMs: 0 },
    };
    const { effects, made } = startOf({ head: "b", records: [old] });
    await effects.delegate(delegating, never);
    expect(made[0]).toMatchObject({ baseline: { headBefore: "b", mark: markOf("b"), fileState: "files at b" } });
  });

  it("is forgotten with its turn, and nothing that a review has", async () => {
    const { attempts, effects, made } = startOf({ head: "a" });
    await effects.delegate(delegating, never);
    await effects.verify(verifying, never);
    await effects.review(reviewing, never);
    const review = made.findLast(({ type }) => type === "delegated");
    expect(review).toMatchObject({ role: "reviewer" });
    expect(review).not.toHaveProperty("baseline");
    expect(attempts.baseline("1.1#1")).toEqual(first);
    recordAnswer(attempts, "run#2/chooseTask", { kind: "none" });
    expect(attempts.baseline("1.1#1")).toBe(null);
  });
});
