import { expect, it } from "vitest";
import { checkMemory } from "../../src/effects/check-memory.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import type { Effect } from "../../src/model/effect.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { answered } from "../support/answered.ts";

const reply = { text: "TASK_COMPLETE", headBefore: null };
const known: RunRecord[] = [
  { type: "delegated", key: "1.1#1", task: "1.1", role: "executor", attempt: 1, retries: 0, elapsedMs: 0 },
  answered("1.1#1/delegate", { kind: "replied" }, { reply }),
  answered("1.2#1/askOperator", { kind: "directed", directive: { strategy: "decompose", parts: ["One", "Two"] } }),
  answered("1.2~1#1/delegate", { kind: "replied" }, { reply }),
];
const memory = createRunMemory();
for (const record of known) memory.apply(record);
const effectOf = (key: string, input: object): Effect => {
  const name = key.slice(key.lastIndexOf("/") + 1);
  return { name, key, input: { key, ...input } } as unknown as Effect;
};
const check = (key: string, input: object) => () => checkMemory(memory, effectOf(key, input));

it.each(["changePlan", "verify", "review", "readFailure", "wait", "insertFix", "recordPass"])(
  "%s goes on from its attempt alone",
  (name) => {
    expect(check(`1.1#1/${name}`, { task: "1.1" })).not.toThrow();
    expect(check(`1.1#2/${name}`, { task: "1.1" })).toThrow(
      expect.objectContaining({ code: "memory-missing", message: expect.stringContaining("knows 1.1#2") }),
    );
  },
);

it.each(["delegate", "askOperator", "askPerson", "writeStuckReport", "recordSkip"])("%s needs no attempt", (name) => {
  expect(check(`1.1#2/${name}`, { task: "1.1" })).not.toThrow();
});

it("what is gathered are attempts at parts that are known", () => {
  expect(check("1.2#2/gatherParts", { task: "1.2", parts: ["1.2~1#1"] })).not.toThrow();
  expect(check("1.2#2/gatherParts", { task: "1.2", parts: ["1.2~1#1", "1.2~2#1"] })).toThrow("knows 1.2~2#1");
});

it("what is merged are logs of tasks that were begun", () => {
  expect(check("run#1/mergeProgress", { logs: ["1.1"] })).not.toThrow();
  expect(check("run#1/mergeProgress", { logs: [] })).not.toThrow();
  expect(check("run#1/mergeProgress", { logs: ["1.1", "1.3"] })).toThrow("knows 1.3");
});

it("a part is delegated whose task was taken apart", () => {
  expect(check("1.2~2#1/delegate", { task: "1.2~2" })).not.toThrow();
  expect(check("1.2~3#1/delegate", { task: "1.2~3" })).toThrow("knows 1.2~3");
  expect(check("1.1~1#1/delegate", { task: "1.1~1" })).toThrow("knows 1.1~1");
});

it("effects on the run as a whole need nothing", () => {
  expect(check("run#1/chooseTask", { maxParallel: 1 })).not.toThrow();
});
