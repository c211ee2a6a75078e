import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { cli, launch, runWords } from "../../support/cli.ts";
import { resume, runAgain } from "../../support/cli-here.ts";
import { alive } from "../../support/processes.ts";
import type { Project } from "../../support/project.ts";
import { delegations, read } from "../../support/traces.ts";
import { until } from "../../support/until.ts";
import { changeMind, priced, promptOf, questions, reportPath, shop, shopPlan, summaryOf } from "../fixtures/shop.ts";

const done = shopPlan.replaceAll("[ ]", "[x]");
const atLoss = "echo I have tried everything I can think of.";

/** Sleeps in the middle of an attempt at a level of being stuck, until \`awake\` is there. */
const sleepingAt = (title: string): string => `case "$prompt" in
*"${title}"*) if [ -e awake ]; then ${priced("net * 1.2")}; else touch asleep; sleep 60; fi;;
*) ${atLoss}; ${priced("net + 100 * $FIXPOINT_ATTEMPT")};;
esac`;

/** Start a run and wait until it is asleep there. */
async function asleep(project: Project, ...words: readonly string[]) {
  const launched = launch(project.workspace, runWords(project, "--yes", ...words));
  await until(() => existsSync(join(project.workspace, "asleep")));
  return launched;
}

const awake = (project: Project): void => writeFileSync(join(project.workspace, "awake"), "");

/** A program that runs the spec and leaves the gate's question unanswered until it is interrupted. */
function askingHost({ workspace, spec }: Project) {
  const host = pathToFileURL(resolve(cli, "../../node/index.js")).href;
  const path = join(workspace, "host.mjs");
  writeFileSync(
    path,
    `import { writeFileSync } from "node:fs";
import { runSpec } from ${JSON.stringify(host)};
const controller = new AbortController();
process.once("SIGINT", () => controller.abort());
const decide = (question, signal) => {
  writeFileSync("question.txt", question.text);
  return new Promise((_, reject) => {
    const stay = setInterval(() => {}, 1000);
    signal.addEventListener("abort", () => { clearInterval(stay); reject(signal.reason); });
  });
};
const executors = { executor: "./executor.sh", operator: "./operator.sh" };
const { outcome, exitCode } = await runSpec({ spec: ${JSON.stringify(spec)}, executors, yes: true, decide, policy: { recovery: ["repair"] }, signal: controller.signal });
console.log(outcome, exitCode);
`,
  );
  const child = spawn(process.execPath, [path], { cwd: workspace, stdio: ["ignore", "pipe", "inherit"] });
  return { child, out: text(child.stdout) };
}

const sameOperator = "repair operator: ./operator.sh, as before\n";

describe.concurrent("an interruption in the middle of the ladder", () => {
  it("in a pivot makes that same pivot again, which is not counted twice", async () => {
    const project = shop(sleepingAt("PIVOT ACTIVATED"));
    const { child, end } = await asleep(project, "--escalation");
    child.kill("SIGINT");
    expect((await end).exitCode).toBe(130);
    expect(alive(project)).toEqual([]);
    awake(project);
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.1#2", "1.2#1"]);
    expect(promptOf(project, "1.1#2")).toContain("PIVOT ACTIVATED (Attempt 1/3)");
  });

  it.each([
    ["SIGINT", "as it was", [], false, "1.1#4"],
    ["SIGINT", "with another option", ["--verify-timeout", "9m"], false, "1.1#5"],
    ["SIGINT", "with another text of its task", [], true, "1.1#5"],
    ["SIGKILL", "as it was", [], false, "1.1#4"],
    ["SIGKILL", "with another option", ["--verify-timeout", "9m"], false, "1.1#5"],
    ["SIGKILL", "with another text of its task", [], true, "1.1#5"],
  ] as const)(
    "by %s in the last pivot gives that pivot back to a run that goes on %s",
    async (signal, _, words, isEdited, last) => {
      const project = shop(`case "$prompt" in
*"PIVOT ACTIVATED (Attempt 2/2)"*) [ -e awake ] || { touch asleep; sleep 60; };;
esac; broke same`);
      const once = ["--max-pivot-attempts", "2", "--max-research-attempts", "0", "--max-task-iterations", "9"];
      const { child, end } = await asleep(project, "--escalation", "--stuck-after-same-errors", "2", ...once);
      child.kill(signal);
      await end;
      awake(project);
      if (isEdited) writeFileSync(project.tasks, read(project.tasks).replace("Make price return", "Have price return"));
      let again = await runAgain(project, ...words);
      if (isEdited && signal === "SIGKILL") {
        // What was written while nobody looked may be of the executor that was left: a person accepts it.
        const [, digest = ""] = /plan was changed during the run[\s\S]* --accept (\w+)\n$/.exec(again.err) ?? [];
        expect([again.exitCode, delegations(project)]).toEqual([2, ["1.1#1", "1.1#2", "1.1#3", "1.1#4"]]);
        again = await runAgain(project, "--accept", digest);
      }
      expect(again.exitCode).toBe(3);
      expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.1#3", "1.1#4", last]);
      expect(promptOf(project, last)).toContain("PIVOT ACTIVATED (Attempt 2/2)");
      const report = read(reportPath(project));
      expect(report).toContain("4 failed attempts, with 2 pivots and 0 research attempts among them");
      expect(report).toContain("### Why It's Stuck\n\nIt failed with the same error again and again.\n");
    },
  );

  it("by kill -9 in a research makes that same research again, with what was tried and found before", async () => {
    const project = shop(`case "$prompt" in
*"RESEARCH MODE ACTIVATED (Attempt 2/3)"*) if [ -e awake ]; then ${priced("net * 1.2")}; else touch asleep; sleep 60; fi;;
*"RESEARCH MODE ACTIVATED"*) echo "Found: rates are in rates.csv"; echo "Trying: the table"; ${priced("net + 7")};;
*) ${atLoss}; echo "Trying: way $FIXPOINT_ATTEMPT"; ${priced("net + 100 * $FIXPOINT_ATTEMPT")};;
esac`);
    const { child, end } = await asleep(project, "--escalation", "--max-pivot-attempts", "1");
    child.kill("SIGKILL");
    expect((await end).signal).toBe("SIGKILL");
    awake(project);
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(alive(project)).toEqual([]);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.1#3", "1.1#4", "1.1#4", "1.2#1"]);
    const prompt = promptOf(project, "1.1#4");
    expect(prompt).toContain("RESEARCH MODE ACTIVATED (Attempt 2/3)");
    expect(prompt).toContain(
      '❌ Failed Approach: the table\n   Error: "Verify failed (exit 1): price(10): expected 12, got 17"\n',
    );
    expect(prompt).toContain("- rates are in rates.csv\n");
  });

  it("at the gate leaves the question open, and asks no operator again", async () => {
    const project = shop(priced("net + 1"), "echo 'ESCALATE: one rate | Which rate?'");
    const { child, out } = askingHost(project);
    await until(() => existsSync(join(project.workspace, "question.txt")));
    child.kill("SIGINT");
    expect(await out).toBe("interrupted 130\n");
    expect(read(join(project.workspace, "question.txt"))).toContain("ESCALATE: one rate | Which rate?\nRetry, skip");
    const asked = await resume(project);
    expect(asked).toMatchObject({ exitCode: 3, err: expect.stringContaining("ESCALATE: one rate | Which rate?\n") });
    expect(questions(project)).toBe(1);
    changeMind(project, priced("net * 1.2"));
    expect(await resume(project, "--decision", "retry")).toMatchObject({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toBe(done);
  });

  it("by kill -9 in a retry makes it again with its adjustment, from the budget that is left", async () => {
    const project = shop(
      `case "$prompt" in *"multiply by 1.2"*) if [ -e awake ]; then ${priced("net * 1.2")}; else touch asleep; sleep 60; fi;; *) ${priced("net + 1")};; esac`,
      "echo 'RETRY: multiply by 1.2'",
    );
    const { child, end } = await asleep(project, "--repair", "--operator-exec", "./operator.sh");
    child.kill("SIGKILL");
    await end;
    awake(project);
    expect(await runAgain(project)).toMatchObject({ exitCode: 0, err: sameOperator });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.1#2", "1.2#1"]);
    expect(questions(project)).toBe(1);
    expect(summaryOf(project)).toContain("[Node Repair - RETRY] Task 1.1: multiply by 1.2 - resolved");
  });
});
