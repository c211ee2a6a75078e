import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readExplanation } from "../../../../src/hosts/node/reading/read-explanation.ts";
import type { RunOptions } from "../../../../src/hosts/node/run-options.ts";
import { runSpec } from "../../../../src/hosts/node/run-spec.ts";
import type { RunEvent, TimedRunEvent } from "../../../../src/model/event.ts";
import type { Fact } from "../../../../src/model/explanation.ts";
import type { Executor } from "../../../../src/ports/executor.ts";
import { failedReply } from "../../../../src/testing/scripted-ports.ts";
import { planText, workspaceWith } from "../../cli/sample-spec.ts";

const plan = planText.replaceAll("test -f b.txt", "test -f a.txt");
const failing: Executor = async ({ taskId }) => failedReply(taskId, "boom");
const done: Executor = async ({ workspace }) => {
  writeFileSync(join(workspace, "a.txt"), "");
  return "TASK_COMPLETE";
};

function spec() {
  const workspace = workspaceWith(plan);
  const events: TimedRunEvent[] = [];
  return {
    events,
    folder: join(workspace, "specs", "demo"),
    run: (executor: Executor, options: Partial<RunOptions> = {}) =>
      runSpec({
        spec: "demo",
        workspace,
        executors: { executor },
        yes: true,
        onEvent: (e) => events.push(e),
        ...options,
      }),
  };
}

const of = <Kind extends Fact["kind"]>(folder: string, task: string, kind: Kind) =>
  readExplanation(folder, task)?.facts.filter((fact) => fact.kind === kind) as Extract<Fact, { kind: Kind }>[];
const decidedIn = (told: readonly (RunEvent | Fact)[]) =>
  told.flatMap((each) =>
    ("type" in each && each.type === "task.decided") || ("kind" in each && each.kind === "decided")
      ? [[each.task, each.decision, each.stuck, each.level, each.considered]]
      : [],
  );

describe("readExplanation", () => {
  it("explains the decisions of all starts, each under its own policy", async () => {
    const { folder, run, events } = spec();
    await run(failing, { policy: { maxTaskIterations: 2 } });
    expect(readExplanation(folder, "1.2")).toMatchObject({ state: "limit", attempted: true });
    // This start only looks for a manual fix. Its outcome is the same, so the explanation omits the start.
    await run(failing);
    await run(failing, { policy: { maxTaskIterations: 3 } });
    expect(readExplanation(folder, "1.2")?.state).toBe("limit");
    await run(done, { policy: { recovery: ["fix"], maxTaskIterations: 4 } });
    const found = readExplanation(folder, "1.2");
    expect(found).toMatchObject({ state: "passed", ways: [] });
    expect(decidedIn(found?.facts ?? [])).toEqual(decidedIn(events));
    expect(of(folder, "1.2", "started").map(({ start, changed }) => [start, changed.map(({ name }) => name)])).toEqual([
      [1, []],
      [3, ["maxTaskIterations"]],
      [4, ["recovery", "maxTaskIterations"]],
    ]);
    expect(of(folder, "1.2", "ended").map(({ outcome }) => outcome)).toEqual(["limit", "limit", "complete"]);
  });

  it("explains how a task reached a checkpoint and what followed", async () => {
    const { folder, run, events } = spec();
    const recovery = ["retry" as const, "pivot" as const, "research" as const, "checkpoint" as const];
    const policy = { recovery, maxPivotAttempts: 1, maxResearchAttempts: 1, stuckAfterSameErrors: 2 };
    expect((await run(failing, { policy })).outcome).toBe("checkpoint");
    expect(readExplanation(folder, "1.2")).toMatchObject({ state: "checkpoint" });
    expect((await run(done, { resume: true, guidance: "use zod" })).outcome).toBe("complete");
    const found = readExplanation(folder, "1.2");
    expect(found?.state).toBe("passed");
    expect(decidedIn(found?.facts ?? [])).toEqual(decidedIn(events));
    expect(of(folder, "1.2", "told").map(({ words }) => words)).toEqual(["use zod"]);
  });

  it("names only remedies that change the decision", async () => {
    const flagged = { fix: ["fix"], repair: ["repair"], pivot: ["pivot", "research", "checkpoint"] } as const;
    for (const recovery of [["retry"], ["fix"]] as const) {
      const { folder, run } = spec();
      const policy = { recovery: [...recovery], maxTaskIterations: 2, maxFixTasksPerOriginal: 1, maxFixTaskDepth: 1 };
      await run(failing, { policy });
      const ways = readExplanation(folder, "1.2")?.ways ?? [];
      const rungs = ways.flatMap((way) => (way.kind === "allow" ? [way.rung as keyof typeof flagged] : []));
      expect(rungs).toContain("pivot");
      for (const rung of rungs) {
        const other = spec();
        await other.run(failing, { policy });
        await other.run(failing, { policy: { ...policy, recovery: [...recovery, ...flagged[rung]] } });
        expect(of(other.folder, "1.2", "decided").map(({ decision }) => decision)).toContain(rung);
      }
    }
  });

  it("works during the run", async () => {
    const { folder, run } = spec();
    const seen: unknown[] = [];
    const asking: Executor = async (delegation, signal, progress) => {
      const { taskId } = delegation;
      seen.push([taskId, readExplanation(folder, "1.2")?.state, readExplanation(folder, "1.3")?.state]);
      return done(delegation, signal, progress);
    };
    expect((await run(asking)).outcome).toBe("complete");
    expect(seen).toEqual([
      ["1.2", "running", "open"],
      ["1.3", "passed", "running"],
    ]);
  });

  it("returns nothing for a task that neither the plan nor its run contains", () => {
    expect(readExplanation(spec().folder, "9.9")).toBeNull();
  });
});
