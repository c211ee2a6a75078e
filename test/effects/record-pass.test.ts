import { describe, expect, it } from "vitest";
import { createActs } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import type { EffectInput } from "../../src/model/effect.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { WriteOptions } from "../../src/ports/documents.ts";
import type { Git } from "../../src/ports/git.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { recordAnswer } from "../support/answered.ts";
import { inputs } from "../support/effect-inputs.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { gitEvidence } from "../support/sample-git.ts";

const never = new AbortController().signal;
const plan = "- [ ] 1.1 First\n  - **Commit**: ` feat: it `\n";

/** A task has passed; documents are flushed where a host does so later. */
async function pass({
  flushesLater = false,
  flushes = true,
  heads = null as null | { readonly before: string; readonly now: string | null },
  records = [] as readonly RunRecord[],
  input = {} as Partial<EffectInput<"recordPass">>,
} = {}) {
  const store = memoryStore(plan);
  const durable: (boolean | undefined)[] = [];
  const noted =
    <Given extends unknown[], Result>(write: (...given: Given) => Promise<Result>) =>
    (...given: [...Given, WriteOptions?]): Promise<Result> => {
      durable.push((given.at(-1) as WriteOptions | undefined)?.durable);
      return write(...(given as unknown as Given));
    };
  store.memberLogs.set("1.1", "# Progress\n\n## Learnings\n\n- learned before\n");
  const documents = {
    ...store,
    ...{ tick: noted(store.tick), append: noted(store.append) },
    ...(flushes && { flush: async () => {} }),
  };
  const memory = createRunMemory({ open: 1 });
  for (const record of records) memory.apply(record);
  const messages: string[] = [];
  const git: Git = {
    ...{ head: async () => heads?.now ?? null, mark: async () => null as never, since: async () => gitEvidence() },
    commit: async (message) => {
      messages.push(message);
      return null;
    },
  };
  const reply = { reply: { text: "TASK_COMPLETE" }, headBefore: heads?.before ?? null, mark: null, fileState: null };
  recordAnswer(memory, "1.1#1/delegate", { kind: "replied" }, { reply });
  const judgement = {
    ...{ kind: "accepted", layers: [] },
    evidence: { git: gitEvidence({ commits: [{ hash: "b7", subject: "feat: it" }] }) },
  };
  recordAnswer(memory, "1.1#1/verify", { kind: "accepted" }, { judgement: judgement as never });
  const base = { ...memoryPorts(store, scriptedExecutor()), known: { text: plan }, attempts: memory };
  const acts = createActs({ ...base, documents, ...(heads !== null && { git }) }, { flushesLater });
  const { answer } = await acts.recordPass(inputs.recordPass("1.1", 1, input), never);
  return { answer, durable, messages, store };
}

describe("a pass whose documents are flushed later", () => {
  it("is not on the disk yet, and says so", async () => {
    const { answer, durable, store } = await pass({ flushesLater: true });
    expect(answer).toStrictEqual({ kind: "recorded", commit: null, pending: true });
    expect(durable).toEqual([false, false, false]);
    expect(store.tasks.text).toContain("[x] 1.1");
    expect(store.log.text).toContain("- [x] 1.1 First");
  });

  it("is, where nobody flushes later or the documents know of no flush", async () => {
    for (const options of [{}, { flushesLater: true, flushes: false }]) {
      const { answer, durable } = await pass(options);
      expect(answer).toStrictEqual({ kind: "recorded", commit: null });
      expect(durable).toEqual([true, true, true]);
    }
  });
});

describe("the commit of a pass", () => {
  const cause = { kind: "check", check: "test", job: null, head: "abcdef0123" } as const;
  const added: RunRecord = {
    ...{ type: "addition", key: "run#1/addPullRequestTask", cause, checks: [] },
    plan: { task: "1.0", place: "behind", tasks: [{ id: "1.1", markers: [], title: "First", fields: {} }] } as never,
  };

  it("is HEAD, where that is another than before; none without a repository", async () => {
    const commit = async (options: Parameters<typeof pass>[0]) => (await pass(options)).answer.commit;
    expect(await commit({ heads: { before: "aaaaaaa", now: "bbbbbbb" } })).toBe("bbbbbbb");
    expect(await commit({ heads: { before: "aaaaaaa", now: "aaaaaaa" } })).toBe(null);
    expect(await commit({ heads: { before: "aaaaaaa", now: null } })).toBe(null);
    expect(await commit({})).toBe(null);
  });

  it("is compared with the head at which the task was made for a pull request", async () => {
    const commit = async (now: string) =>
      (await pass({ heads: { before: "0000000", now }, records: [added] })).answer.commit;
    expect(await commit("abcdef0")).toBe(null);
    expect(await commit("def0123")).toBe("def0123");
  });

  it("is the one with its own message where others of a batch have made some, too", async () => {
    const { answer, store, durable } = await pass({
      ...{ heads: { before: "a", now: "b" }, input: { grouped: true } },
    });
    expect(answer).toStrictEqual({ kind: "recorded", commit: "b7", grouped: true });
    expect([store.log.text, durable.length, store.memberLogs.size]).toEqual(["", 1, 1]);
  });

  it("is told with the spec's own, and takes over what was learned in a batch before", async () => {
    const { messages, store } = await pass({ heads: { before: "a", now: "b" }, input: { commit: "spec" } });
    expect(messages).toEqual(["chore(spec): update progress for task 1.1"]);
    expect(store.log.text).toContain("- learned before");
    expect(store.memberLogs.size).toBe(0);
  });
});

describe("a pass that a repair has led to", () => {
  const repair = (directive: object): Partial<EffectInput<"recordPass">> => ({
    ...{ repair: { task: "1.1", directive: directive as never }, leftOut: 1 },
  });

  it("is told in the summary, as what it was", async () => {
    const retried = await pass({ input: repair({ strategy: "retry", adjustment: "slower" }) });
    expect(retried.store.summary.text).toContain("[Node Repair - RETRY] Task 1.1: slower");
    const parts = { strategy: "decompose", parts: ["One", "Two", "Three"] };
    const { summary } = (await pass({ input: repair(parts) })).store;
    expect(summary.text).toMatch(/\[Node Repair - DECOMPOSE\] Task 1\.1.*3.*1/);
    expect((await pass({ input: repair({ strategy: "prune", justification: "no" }) })).store.summary.text).toBe("");
    expect((await pass()).store.summary.text).toBe("");
  });

  it("is of a part, which stands in no plan", async () => {
    const { answer, store, durable } = await pass({ input: { task: "1.1~1" } });
    expect(answer).toStrictEqual({ kind: "recorded" });
    expect([store.tasks.text, durable]).toEqual([plan, []]);
  });
});
