import * as fc from "fast-check";
import { describe, expect } from "vitest";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import { exitCodes, RunEnding } from "../../src/model/event.ts";
import type { Delegation, Executor } from "../../src/ports/executor.ts";
import type { Shell } from "../../src/ports/shell.ts";
import { policies } from "../../src/testing/arbitraries.ts";
import { failedReply } from "../../src/testing/scripted-ports.ts";
import { fates } from "../support/arbitraries.ts";
import { continueRun, delegatedIn, type MemoryRun, newRun } from "../support/memory-run.ts";
import type { Fate } from "../support/play-task.ts";
import { prop } from "../support/prop.ts";
import { retryThenStop } from "../support/reference-model.ts";

const plan = `## Phase 1: Make

- [x] 1.1 Set up
  - **Verify**: \`check 1.1\`
- [ ] 1.2 [P] Read
  - **Files**: src/read.ts
  - **Verify**: \`check 1.2\`
- [ ] 1.3 [P] Write
  - **Files**: src/write.ts
  - **Verify**: \`check 1.3\`
- [ ] 1.4 [VERIFY] All
`;
const ids = ["1.1", "1.2", "1.3", "1.4"];
const claimOf = ({ role }: Delegation): string => (role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE");

function fated(script: readonly Fate[]): Executor {
  const left = [...script];
  return async (delegation) => {
    const fate = left.shift() ?? "accepted";
    if (fate === "failed") return failedReply(delegation.taskId, `boom ${left.length}`);
    return fate === "rejected" ? `It needs human eyes\n${claimOf(delegation)}` : claimOf(delegation);
  };
}

const ticked = ({ store }: MemoryRun): string[] =>
  readPlan(store.tasks.text)
    .tasks.filter(({ done }) => done)
    .map(({ id }) => id);

function listening(): Shell & { readonly commands: string[] } {
  const commands: string[] = [];
  return {
    commands,
    run: async (command) => {
      commands.push(command);
      return { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false };
    },
    exists: async () => true,
  };
}

describe("run, for every change of the plan by executors", () => {
  const meddlings = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant("tick" as const), id: fc.constantFrom(...ids) }),
      fc.record({ kind: fc.constant("untick" as const), id: fc.constantFrom(...ids) }),
      fc.record({ kind: fc.constant("edit" as const), id: fc.constantFrom(...ids) }),
    ),
    { maxLength: 3 },
  );
  const meddle = ({ store }: MemoryRun, what: { kind: "tick" | "untick" | "edit"; id: string }): void => {
    const { text } = store.tasks;
    const [from, to] = {
      tick: [`[ ] ${what.id} `, `[x] ${what.id} `],
      untick: [`[x] ${what.id} `, `[ ] ${what.id} `],
      edit: [`\`check ${what.id}\``, "`rm -rf /`"],
    }[what.kind] as [string, string];
    store.tasks.text = text.replace(from, to);
  };
  const meddling =
    (made: MemoryRun, work: Executor, script: readonly Parameters<typeof meddle>[1][][]): Executor =>
    async (delegation, signal, progress) => {
      for (const what of script[delegatedIn(made).length - 1] ?? []) meddle(made, what);
      return work(delegation, signal, progress);
    };
  const scripts = fc.array(meddlings, { maxLength: 8 });

  prop(
    "I11: every tick at the end existed before, or was accepted",
    [policies(), fates, scripts],
    async (policy, script, meddled) => {
      const made = newRun(plan);
      const ended = await continueRun(made, meddling(made, fated(script), meddled), { policy });
      const passed = new Set(made.events.flatMap((event) => (event.type === "task.passed" ? [event.task] : [])));
      expect(ticked(made).filter((id) => id !== "1.1" && !passed.has(id))).toEqual([]);
      if (ended?.outcome === "complete") expect(ticked(made)).toEqual(expect.arrayContaining(ids));
    },
  );

  prop(
    "I12: only commands of the original plan are run",
    [policies(), fates, scripts],
    async (policy, script, meddled) => {
      const made = newRun(plan);
      const shell = listening();
      await continueRun(made, meddling(made, fated(script), meddled), { policy, shell });
      expect(shell.commands.filter((command) => !/^check 1\.[1-4]$/.test(command))).toEqual([]);
    },
  );
});

type Trouble = "none" | "spawn" | "throw" | "rate-limit" | "auth" | "interrupt";

describe("run, for every policy and every sequence of results", () => {
  const troubles = fc.array(fc.constantFrom<Trouble>("none", "spawn", "throw", "rate-limit", "auth", "interrupt"), {
    maxLength: 12,
  });

  prop(
    "I21: ends once, with a known outcome and its exit code",
    [policies(), fates, troubles],
    async (policy, script, trouble) => {
      const made = newRun(plan);
      const work = fated(script);
      const stop = new AbortController();
      let calls = 0;
      const execute: Executor = async (delegation, signal, progress) => {
        switch (trouble[calls++] ?? "none") {
          case "spawn":
            return { text: "no such agent", ended: "spawn" };
          case "throw":
            throw new Error("no agent");
          case "rate-limit":
            return { text: "", exitCode: 1, problem: { kind: "rate-limit", message: "later", until: 10 } };
          case "auth":
            return { text: "", exitCode: 1, problem: { kind: "auth", message: "log in" } };
          case "interrupt":
            stop.abort(new Error("interrupted"));
            return "";
          case "none":
            return work(delegation, signal, progress);
        }
      };
      const ended = await continueRun(made, execute, { policy, signal: stop.signal });
      if (ended === null) throw new Error("the run has no end, though it was not killed");
      expect(RunEnding.options).toContain(ended.outcome);
      expect(ended.exitCode).toBe(exitCodes[ended.outcome]);
      expect(ended.outcome === "complete").toBe(readPlan(made.store.tasks.text).tasks.every(({ done }) => done));
      expect(ended.error === undefined).toBe(["complete", "interrupted"].includes(ended.outcome));
      expect(made.events.filter(({ type }) => type === "run.ended")).toEqual([]);
    },
  );

  prop(
    "I21: is complete if the last allowed delegation completes it",
    [policies(), fates],
    async (policy, script) => {
      const free = newRun(plan);
      const ended = await continueRun(free, fated(script), { policy: { ...policy, maxParallel: 1 } });
      if (ended?.outcome !== "complete") return;
      const maxGlobalIterations = ended.attempts;
      const bound = { ...policy, maxParallel: 1, maxGlobalIterations };
      expect(await continueRun(newRun(plan), fated(script), { policy: bound })).toMatchObject({
        outcome: "complete",
        exitCode: 0,
      });
      if (maxGlobalIterations === 1) return;
      const tighter = { ...bound, maxGlobalIterations: maxGlobalIterations - 1 };
      expect(await continueRun(newRun(plan), fated(script), { policy: tighter })).toMatchObject({
        outcome: "limit",
        exitCode: 1,
      });
    },
    40,
  );

  prop(
    "I26: without recovery it equals the reference model of retrying, then stopping",
    [fates, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 12 })],
    async (script, maxTaskIterations, maxGlobalIterations) => {
      const limits = { maxTaskIterations, maxGlobalIterations };
      const expected = retryThenStop(ids.slice(1), script, limits);
      const made = newRun(plan);
      const ended = await continueRun(made, fated(script), { policy: { ...limits, maxParallel: 1 } });
      expect({ outcome: ended?.outcome, delegated: delegatedIn(made), ticked: ticked(made).slice(1) }).toEqual(
        expected,
      );
    },
  );

  const within = fc.record({
    recovery: fc.constantFrom<("retry" | "fix")[]>(["retry"], ["fix"], ["retry", "fix"], ["fix", "retry"]),
    failures: fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
    waits: fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
  });

  prop(
    "I29: is complete if executors succeed within the limits, however often they could not work",
    [within],
    async ({ recovery, failures, waits }) => {
      const made = newRun(plan);
      const left = new Map(
        ids.slice(1).map((id, index) => [id, { fails: failures[index] ?? 0, waits: waits[index] ?? 0 }]),
      );
      const execute: Executor = async (delegation) => {
        const task = left.get(delegation.taskId);
        if (task !== undefined && task.waits-- > 0) {
          return { text: "", exitCode: 1, problem: { kind: "rate-limit", message: "later" } };
        }
        return task !== undefined && task.fails-- > 0 ? failedReply(delegation.taskId, "boom") : claimOf(delegation);
      };
      // The limits let a task with three failures pass at its fourth attempt.
      const policy = { recovery, maxTaskIterations: 4, maxFixTasksPerOriginal: 3 };
      expect((await continueRun(made, execute, { policy }))?.outcome).toBe("complete");
    },
    40,
  );
});
