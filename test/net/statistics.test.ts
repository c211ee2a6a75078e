import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Executor } from "fixpoint";
import { runSpec } from "fixpoint/node";
import { describe, expect, it } from "vitest";
import { call } from "../support/cli-here.ts";
import { lastingFolder } from "../support/project.ts";
import { planOf, task } from "./story.ts";

function workspaceOf(plans: Readonly<Record<string, string>>): string {
  const workspace = lastingFolder();
  for (const [name, plan] of Object.entries(plans)) {
    mkdirSync(join(workspace, "specs", name), { recursive: true });
    writeFileSync(join(workspace, "specs", name, "tasks.md"), plan);
  }
  return workspace;
}

const executorOf =
  (workspace: string, fails: readonly string[]): Executor =>
  async ({ key, taskId }) => {
    mkdirSync(join(workspace, "made"), { recursive: true });
    if (!fails.includes(key)) writeFileSync(join(workspace, "made", taskId.slice(0, 3)), "");
    return { text: "TASK_COMPLETE", usage: { costUsd: 0.25, inputTokens: 20, outputTokens: 10 } };
  };

async function run(workspace: string, spec: string, fails: readonly string[]): Promise<void> {
  await runSpec({
    ...{ spec: join(workspace, "specs", spec), workspace, yes: true },
    executors: { executor: executorOf(workspace, fails) },
    policy: { maxTaskIterations: 2, maxParallel: 1 },
    ladder: { recoveryMode: spec === "fixed" },
  });
}

interface Counted {
  readonly runs: number;
  readonly solvedBy: Readonly<Record<string, number>>;
  readonly total: { readonly ms: number };
}

const plan = planOf(task("1.1"), task("1.2"), task("1.3"));

describe.concurrent("statistics", () => {
  it("count tasks that passed at the first attempt, what solved the others, and the cost, for all runs below a folder", async () => {
    const workspace = workspaceOf({
      ...{ fixed: plan, never: plan },
      tried: planOf(task("2.1"), task("2.2"), task("2.3")),
    });
    await run(workspace, "fixed", ["1.2#1"]);
    await run(workspace, "tried", ["2.2#1", "2.3#1", "2.3#2"]);
    const { exitCode, out } = await call({ workspace }, "stats", "specs", "--json");
    expect(exitCode).toBe(0);
    const counted = JSON.parse(out) as Counted;
    // Two runs of three tasks. The middle task needs a fix in one run and a retry in the other.
    expect(counted).toMatchObject({
      ...{ specs: 2, runs: 2, tasks: 6, passed: 5, atFirst: 3, solvedBy: { fix: 1, retry: 1 }, flaky: [], unread: [] },
      byPurpose: [
        { purpose: "first", attempts: 6, accepted: 3, costUsd: 1.5, tokens: 180 },
        { purpose: "fix", attempts: 1, accepted: 1, costUsd: 0.25, tokens: 30 },
        { purpose: "retry", attempts: 2, accepted: 1, costUsd: 0.5, tokens: 60 },
      ],
      total: { attempts: 9, accepted: 5, troubles: 0, costUsd: 2.25, tokens: 270 },
    });
    expect(counted.total.ms).toBeGreaterThan(0);
    const [ofOne, told] = [
      await call({ workspace }, "stats", "specs/tried/tasks.md"),
      await call({ workspace }, "stats"),
    ];
    expect(ofOne.out).toContain("1 spec, 1 run: 3 tasks begun, 2 passed\n");
    expect(told.out).toContain("2 specs, 2 runs: 6 tasks begun, 5 passed\n  by their first attempt: 3 (50 %)\n");
    expect(told.out).toMatch(/^all +9 +5 \(56 %\) +0 +\$2\.25 +270 /m);
  });

  it("count a task that was done after a person's answer as such", async () => {
    const workspace = workspaceOf({ asked: planOf(task("1.1")) });
    const start = (fails: readonly string[], more: object = {}) =>
      runSpec({
        ...{ spec: join(workspace, "specs/asked"), workspace, yes: true, ...more },
        executors: { executor: executorOf(workspace, fails) },
        policy: { maxTaskIterations: 2, maxFixTasksPerOriginal: 1, maxFixTasksPerRoot: 1 },
        ladder: { recoveryMode: true, escalation: true },
      });
    const all = Array.from({ length: 30 }, (_, index) => [`1.1#${index}`, `1.1.1#${index}`]).flat();
    await start(all);
    await start([], { resume: true, guidance: "Make the file" });
    const { out } = await call({ workspace }, "stats", "specs");
    expect(out).toContain(
      "1 task begun, 1 passed\n  by their first attempt: 0 (0 %)\n  otherwise: 1 after a person's answer\n",
    );
    expect(out).toMatch(/^first attempts +1 +0 /m);
    expect(out).toMatch(/^after a person's answer +1 +1 /m);
  });

  it("exclude an unreadable run, and report it", async () => {
    const workspace = workspaceOf({ fixed: plan, tried: plan });
    await run(workspace, "fixed", []);
    await run(workspace, "tried", []);
    writeFileSync(join(workspace, "specs/tried/.fixpoint/run-1/journal-1.ndjson"), "rubbish\n");
    const { exitCode, out, err } = await call({ workspace }, "stats");
    expect(exitCode).toBe(0);
    expect(out).toContain("1 run: 3 tasks begun, 3 passed");
    expect(err).toMatch(/notice: .*tried.*run-1 is skipped: Cannot read the journal/);
  });

  it("report that there is nothing to count, or no spec", async () => {
    const workspace = workspaceOf({ never: plan });
    expect((await call({ workspace }, "stats")).out).toContain("No run is recorded here");
    const missing = await call({ workspace }, "stats", "nevr");
    expect(missing).toMatchObject({ exitCode: 2, err: expect.stringContaining("Did you mean never?") });
  });
});

describe.concurrent("run --plan", () => {
  it("shows order and checks, runs nothing, and estimates from earlier tasks", async () => {
    const open = planOf(
      task("1.1"),
      task("1.2 [P]", "Second"),
      task("1.3 [P]", "Third"),
      "- [ ] 1.4 Fourth\n  - **Do**: Make it\n",
    );
    const workspace = workspaceOf({
      open,
      before: planOf(...["2.1", "2.2", "2.3", "2.4", "2.5"].map((id) => task(id))),
    });
    const early = await call({ workspace }, "run", "open", "--plan");
    expect(early.out).toBe(
      [
        "4 tasks to be delegated, at most 100 delegations:",
        "",
        "  1.1 Make 1.1: test -e made/1.1",
        "  side by side:",
        "    1.2 Second: test -e made/1.2",
        "    1.3 Third: test -e made/1.3",
        "  1.4 Fourth: no check of its own",
        "",
        "No forecast: 0 tasks of earlier runs here, expected at least 5",
        "",
      ].join("\n"),
    );
    await run(workspace, "before", []);
    const { out, exitCode } = await call({ workspace }, "run", "open", "--plan", "--max-parallel", "1");
    expect(exitCode).toBe(0);
    expect(out).not.toContain("side by side");
    expect(out).toContain("Expected from 5 tasks of earlier runs here");
    // All earlier tasks had the same cost, so both bounds are equal.
    expect(out).toContain("$1.00 to $1.00, 120 to 120 tokens, ");
    const { out: json } = await call({ workspace }, "run", "open", "--plan", "--reporter", "json");
    const forecast = JSON.parse(json) as { readonly expected: object; readonly steps: readonly object[] };
    expect(forecast.steps).toHaveLength(3);
    expect(forecast.expected).toMatchObject({ known: 5, costUsd: { p50: 1, p90: 1 } });
  });

  it("continues from a stopped run, and says if nothing is left", async () => {
    const workspace = workspaceOf({ tried: plan });
    await run(workspace, "tried", ["1.2#1", "1.2#2"]);
    const { out } = await call({ workspace }, "run", "tried", "--plan");
    expect(out).toContain("2 tasks to be delegated");
    expect(out).not.toContain("1.1 Make");
    writeFileSync(join(workspace, "specs/tried/tasks.md"), plan.replaceAll("[ ]", "[x]"));
    expect((await call({ workspace }, "run", "tried", "--plan")).out).toContain("no task of the plan is open");
  });
});
