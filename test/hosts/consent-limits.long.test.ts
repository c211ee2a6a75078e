import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { limitNames } from "../../src/model/raised-limits.ts";
import { call, run, runAccepting, runAgain } from "../support/cli-here.ts";
import { type Project, projectWith, received } from "../support/project.ts";

const configure = ({ spec }: Project, config: object): void =>
  writeFileSync(join(spec, "fixpoint.config.json"), JSON.stringify(config));
const open = (): Project => projectWith({ plan: "- [ ] 1.1 A\n" });
const hard = (): Project => projectWith({ plan: "- [ ] 1.1 A\n", script: "broke 'it is hard'" });

const raised: Readonly<Record<string, readonly [value: unknown, shown: string]>> = {
  maxTaskIterations: [6, "6, instead of 4"],
  maxFixTasksPerOriginal: [5, "5, instead of 4"],
  maxFixTaskDepth: [4, "4, instead of 3"],
  maxFixTasksPerRoot: [10, "10, instead of 9"],
  repairBudget: [3, "3, instead of 2"],
  maxPivotAttempts: [4, "4, instead of 3"],
  maxResearchAttempts: [4, "4, instead of 3"],
  stuckAfterSameErrors: [6, "6, instead of 4"],
  stuckAfterUnchanged: [6, "6, instead of 5"],
  maxEvidence: [8001, "8001, instead of 8000"],
  maxGlobalIterations: [1_000_000, "1000000, instead of 100"],
  taskTimeout: ["31m", "31m, instead of 30m"],
  idleTimeout: ["11m", "11m, instead of 10m"],
  maxWait: [null, "off, instead of 6h"],
  verifyTimeout: ["24h", "24h, instead of 10m"],
  maxParallel: [300, "300, instead of 5"],
};
/** These limits have no default, so a config file can only lower them. */
const off = ["maxRunTime", "maxCost", "maxTokens", "maxOutput"];

describe.concurrent("a limit in a file of the workspace", () => {
  it.each(Object.entries(raised))("needs consent above its default: %s", async (name, [value, shown]) => {
    const project = open();
    configure(project, { [name]: value });
    const asked = await runAgain(project);
    expect(asked).toMatchObject({ exitCode: 2, err: expect.stringContaining(`1 item:\n  ${name}: ${shown}\n`) });
    expect((await run(project)).exitCode).toBe(0);
    writeFileSync(project.tasks, "- [ ] 1.2 B\n");
    expect((await runAgain(project)).exitCode).toBe(0);
  });

  it("needs consent above a default that depends on the remedies", async () => {
    const project = open();
    configure(project, { escalation: true, maxTotalAttempts: 11 });
    expect((await runAgain(project)).err).toContain("  maxTotalAttempts: 11, instead of 10\n");
    const others = open();
    configure(others, { maxTotalAttempts: 11 });
    expect((await runAgain(others)).exitCode).toBe(0);
  });

  it("is tested for every existing limit", () => {
    expect([...Object.keys(raised), ...off, "maxTotalAttempts"].sort()).toEqual([...limitNames].sort());
  });

  it("needs no consent at its default, below, or at the plan's own value", async () => {
    const project = projectWith({
      plan: Array.from({ length: 60 }, (_, n) => `- [x] 1.${n + 1} A\n`)
        .join("")
        .replaceAll("[x]", "[ ]"),
    });
    configure(project, {
      maxGlobalIterations: 120,
      maxParallel: 5,
      maxTaskIterations: 1,
      maxCost: 5,
      maxRunTime: "9h",
    });
    expect((await runAgain(project)).exitCode).toBe(0);
  });

  it("needs no consent if it was typed on the command line", async () => {
    const project = open();
    configure(project, { maxParallel: 300 });
    expect((await runAgain(project, "--max-parallel", "301")).exitCode).toBe(0);
  });

  it("needs consent above the value typed for the run", async () => {
    const project = hard();
    expect((await run(project, "--max-task-iterations", "2", "--max-cost", "5")).exitCode).toBe(1);
    configure(project, { maxTaskIterations: 3, maxCost: null });
    const asked = await runAgain(project);
    expect(asked).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining("2 items:\n  maxTaskIterations: 3, instead of 2\n  maxCost: off, instead of 5\n"),
    });
    expect((await runAccepting(project, asked)).exitCode).toBe(1);
    expect((await runAgain(project)).exitCode).toBe(1);
  });

  it("needs consent in .ralph-state.json", async () => {
    const project = open();
    writeFileSync(project.state, JSON.stringify({ maxTaskIterations: 50, maxGlobalIterations: 9999 }));
    const { exitCode, err } = await runAgain(project);
    expect(exitCode).toBe(2);
    expect(err).toContain("  maxTaskIterations: 50, instead of 4\n  maxGlobalIterations: 9999, instead of 100\n");
  });

  it("needs consent in state.yaml and in .planning/config.json", async () => {
    const project = open();
    writeFileSync(join(project.workspace, "state.yaml"), "failure_recovery:\n  max_pivot_attempts: 70\n");
    mkdirSync(join(project.workspace, ".planning"));
    const workflow = { node_repair: true, node_repair_budget: 80 };
    writeFileSync(join(project.workspace, ".planning/config.json"), JSON.stringify({ workflow }));
    const { exitCode, err } = await runAgain(project);
    expect(exitCode).toBe(2);
    expect(err).toContain("  repairBudget: 80, instead of 2\n  maxPivotAttempts: 70, instead of 3\n");
  });

  it("needs consent in run data that came with the files", async () => {
    const project = hard();
    expect((await run(project, "--max-task-iterations", "9", "--max-run-time", "1ms")).exitCode).toBe(1);
    const { exitCode, err } = await runAgain(received(project));
    expect({ exitCode, err }).toEqual({
      exitCode: 3,
      err: expect.stringContaining("  maxTaskIterations: 9, instead of 4\n"),
    });
  });

  it("is listed by --all", async () => {
    const project = open();
    configure(project, { maxParallel: 300 });
    const { exitCode, err } = await call(project, "run", "--all", ".", "--exec", "./executor.sh");
    expect({ exitCode, err }).toEqual({
      exitCode: 2,
      err: expect.stringContaining("    maxParallel: 300, instead of 5\n"),
    });
  });

  it("keeps the value typed at an earlier start", async () => {
    const project = hard();
    expect((await run(project, "--max-task-iterations", "7", "--max-global-iterations", "1")).exitCode).toBe(1);
    rmSync(join(project.spec, "fixpoint.config.json"), { force: true });
    expect((await runAgain(project, "--max-global-iterations", "2")).exitCode).toBe(1);
  });
});
