import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealLine } from "../../../src/adapters/journal/journal-line.ts";
import type { TimedRunRecord } from "../../../src/model/record.ts";
import { git } from "../../coordinator/fixtures/source-project.ts";
import { resume, run, runAgain } from "../../support/cli-here.ts";
import { copyOf, type Project, projectWith } from "../../support/project.ts";
import { delegations, eventsIn, journalPath, read, recordsOf } from "../../support/traces.ts";
import { changeMind, priced, promptOf, reportPath, shop, shopPlan } from "../fixtures/shop.ts";

/** Adds 1 until it is told to do otherwise, then a number of its own; it is right once it knows how much tax there is. */
const clueless = `case "$prompt" in
*"Guidance from the owner"*"20 percent"*) ${priced("net * 1.2")};;
*"RESEARCH MODE ACTIVATED"*) echo "Found: rates are in tax table $FIXPOINT_ATTEMPT"; echo "Trying: table $FIXPOINT_ATTEMPT"; ${priced("net * 100 + $FIXPOINT_ATTEMPT")};;
*"PIVOT ACTIVATED"*) echo "Trying: factor $FIXPOINT_ATTEMPT"; ${priced("net * 10 + $FIXPOINT_ATTEMPT")};;
*) ${priced("net + 1")};;
esac`;

/** In an executor: fail with an error and an attempted fix of its own at each attempt. */
const brokeAnew =
  'way=$(echo abcdefgh | cut -c $FIXPOINT_ATTEMPT); broke "way $way" | sed "s/fix: none/fix: mend $way/"';

/** A shop at its checkpoint. */
async function stuckShop() {
  const project = shop(clueless);
  return { project, end: await run(project, "--escalation", "--stuck-after-same-errors", "3") };
}
const stuck = stuckShop();

/** A shop at its checkpoint, of which a later start was refused something before it could put the question again. */
async function refusedShop(): Promise<Project> {
  const project = copyOf((await stuck).project);
  const records = recordsOf(project);
  const { n, at, ...last } = records.at(-1) as TimedRunRecord & { n: number; ending: object };
  const ending = { ...last.ending, outcome: "environment", exitCode: 5, error: "no room" };
  appendFileSync(journalPath(project), sealLine({ n: n + 1, at, records: [{ ...last, ending }] }));
  return project;
}

describe.concurrent("an escalation with real programs, files and git", () => {
  it("climbs to a checkpoint by real failures, and ends with its message and exit code 3", async () => {
    const { project, end } = await stuck;
    expect(end).toMatchObject({ exitCode: 3, err: expect.stringContaining("CHECKPOINT - STUCK\n") });
    expect(end.err).toContain(
      "After 9 failed attempts on task 1.1, fixpoint cannot proceed on its own.\n\nAttempts Summary:\n- 3 pivot attempts (different approaches)\n- 3 research attempts (deeper investigation)\n- 3 attempts before these\n\nStuck Report saved to: spec/stuck-report.md\n",
    );
    expect(end.out).not.toContain("ALL_TASKS_COMPLETE");
    expect(delegations(project)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9].map((attempt) => `1.1#${attempt}`));
    expect(read(project.tasks)).toBe(shopPlan);
    expect(git(project, "log", "--oneline").trim().split("\n")).toHaveLength(8);
  });

  it("writes the report from what really happened", async () => {
    const report = read(reportPath((await stuck).project));
    expect(report).toContain("**Phase:** Phase 1: Tax (0/2 tasks done)");
    expect(report).toContain("### Why It's Stuck\n\nIts remedies are used up.\n");
    expect(report).toContain("1. **factor 4** - Verify failed (exit 1): price(10): expected 12, got 104\n");
    expect(report).toContain("### Research Findings\n\n1. rates are in tax table 7\n2. rates are in tax table 8\n");
    expect(report).toContain("Files modified:\n\n- price.mjs\n");
    expect(report).toContain(
      "- Verify: `node price.test.mjs`\n- Exit code: 1\n- Last line: price(10): expected 12, got 1009\n",
    );
    expect(report).toContain("## Full Error Log\n\n```text\nprice(10): expected 12, got 1009\n```\n");
  });

  it.each([
    ["echo I have tried everything I can think of.; broke same", "The executor says that it is at a loss."],
    ["broke same", "It failed with the same error again and again."],
    ["broke other", "Its remedies are used up."],
    // A claim that is not in order is no failure: what led up the ladder was another one.
    ["echo It needs human eyes.; made", "Its remedies are used up."],
  ])("gives the reason why the task is stuck at the end, not why it was at first: %s", async (last, reason) => {
    const project = shop(`case "$prompt" in *"PIVOT ACTIVATED"*) ${last};; *) broke same;; esac`);
    const words = ["--stuck-after-same-errors", "2", "--max-pivot-attempts", "1", "--max-research-attempts", "0"];
    expect((await run(project, "--escalation", ...words)).exitCode).toBe(3);
    expect(read(reportPath(project))).toContain(`### Why It's Stuck\n\n${reason}\n`);
  });

  it("tells a research of pivots apart from what was tried without one, also on another ladder in between", async () => {
    const project = shop('echo "Trying: way $FIXPOINT_ATTEMPT"; broke same');
    const listed = (...ways: number[]): string =>
      ways.map((way) => `❌ Failed Approach: way ${way}\n   Error: "same"\n`).join("");
    const other = copyOf(project);
    const levels = ["--stuck-after-same-errors", "2", "--max-pivot-attempts", "1", "--max-research-attempts", "1"];
    expect((await run(project, "--escalation", ...levels)).exitCode).toBe(3);
    const first = `\n\nFailed so far:\n\`\`\`text\n${listed(1, 2)}\`\`\`\n\nPrevious pivots failed:\n\`\`\`text\n1. way 3 → same\n\`\`\`\n`;
    expect(promptOf(project, "1.1#4")).toContain(first);
    const upTo = (delegations: number): string[] => ["--max-global-iterations", String(delegations)];
    expect((await run(other, "--escalation", ...levels, ...upTo(3))).exitCode).toBe(1);
    expect((await runAgain(other, "--no-escalation", "--recovery-mode", ...upTo(4))).exitCode).toBe(1);
    expect((await runAgain(other, "--no-recovery-mode", "--escalation", ...upTo(9))).exitCode).toBe(3);
    expect(promptOf(other, "1.1#5")).toContain(first.replace(listed(1, 2), listed(1, 2, 4)));
    expect(read(reportPath(other))).toContain("### Pivot Attempts\n\n1. **way 3** - same\n\n###");
  });

  it.each([[["--escalation"]], [["--recovery-mode", "--escalation"]]])(
    "makes all attempts of pivot and research, whatever came before the first pivot: %j",
    async (words) => {
      // The task always fails, each of its fixes once, with an error of its own.
      const fails = 'broke "error $(echo "$FIXPOINT_KEY" | tr "0-9.#" "a-jxy")"';
      const project = projectWith({
        plan: "- [ ] 1.1 First\n  - **Verify**: `true`\n",
        script: `case $FIXPOINT_KEY in 1.1#*|1.1.?#1) ${fails};; *) made;; esac`,
      });
      expect(await run(project, ...words)).toMatchObject({
        exitCode: 3,
        err: expect.stringContaining(
          "- 3 pivot attempts (different approaches)\n- 3 research attempts (deeper investigation)\n",
        ),
      });
    },
  );

  it("tells the checkpoint again when it is run again, and does nothing", async () => {
    const project = copyOf((await stuck).project);
    const { exitCode, err } = await runAgain(project);
    expect({ exitCode, err }).toEqual({ exitCode: 3, err: (await stuck).end.err });
    expect(delegations(project)).toHaveLength(9);
    expect(existsSync(reportPath(project))).toBe(true);
  });

  it("is resumed with guidance to green, and puts the report away", async () => {
    const project = copyOf((await stuck).project);
    const { exitCode, out } = await resume(project, "--guidance", "The tax is 20 percent");
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringMatching(/\n\nALL_TASKS_COMPLETE\n$/) });
    expect(delegations(project).slice(9)).toEqual(["1.1#10", "1.2#1"]);
    expect(promptOf(project, "1.1#10")).toContain("```text\nThe tax is 20 percent\n```");
    expect(existsSync(reportPath(project))).toBe(false);
    expect(read(project.tasks)).toBe(shopPlan.replaceAll("[ ]", "[x]"));
  });

  it("takes the guidance again when there was no room to record it", async () => {
    const project = await refusedShop();
    expect((await resume(project, "--guidance", "The tax is 20 percent")).exitCode).toBe(0);
    expect(promptOf(project, "1.1#10")).toContain("```text\nThe tax is 20 percent\n```");
  });

  it("is resumed without guidance at once when there was no room to record that", async () => {
    const project = await refusedShop();
    changeMind(project, priced("net * 1.2"));
    expect(await resume(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project).slice(9)).toEqual(["1.1#10", "1.2#1"]);
    const asked = await refusedShop();
    expect((await runAgain(asked)).exitCode).toBe(3);
    expect(delegations(asked)).toHaveLength(9);
  });

  it("tells the guidance again after a later stop", async () => {
    const project = copyOf((await stuck).project);
    changeMind(project, priced("net + 1"));
    const words = ["--guidance", "The tax is 20 percent", "--max-global-iterations", "10"];
    expect((await resume(project, ...words)).exitCode).toBe(1);
    changeMind(project, clueless);
    expect((await runAgain(project, "--max-global-iterations", "50")).exitCode).toBe(0);
    expect(delegations(project).slice(9)).toEqual(["1.1#10", "1.1#11", "1.2#1"]);
    expect(promptOf(project, "1.1#11")).toContain("```text\nThe tax is 20 percent\n```");
  });

  it("is resumed without guidance, and begins on the lowest rung again", async () => {
    const project = copyOf((await stuck).project);
    changeMind(
      project,
      `case "$prompt" in *"PIVOT ACTIVATED"*) ${priced("net * 1.2")};; *) ${priced("net + 1")};; esac`,
    );
    expect(await resume(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project).slice(9)).toEqual(["1.1#10", "1.1#11", "1.1#12", "1.1#13", "1.2#1"]);
    expect(promptOf(project, "1.1#10")).not.toContain("Guidance from the owner");
    expect(promptOf(project, "1.1#13")).toContain("PIVOT ACTIVATED (Attempt 1/3)");
  });

  it("goes on with the next task when the task was done and ticked by hand", async () => {
    const project = copyOf((await stuck).project);
    writeFileSync(join(project.workspace, "price.mjs"), "export const price = (net) => net * 1.2;\n");
    writeFileSync(project.tasks, shopPlan.replace("[ ] 1.1", "[x] 1.1"));
    const { exitCode, out } = await runAgain(project);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringContaining("Done before this run or by hand: 1 task\n"),
    });
    expect(delegations(project).slice(9)).toEqual(["1.2#1"]);
    expect(existsSync(reportPath(project))).toBe(false);
  });

  it.each([
    ["no-change", 5, brokeAnew],
    ["state-again", 3, `echo "// $((FIXPOINT_ATTEMPT % 2))" > price.mjs; ${brokeAnew}`],
  ])("sees by the files in git: %s after %i attempts", async (sign, attempts, work) => {
    const project = shop(`case "$prompt" in *"PIVOT ACTIVATED"*) ${priced("net * 1.2")};; *) ${work};; esac`);
    const words = ["--escalation", "--max-task-iterations", "20", "--reporter", "json"];
    const { exitCode, out } = await run(project, ...words);
    expect(exitCode).toBe(0);
    const stuckAfter = eventsIn(out).flatMap((event) => (event.type === "task.decided" ? [event.stuck] : []));
    expect(stuckAfter).toEqual([...Array.from({ length: attempts - 1 }, () => null), sign]);
  });
});
