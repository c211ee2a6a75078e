import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { TaskProgress } from "../../src/model/event.ts";
import type { Executor, TellProgress } from "../../src/ports/executor.ts";
import type { Clock, Ports } from "../../src/ports/ports.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedShell } from "../../src/testing/scripted-ports.ts";
import { inputs } from "../support/effect-inputs.ts";
import { continueRun, memoryPorts, newRun } from "../support/memory-run.ts";
import { performing } from "../support/performing.ts";

const never = new AbortController().signal;
const plan = "- [ ] 1.1 First\n  - **Verify**: `npm test`\n";

function handClock() {
  let at = 1_000_000;
  const sleepers = new Set<{ readonly time: number; readonly wake: () => void }>();
  const clock: Clock = {
    now: () => at,
    sleepUntil: (time, signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(signal.reason);
        const wake = (): void => {
          signal.removeEventListener("abort", stop);
          resolve();
        };
        sleepers.add({ time, wake });
        signal.addEventListener("abort", stop);
      }),
  };
  const pass = async (ms: number): Promise<void> => {
    at += ms;
    for (const sleeper of sleepers) {
      if (sleeper.time > at) continue;
      sleepers.delete(sleeper);
      sleeper.wake();
    }
    await new Promise(setImmediate);
  };
  return { clock, pass };
}

type Script = (progress: TellProgress, pass: (ms: number) => Promise<void>) => void | Promise<void>;

async function toldOf(script: Script): Promise<readonly TaskProgress[]> {
  const events: TaskProgress[] = [];
  const { clock, pass } = handClock();
  const execute: Executor = async (_delegation, _signal, progress) => {
    await script(progress, pass);
    return "TASK_COMPLETE";
  };
  const ports = { ...memoryPorts(memoryStore(plan), execute), clock };
  const onProgress: Ports["onProgress"] = (event) => void (event.type === "task.progress" && events.push(event));
  const effects = performing(withMemory({ ...ports, onProgress, attempts: createRunMemory() }));
  await effects.delegate(inputs.delegate("1.1", 1), never);
  await pass(10_000);
  return events;
}

const event = (more: Partial<TaskProgress>): TaskProgress => ({
  type: "task.progress",
  task: "1.1",
  key: "1.1#1",
  stage: "work",
  tool: null,
  line: null,
  tokens: null,
  seconds: 0,
  ...more,
});

describe("the progress that an executor reports", () => {
  it("is emitted with the time since the start", async () => {
    const told = await toldOf(async (progress, pass) => {
      await pass(14_900);
      progress({ tool: "Bash", line: "npm test", tokens: 120 });
    });
    expect(told).toEqual([event({ tool: "Bash", line: "npm test", tokens: 120, seconds: 14 })]);
  });

  it("keeps the previous tokens, but no action that is over", async () => {
    const told = await toldOf((progress) => {
      progress({ tool: "Bash", line: "npm test", tokens: 120 });
      progress({ line: "All of them pass" });
      progress({ tokens: 200 });
    });
    expect(told).toEqual([
      event({ tool: "Bash", line: "npm test", tokens: 120 }),
      event({ line: "All of them pass", tokens: 120 }),
      event({ line: "All of them pass", tokens: 200 }),
    ]);
  });

  it("is emitted at most four times a second, with the latest value as soon as allowed", async () => {
    const told = await toldOf(async (progress, pass) => {
      for (let tokens = 1; tokens <= 100; tokens++) progress({ tokens });
      await pass(999);
      progress({ tokens: 101 });
      await pass(1);
      progress({ tokens: 102 });
      await pass(5000);
    });
    expect(told.map(({ tokens }) => tokens)).toEqual([1, 2, 3, 4, 101, 102]);
  });

  it("is emitted at most four times a second, whatever the times of the reports", async () => {
    const times: number[] = [];
    const { clock, pass } = handClock();
    const execute: Executor = async (_delegation, _signal, progress) => {
      for (let tokens = 1; tokens <= 200; tokens++) {
        progress({ tokens });
        await pass(73);
      }
      return "TASK_COMPLETE";
    };
    const ports = { ...memoryPorts(memoryStore(plan), execute), clock, onProgress: () => void times.push(clock.now()) };
    await performing(withMemory({ ...ports, attempts: createRunMemory() })).delegate(inputs.delegate("1.1", 1), never);
    expect(times.length).toBeGreaterThan(40);
    for (const [at, time] of times.entries())
      expect((times[at + 4] ?? Number.POSITIVE_INFINITY) - time).toBeGreaterThanOrEqual(1000);
  });

  it("is not emitted twice, nor after the reply", async () => {
    let late: TellProgress = () => {};
    const told = await toldOf((progress) => {
      late = progress;
      for (const line of ["a", "a", "b", "c", "d", "e"]) progress({ line });
    });
    late({ line: "f" });
    expect(told.map(({ line }) => line)).toEqual(["a", "b", "c", "d"]);
  });

  it("is one line without terminal sequences", async () => {
    const told = await toldOf((progress) => {
      progress({ line: "first\n\u001b[1mbold\u001b[0m\u0007 and \u202eturned\r\n  \n" });
      progress({ tool: "Ba\u001b]0;title\u0007sh", line: "x".repeat(5000) });
    });
    expect(told).toMatchObject([{ line: "bold and turned" }, { tool: "Bash", line: "x".repeat(200) }]);
  });

  it("is ignored if it is invalid", async () => {
    const told = await toldOf((progress) => {
      progress({ line: 7, tokens: -1 } as never);
      progress({ tool: null, tokens: Number.NaN } as never);
      progress({ tokens: 1.5 });
    });
    expect(told).toEqual([]);
  });
});

describe("a run", () => {
  it("emits the start of a Verify and the final check, and records no progress", async () => {
    const made = newRun(plan);
    const progress: unknown[] = [];
    const execute: Executor = async (_delegation, _signal, tell) => {
      tell({ tool: "Bash", line: "seen at work" });
      return "TASK_COMPLETE";
    };
    const onProgress: Ports["onProgress"] = (seen) => void progress.push(seen);
    const shell = scriptedShell();
    const policy = { finalVerify: "check all" };
    expect(await continueRun(made, execute, { policy, shell, ports: { onProgress } })).toMatchObject({
      outcome: "complete",
    });
    expect(progress).toEqual([
      event({ tool: "Bash", line: "seen at work" }),
      event({ stage: "verify", line: "npm test" }),
      { type: "check.started", command: "check all" },
    ]);
    expect(JSON.stringify(made.records)).not.toMatch(/seen at work|progress"|check\.started/);
  });
});
