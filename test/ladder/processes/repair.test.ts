import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resume, run, runAgain } from "../../support/cli-here.ts";
import { delegations, read } from "../../support/traces.ts";
import { changeMind, priced, questions, shop, shopPlan, summaryOf } from "../fixtures/shop.ts";

const repairing = ["--repair", "--operator-exec", "./operator.sh"] as const;
const done = shopPlan.replaceAll("[ ]", "[x]");

/** Gives its answers in turn. */
const answering = (...answers: readonly string[]): string =>
  `case $(wc -l < questions.log) in\n${answers.map((answer, index) => `${index + 1}) echo '${answer}';;`).join("\n")}\nesac`;

const sameOperator = "repair operator: ./operator.sh, as before\n";

describe.concurrent("node repair with real programs, files and git", () => {
  it("retries with the adjustment to green", async () => {
    const adjusted = `case "$prompt" in *"multiply by 1.2"*) ${priced("net * 1.2")};; *) ${priced("net + 1")};; esac`;
    const project = shop(adjusted, answering("RETRY: multiply by 1.2"));
    const { exitCode, out, err } = await run(project, ...repairing);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(out).toMatch(/\n\nALL_TASKS_COMPLETE\n$/);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.2#1"]);
    expect(summaryOf(project)).toContain("- [Node Repair - RETRY] Task 1.1: multiply by 1.2 - resolved\n");
    expect(read(project.tasks)).toBe(done);
  });

  it("decomposes to green, where the parts together pass the task's own test", async () => {
    const parts = `case $id in
*~1) echo "export const rate = 1.2;" > rate.mjs; git add rate.mjs; git commit -qm rate; made;;
*~2) echo "import { rate } from './rate.mjs'; export const price = (net) => net * rate;" > price.mjs; git commit -qam price; made;;
*) ${priced("net + 1")};;
esac`;
    const project = shop(
      parts,
      answering("DECOMPOSE: Export the rate from rate.mjs | Multiply net prices by the exported rate"),
    );
    const { exitCode, err } = await run(project, ...repairing);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.1~1#1", "1.1~2#1", "1.2#1"]);
    expect(summaryOf(project)).toContain("- [Node Repair - DECOMPOSE] Task 1.1 split into 2 sub-tasks - all passed\n");
    expect(read(project.tasks)).toBe(done);
  });

  it("prunes to exit code 3, and is complete once the task was done by hand", async () => {
    const project = shop(priced("net + 1"), answering("PRUNE: The rate is not decided"));
    const { exitCode, out } = await run(project, ...repairing);
    expect({ exitCode, out }).toEqual({ exitCode: 3, out: expect.not.stringContaining("ALL_TASKS_COMPLETE") });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
    expect(read(project.tasks)).toBe(shopPlan.replace("[ ] 1.2", "[x] 1.2"));
    const line = "- [Node Repair - PRUNE] Task 1.1 skipped: The rate is not decided\n";
    expect(summaryOf(project)).toContain(`## Deviations from Plan\n${line}`);
    expect(summaryOf(project)).toContain(`## Issues Encountered\n${line}`);
    expect((await runAgain(project)).exitCode).toBe(3);
    expect(delegations(project)).toHaveLength(2);
    writeFileSync(project.tasks, done);
    const after = await runAgain(project);
    expect({ exitCode: after.exitCode, out: after.out }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/\n\nALL_TASKS_COMPLETE\n$/),
    });
    expect(delegations(project)).toHaveLength(2);
  });

  it("does not delegate a fix that was left out with its task, once the task was done and ticked by hand", async () => {
    const fixing = [...repairing, "--recovery-mode", "--max-fix-depth", "1"];
    const failed = 'echo "Task $id: broken FAILED"; echo "- Error: no rate in $id"';
    const project = shop(failed, answering("PRUNE: The rate is not decided"));
    expect((await run(project, ...fixing)).exitCode).toBe(3);
    expect(delegations(project)).toEqual(["1.1#1", "1.1.1#1", "1.2#1"]);
    expect(read(project.tasks)).toContain("\n- [ ] 1.1.1 [FIX 1.1] ");
    writeFileSync(project.tasks, read(project.tasks).replace("[ ] 1.1 ", "[x] 1.1 "));
    const after = await runAgain(project);
    expect({ exitCode: after.exitCode, out: after.out }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(/\n\nALL_TASKS_COMPLETE\n$/),
    });
    expect(delegations(project)).toHaveLength(3);
    expect(read(project.tasks)).toMatch(
      /\n- \[x\] 1\.1\.1 \[FIX 1\.1\] .*\n(?: {2,}.*\n)* {2}- \*\*Not needed for\*\*: 1\.1\n- \[x\] 1\.2 /,
    );
  });

  it("takes up what was pruned when a person decides to retry", async () => {
    const project = shop(priced("net + 1"), answering("PRUNE: The rate is not decided"));
    expect((await run(project, ...repairing)).exitCode).toBe(3);
    changeMind(project, priced("net * 1.2"));
    expect(await resume(project, "--decision", "retry")).toMatchObject({ exitCode: 0, err: sameOperator });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.1#2"]);
    expect(read(project.tasks)).toBe(done);
  });

  it.each([
    ["skip", "Outcome: skipped\n", ["1.1#1", "1.2#1"]],
    ["stop", "Outcome: cancelled\n", ["1.1#1"]],
  ])("takes %s at the gate", async (decision, outcome, made) => {
    const project = shop(priced("net + 1"), answering("ESCALATE: one rate | Which rate is to be used?"));
    expect((await run(project, ...repairing)).exitCode).toBe(3);
    const { exitCode, out } = await resume(project, "--decision", decision);
    expect({ exitCode, out }).toEqual({ exitCode: 3, out: expect.stringContaining(outcome) });
    expect(delegations(project)).toEqual(made);
  });

  const parts = "DECOMPOSE: Export the rate from rate.mjs | Multiply net prices by the exported rate";
  const partly = `case $id in *~1) false;; *~2) ${priced("net * 1.2")};; *) ${priced("net + 1")};; esac`;

  it.each([
    ["skip", { exitCode: 0 }, ["1.1#1", "1.1~1#1", "1.1~2#1", "1.2#1"], done],
    ["skip-task", { exitCode: 3 }, ["1.1#1", "1.1~1#1", "1.2#1"], shopPlan.replace("[ ] 1.2", "[x] 1.2")],
  ])("takes %s at the gate about a part, as the printed line says", async (decision, end, made, plan) => {
    const project = shop(partly, answering(parts, "ESCALATE: one rate | Which rate is to be used?"));
    const { err } = await run(project, ...repairing);
    expect(err).toMatch(/\nLeave 1\.1~1 out: fixpoint resume .*--decision skip\nLeave all of 1\.1 out: .* skip-task\n/);
    expect(await resume(project, "--decision", decision)).toMatchObject(end);
    expect(delegations(project)).toEqual(made);
    expect(read(project.tasks)).toBe(plan);
  });

  it("stops at the gate, which a decision to retry leaves to green", async () => {
    const later = `if [ -e decided ]; then ${priced("net * 1.2")}; else ${priced("net + 1")}; fi`;
    const project = shop(later, answering("ESCALATE: one rate | Which rate is to be used?"));
    const stopped = await run(project, ...repairing);
    expect(stopped).toMatchObject({ exitCode: 3, err: expect.stringContaining("Retry, skip or stop?") });
    expect(stopped.err).toContain("Actual: Verify failed (exit 1): price(10): expected 12, got 11\n");
    expect((await runAgain(project)).err).toBe(`${sameOperator}${stopped.err}`);
    writeFileSync(join(project.workspace, "decided"), "");
    expect(await resume(project, "--decision", "retry")).toMatchObject({ exitCode: 0, err: sameOperator });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.2#1"]);
  });

  it("asks no operator where .planning/config.json has node_repair off", async () => {
    const project = shop(priced("net + 1"), answering("RETRY: multiply by 1.2"));
    mkdirSync(join(project.workspace, ".planning"));
    writeFileSync(join(project.workspace, ".planning/config.json"), '{ "workflow": { "node_repair": false } }');
    expect(await run(project, ...repairing.filter((word) => word !== "--repair"))).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining("Repairs: none\nRetry, skip or stop?"),
    });
    expect(questions(project)).toBe(0);
  });

  it("takes its switch and its budget from .planning/config.json", async () => {
    const project = shop(priced("net + 1"), answering("RETRY: once more", "RETRY: and again"));
    mkdirSync(join(project.workspace, ".planning"));
    writeFileSync(
      join(project.workspace, ".planning/config.json"),
      '{ "workflow": { "node_repair": true, "node_repair_budget": 1 } }',
    );
    expect((await run(project, "--operator-exec", "./operator.sh")).exitCode).toBe(3);
    expect(questions(project)).toBe(1);
    expect(summaryOf(project)).toContain("[Node Repair - RETRY] Task 1.1: 1 attempts exhausted - escalated to user");
  });
});
