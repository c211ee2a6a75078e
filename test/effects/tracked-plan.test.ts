import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { editAgain, type TrackedPlan, trackPlan } from "../../src/effects/tracked-plan.ts";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { EnvironmentError } from "../../src/model/errors.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { PlanEdit } from "../../src/ports/documents.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { sampleFix } from "../support/sample-fix.ts";

const text = "- [ ] 1.1 First\n- [ ] 1.2 Second\n";

async function edited(to: string, from = text) {
  const store = memoryStore(from);
  const memory = createRunMemory();
  const plan = trackPlan(store, memory);
  await plan.known();
  store.tasks.text = to;
  return { store, plan, memory };
}

describe("the expected plan", () => {
  const change = {
    task: "1.2",
    place: "behind",
    tasks: [{ id: "1.3", markers: [], title: "Third", fields: {} }],
  } as const;

  it.each<[string, (plan: TrackedPlan) => Promise<void>, string, string]>([
    ["a tick", (plan) => plan.tick("1.1", true), "- [x] 1.1 First", "- [ ] 1.1 First"],
    ["a change", (plan) => plan.change(change), "- [ ] 1.3 Third", ""],
    ["a fix", (plan) => plan.insert({ ...sampleFix, id: "1.1.1", fixOf: "1.1" }), "1.1.1 [FIX 1.1]", ""],
    ["a note", (plan) => plan.close("1.1", "1.2"), "- **Superseded by**: 1.2", "- **Superseded by**"],
  ])("takes over %s of the coordinator, and no concurrent edit by others", async (_, edit, own) => {
    const { plan, store, memory } = await edited(text.replace("Second", "Other"));
    await edit(plan);
    for (const standing of [store.tasks.text, (await plan.known()).text]) expect(standing).toContain(own);
    expect(store.tasks.text).toContain("Other");
    expect((await plan.known()).text).toContain("1.2 Second");
    expect(memory.planSeen()).toBe((await plan.known()).text);
    expect((await plan.begun()).text).toBe(text);
  });

  it("equals the plan on disk if no one else edited it", async () => {
    const { plan, store } = await edited(text);
    await plan.tick("1.1", true);
    const { known, found } = await plan.read();
    expect(known).toBe(found);
    expect(known.text).toBe(store.tasks.text);
  });

  it("takes over texts, but no boxes, if they are accepted", async () => {
    const { plan, memory } = await edited("- [x] 1.1 Other\n- [ ] 1.2 Second\n- [x] 1.3 Third\n");
    const { found } = await plan.read();
    plan.adopt(found);
    const known = "- [ ] 1.1 Other\n- [ ] 1.2 Second\n- [ ] 1.3 Third\n";
    expect((await plan.known()).text).toBe(known);
    expect(memory.planSeen()).toBe(known);
    plan.adopt(await plan.known());
    expect(memory.planSeen()).toBe(known);
  });

  it("is the first read if there is none before", async () => {
    const store = memoryStore(text);
    const plan = trackPlan(store, createRunMemory());
    plan.adopt(store.standing());
    store.tasks.text = "- [ ] 1.1 Other\n";
    expect((await plan.known()).text).toBe(text);
    expect(plan.keptAt).toBe(null);
    expect((await trackPlan(store, createRunMemory()).begun()).text).toBe("- [ ] 1.1 Other\n");
    const fresh = trackPlan(memoryStore(text), createRunMemory());
    await fresh.tick("1.1", true);
    expect((await fresh.known()).text).toBe(text.replace("[ ] 1.1", "[x] 1.1"));
  });

  it("is restored from an earlier start", async () => {
    const store = memoryStore("- [x] 1.1 First\n");
    const plan = trackPlan(store, createRunMemory(), { base: openPlan(text), keptAt: "plan.md" });
    expect((await plan.known()).text).toBe(text);
    expect((await plan.begun()).text).toBe(text);
    expect((await plan.read()).found.text).toBe("- [x] 1.1 First\n");
    expect(plan.keptAt).toBe("plan.md");
  });

  it("is recorded as a difference, with whether others wrote it", async () => {
    const records: RunRecord[] = [];
    const store = memoryStore(text);
    const append = (made: readonly RunRecord[]): void => void records.push(...made);
    const memory = createRunMemory({ store: { append, writeOutput: () => {}, readOutput: async () => "" } });
    const plan = trackPlan(store, memory);
    await plan.read();
    await plan.tick("1.2", true);
    await plan.tick("1.2", true);
    store.tasks.text = store.tasks.text.replace("First", "Last");
    plan.adopt((await plan.read()).found);
    expect(records).toEqual([
      { type: "planSeen", from: 0, cut: 0, text, found: true },
      { type: "planSeen", from: text.indexOf(" ] 1.2"), cut: 1, text: "x" },
      { type: "planSeen", from: text.indexOf("First"), cut: 3, text: "La", found: true },
    ]);
    expect(memory.planSeen()).toBe(store.tasks.text);
  });

  it("is read from a store that keeps only texts", async () => {
    const store = memoryStore(text);
    const read = async () => ({ text: store.tasks.text, plan: store.standing().plan });
    const tick = async (): Promise<PlanEdit> => {
      const before = await read();
      store.tasks.text = "- [x] 1.1 First\n- [ ] 1.2 Second\n";
      return { before, after: await read() };
    };
    const plan = trackPlan({ ...store, read, tick }, createRunMemory());
    await plan.tick("1.1", true);
    expect((await plan.known()).plan.tasks.map(({ done }) => done)).toEqual([true, false]);
    expect((await plan.known()).text).toBe(store.tasks.text);
  });

  it("runs its operations in sequence, also after one that fails", async () => {
    const { plan } = await edited(text);
    const order: string[] = [];
    const works = [
      plan.exclusively(async () => {
        await Promise.resolve();
        order.push("first");
        throw new Error("no");
      }),
      plan.exclusively(async () => order.push("second")),
    ];
    expect((await Promise.allSettled(works)).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(order).toEqual(["first", "second"]);
  });
});

describe("an edit of a plan during another edit", () => {
  const missed = () => new EnvironmentError("changed", { code: "plan-changed-underneath" });
  const document = openPlan(text);
  const failing = (times: number, error: () => Error) => {
    let tries = 0;
    const edit = async (): Promise<PlanEdit> => {
      tries += 1;
      if (tries <= times) throw error();
      return { before: document, after: document };
    };
    return { edit, tries: () => tries };
  };

  it("is repeated on the new content", async () => {
    const { edit, tries } = failing(9, missed);
    expect(await editAgain(edit)).toEqual({ before: document, after: document });
    expect(tries()).toBe(10);
  });

  it("is given up after a limit", async () => {
    const { edit, tries } = failing(10, missed);
    await expect(editAgain(edit)).rejects.toMatchObject({ code: "plan-changed-underneath" });
    expect(tries()).toBe(10);
  });

  it("is not repeated if it fails for another reason", async () => {
    for (const error of [
      () => new EnvironmentError("full", { code: "file-not-written" as never }),
      () => Object.assign(new Error("no"), { code: "plan-changed-underneath" }),
    ]) {
      const { edit, tries } = failing(1, error);
      await expect(editAgain(edit)).rejects.toThrow();
      expect(tries()).toBe(1);
    }
  });
});
