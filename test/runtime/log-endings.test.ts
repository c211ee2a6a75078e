import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { logEndings } from "../../src/runtime/conclude.ts";
import type { Stop } from "../../src/runtime/stop.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor } from "../../src/testing/scripted-ports.ts";
import { answered } from "../support/answered.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { plainFailure } from "../support/sample-failure.ts";
import { sampleFix } from "../support/sample-fix.ts";

const tasks: Readonly<Record<string, string>> = {
  "1.1": "First",
  "1.1.1": "[FIX 1.1] Fix: adds",
  "1.1.2": "[FIX 1.1] Fix: takes",
  "1.2": "Second",
  "1.3": "Third",
};
const delegated = (task: string): RunRecord => ({
  ...{ type: "delegated", key: `${task}#1`, task, role: "executor", attempt: 1, retries: 0, elapsedMs: 0 },
});
const failed = (task: string): RunRecord[] => [
  ...[delegated(task), answered(`${task}#1/readFailure`, plainFailure("boom"))],
];
const fixed = (task: string, id: string, supersedes?: string): RunRecord => ({
  ...{ type: "intended", key: `${task}#1` },
  fix: { ...sampleFix, id, fixOf: "1.1", ...(supersedes !== undefined && { supersedes }) },
});
const withFix = [...failed("1.1"), fixed("1.1", "1.1.1"), delegated("1.1.1")];
const denied = (task: string): Pick<Stop, "outcome" | "denial"> => ({
  ...{ outcome: "limit", denial: { kind: "denied", limit: "maxTaskIterations", task, max: 1 } },
});

async function history(
  stop: Pick<Stop, "outcome" | "denial">,
  { records = withFix as readonly RunRecord[], done = [] as readonly string[], log = "" } = {},
): Promise<string[]> {
  const plan = Object.entries(tasks)
    .map(([id, title]) => `- [${done.includes(id) ? "x" : " "}] ${id} ${title}\n`)
    .join("");
  const store = memoryStore(plan, log);
  const memory = createRunMemory({ open: 3 });
  for (const record of records) memory.apply(record);
  const ports = withMemory({ ...memoryPorts(store, scriptedExecutor()), attempts: memory });
  await logEndings(ports, memory, stop);
  return store.log.text.split("\n").flatMap((line) => (line.startsWith("- Task") ? [line.slice(2)] : []));
}

describe("the history of open tasks", () => {
  it.each(["gate", "checkpoint", "cancelled"] as const)("waits for a person: %s", async (outcome) => {
    expect(await history({ outcome })).toEqual(["Task 1.1: 1 fix attempted (1.1.1) - Final: WAITING"]);
    expect(await history({ outcome }, { records: failed("1.2") })).toEqual([]);
    expect(await history({ outcome }, { records: [delegated("1.2")] })).toEqual([]);
  });

  it("is empty if the run continues by itself, or continued without the task", async () => {
    for (const outcome of ["complete", "interrupted", "environment"] as const) {
      expect(await history({ outcome })).toEqual([]);
    }
    const skipped: RunRecord = { type: "skipped", task: "1.1", justification: "gone" };
    expect(await history({ outcome: "gate" }, { records: [...withFix, skipped] })).toEqual([]);
  });

  it("is a reached limit, if there were fixes", async () => {
    expect(await history(denied("1.1"))).toEqual(["Task 1.1: 1 fix attempted (1.1.1) - Final: FAIL (max limit)"]);
    expect(await history(denied("1.2"), { records: failed("1.2") })).toEqual([]);
  });

  it("waits next to a task at a limit, if a person was asked about it or it is at a checkpoint", async () => {
    const waits = ["Task 1.1: 1 fix attempted (1.1.1) - Final: WAITING"];
    const asked = answered("1.1#1/askPerson", { kind: "gate", reason: "r", hint: "h" });
    expect(await history(denied("1.2"), { records: [...withFix, asked] })).toEqual(waits);
    const reported = answered("1.1#1/writeStuckReport", { kind: "written", path: "p" });
    expect(await history(denied("1.2"), { records: [...withFix, reported] })).toEqual(waits);
    expect(await history(denied("1.1"), { records: [...withFix, reported] })).toEqual([
      ...["Task 1.1: 1 fix attempted (1.1.1) - Final: FAIL (max limit)"],
    ]);
    expect(await history(denied("1.2"))).toEqual(["Task 1.1: 1 fix attempted (1.1.1) - Final: FAIL (max limit)"]);
  });

  it("names superseded fixes", async () => {
    const below = { ...sampleFix, id: "1.1.1.1", fixOf: "1.1.1" };
    const records: RunRecord[] = [
      ...[...withFix, { type: "intended", key: "1.1.1#1", fix: below } as const],
      fixed("1.1.1", "1.1.2", "1.1.1"),
    ];
    expect(await history({ outcome: "gate" }, { records })).toEqual([
      "Task 1.1.1: 1 fix attempted (1.1.1.1) - Final: superseded",
      "Task 1.1: 2 fixes attempted (1.1.1 superseded, 1.1.2) - Final: WAITING",
    ]);
  });
});

describe("the history of done tasks", () => {
  const log = "## Fix Task History\n- Task 1.1: 1 fix attempted (1.1.1) - Final: WAITING\n";

  it("is a manual fix if the run has not accepted it, and passed otherwise", async () => {
    expect(await history({ outcome: "complete" }, { done: ["1.1"], log })).toEqual([
      ...["Task 1.1: 1 fix attempted (1.1.1) - Final: done by hand"],
    ]);
    const passed = [...withFix, answered("1.1#1/recordPass", { kind: "recorded" })];
    expect(await history({ outcome: "complete" }, { done: ["1.1"], log, records: passed })).toEqual([
      ...["Task 1.1: 1 fix attempted (1.1.1) - Final: PASS"],
    ]);
    expect(await history({ outcome: "complete" }, { done: ["1.1"] })).toEqual([
      ...["Task 1.1: 1 fix attempted (1.1.1) - Final: done by hand"],
    ]);
  });

  it("is updated only if the log says that it is not done, or there were fixes", async () => {
    const passed = [...withFix, answered("1.1#1/recordPass", { kind: "recorded" })];
    expect(await history({ outcome: "complete" }, { done: ["1.1"], records: passed })).toEqual([]);
    expect(await history({ outcome: "complete" }, { done: ["1.2"], records: failed("1.2") })).toEqual([]);
    expect(await history({ outcome: "complete" }, { log })).toEqual([
      ...["Task 1.1: 1 fix attempted (1.1.1) - Final: WAITING"],
    ]);
  });

  it("is that of the superseding fix", async () => {
    const below = { ...sampleFix, id: "1.1.1.1", fixOf: "1.1.1" };
    const records: RunRecord[] = [
      ...[...withFix, { type: "intended", key: "1.1.1#1", fix: below } as const],
      fixed("1.1.1", "1.1.2", "1.1.1"),
    ];
    expect(await history({ outcome: "complete" }, { done: ["1.1.1"], records })).toEqual([
      ...["Task 1.1.1: 1 fix attempted (1.1.1.1) - Final: superseded"],
    ]);
  });
});
