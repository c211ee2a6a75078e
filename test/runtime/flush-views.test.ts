import { expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { flushViews } from "../../src/runtime/continue-run.ts";
import { recordAnswer } from "../support/answered.ts";

function passed(...tasks: string[]) {
  const made: RunRecord[] = [];
  const append = (more: readonly RunRecord[]) => void made.push(...more);
  const memory = createRunMemory({ store: { append, writeOutput: () => {}, readOutput: async () => "" } });
  const pass = (task: string): void =>
    recordAnswer(memory, `${task}#1/recordPass`, { kind: "recorded", pending: true });
  for (const task of tasks) pass(task);
  made.length = 0;
  const flushes: { readonly done: () => void; readonly fail: (error: Error) => void }[] = [];
  const flush = () => new Promise<void>((done, fail) => flushes.push({ done, fail }));
  const settle = async (end: (flush: (typeof flushes)[number]) => void): Promise<void> => {
    await new Promise(setImmediate);
    const [next] = flushes.splice(0, 1);
    if (next !== undefined) end(next);
    await new Promise(setImmediate);
  };
  return { memory, made, pass, flushes, views: flushViews({ flush }, memory), settle };
}

const heldIn = ({ memory }: ReturnType<typeof passed>): readonly RunRecord[] => memory.held;

it("passed tasks are flushed, which is recorded with the next record", async () => {
  const made = passed("1.1", "1.2");
  made.views.begin();
  expect(made.flushes).toHaveLength(1);
  expect(heldIn(made)).toEqual([]);
  await made.settle(({ done }) => done());
  expect(heldIn(made)).toEqual([{ type: "flushed", tasks: ["1.1", "1.2"] }]);
  expect(made.made).toEqual([]);
  expect(made.memory.state.unflushed).toEqual({});
});

it("one flush is active at a time, and the next covers what has passed meanwhile", async () => {
  const made = passed("1.1");
  made.views.begin();
  made.pass("1.2");
  made.views.begin();
  expect(made.flushes).toHaveLength(1);
  await made.settle(({ done }) => done());
  expect(Object.keys(made.memory.state.unflushed)).toEqual(["1.2"]);
  made.views.begin();
  expect(made.flushes).toHaveLength(1);
});

it("a refused flush is retried, and the end of a run reports it", async () => {
  const made = passed("1.1");
  made.views.begin();
  await made.settle(({ fail }) => fail(new Error("no space")));
  expect([heldIn(made), Object.keys(made.memory.state.unflushed)]).toEqual([[], ["1.1"]]);
  const refused = expect(made.views.end()).rejects.toThrow("no space");
  await made.settle(({ fail }) => fail(new Error("no space")));
  await refused;
});

it("the end of a run waits for the active flush, and flushes the rest", async () => {
  const made = passed("1.1");
  made.views.begin();
  made.pass("1.2");
  let isOver = false;
  const ended = made.views.end().then(() => {
    isOver = true;
  });
  await made.settle(({ done }) => done());
  expect([isOver, made.flushes.length]).toEqual([false, 1]);
  await made.settle(({ done }) => done());
  await ended;
  expect(made.memory.state.unflushed).toEqual({});
});

it("nothing is flushed if nothing has passed, or the documents do not support it", async () => {
  const none = passed();
  none.views.begin();
  await none.views.end();
  expect([none.flushes, heldIn(none)]).toEqual([[], []]);
  const { memory } = passed("1.1");
  await flushViews({}, memory).end();
  expect([memory.held, Object.keys(memory.state.unflushed)]).toEqual([[], ["1.1"]]);
});
