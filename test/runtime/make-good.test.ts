import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import type { RunEvent } from "../../src/model/event.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { restoreLostWrites } from "../../src/runtime/reconcile-plan.ts";
import type { OwnerAnswer, OwnerQuestion } from "../../src/runtime/start.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { recordAnswer } from "../support/answered.ts";
import { sampleFix } from "../support/sample-fix.ts";

const plan = "- [ ] 1.1 First\n- [x] 1.2 Second\n- [x] 1.3 Third\n- [ ] 1.4 Fourth\n";

async function start({
  rebooted = true as boolean | null,
  answer = { accepted: true } as OwnerAnswer,
  pending = ["1.1", "1.2"],
  flushes = true,
} = {}) {
  const store = memoryStore(plan);
  const order: string[] = [];
  const documents = { ...store, ...(flushes && { flush: async () => void order.push("flush") }) };
  const made: RunRecord[] = [];
  const append = (more: readonly RunRecord[]) => {
    made.push(...more);
    order.push(...more.map(({ type }) => type));
  };
  const memory = createRunMemory({ store: { append, writeOutput: () => {}, readOutput: async () => "" } });
  memory.record([{ type: "intended", key: "1.1#1", fix: { ...sampleFix, id: "1.1.1", fixOf: "1.1" } }]);
  for (const task of pending) {
    recordAnswer(memory, `${task}#1/recordPass`, {
      kind: "recorded",
      commit: task === "1.1" ? "abc1234" : null,
      pending: true,
    });
  }
  made.length = 0;
  order.length = 0;
  const asked: OwnerQuestion[] = [];
  const events: RunEvent[] = [];
  const askOwner = async (question: OwnerQuestion): Promise<OwnerAnswer> => {
    asked.push(question);
    return answer;
  };
  const reading = { run: 1, segments: [], records: [], rebooted };
  const found = await store.read();
  const given = { documents, reading, emit: (event: RunEvent) => void events.push(event) };
  const after = await restoreLostWrites(given, memory, found, askOwner);
  return { after, found, store, memory, made, order, asked, events };
}

describe("boxes and log lines lost in a power cut", () => {
  it("are restored if the machine has booted since, flushed, and reported", async () => {
    const { after, store, made, order, events, asked } = await start();
    expect(store.tasks.text).toBe(plan.replace("[ ] 1.1", "[x] 1.1"));
    expect(after).toBe(store.standing());
    expect(store.log.text).toContain("- [x] 1.1 First - abc1234\n- [x] 1.2 Second\n");
    expect(store.log.text).toContain("Task 1.1: 1 fix attempted (1.1.1) - Final: PASS");
    for (const other of ["1.3", "1.4"]) expect(store.log.text).not.toContain(other);
    expect(made).toEqual([{ type: "flushed", tasks: ["1.1", "1.2"] }]);
    expect(order).toEqual(["flush", "flushed"]);
    expect(events).toEqual([{ type: "notice", message: "1 box of the last run restored after a power cut" }]);
    expect(asked).toEqual([]);
  });

  it("are only log lines if all boxes are ticked, which is not reported", async () => {
    const { after, found, store, made, events } = await start({ pending: ["1.2"], rebooted: null });
    expect(after).toBe(found);
    expect([store.tasks.text, events]).toEqual([plan, []]);
    expect(store.log.text).toContain("- [x] 1.2 Second\n");
    expect(made).toHaveLength(1);
  });

  it("are restored in documents without flush, too", async () => {
    const { events } = await start({ pending: ["1.1", "1.4"], flushes: false });
    expect(events).toEqual([{ type: "notice", message: "2 boxes of the last run restored after a power cut" }]);
  });

  it("are not assumed if the machine has not booted since, or nothing has passed: a person has cleared the boxes", async () => {
    for (const options of [{ rebooted: false }, { pending: [] }]) {
      const { after, found, store, made, asked } = await start(options);
      expect(after).toBe(found);
      expect([store.tasks.text, store.log.text, made, asked]).toEqual([plan, "", [], []]);
    }
  });
});

describe("boxes cleared by an unknown cause", () => {
  it("raise a question", async () => {
    const { asked, store } = await start({ rebooted: null });
    expect(asked).toEqual([
      {
        text: "These tasks have passed, but their boxes are open, either because of a power cut, or because a person cleared them.",
        ask: "Tick them again?",
        items: ["task 1.1"],
        facts: ["boxes", ["1.1"], plan],
      },
    ]);
    expect(store.tasks.text).toContain("[x] 1.1");
  });

  it("stay cleared if the owner refuses", async () => {
    const { after, found, store, made } = await start({
      ...{ rebooted: null, answer: { accepted: false, hash: "h", isAsked: true } },
    });
    expect(after).toBe(found);
    expect([store.tasks.text, store.log.text, made]).toEqual([plan, "", []]);
  });

  it("end the start if no one can be asked, with both commands to continue", async () => {
    await expect(
      start({ rebooted: null, answer: { accepted: false, hash: "h", isAsked: false } }),
    ).rejects.toMatchObject({
      code: "boxes-lost",
      message: "Cannot continue, since a power cut or a person cleared the boxes of tasks that have passed: 1.1",
      ways: [
        { say: "Tick them again", words: ["--accept", "h"] },
        { say: "Do the tasks again", words: ["--new-run"] },
      ],
    });
  });
});
