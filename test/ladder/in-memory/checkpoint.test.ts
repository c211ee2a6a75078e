import { describe, expect, it } from "vitest";
import type { PersonAnswer } from "../../../src/ports/ports.ts";
import { scriptedExecutor } from "../../../src/testing/scripted-ports.ts";
import { continueRun, newRun } from "../../support/memory-run.ts";
import { escalation, escalationIn, eventsOf, formPlan, says, toCheckpoint } from "../fixtures/form-spec.ts";

const again = { policy: escalation, asksAgain: true };

function answers(answer: PersonAnswer) {
  const left = [answer];
  return { ...again, ports: { person: async () => left.shift() ?? null } };
}

async function atCheckpoint() {
  const made = newRun(formPlan);
  const stopped = await continueRun(made, scriptedExecutor({ "2.1": toCheckpoint }), { policy: escalation });
  return { made, stopped };
}

describe("a checkpoint", () => {
  it("is repeated by each start without an answer, with no delegation", async () => {
    const { made, stopped } = await atCheckpoint();
    const executor = scriptedExecutor();
    expect(await continueRun(made, executor, again)).toEqual(stopped);
    expect(await continueRun(made, executor, again)).toEqual(stopped);
    expect(executor.delegations).toEqual([]);
  });

  it("says why the last attempt was rejected, also when it is repeated", async () => {
    const made = newRun(formPlan);
    const said = Array.from({ length: 8 }, () => "Made it. TASK_COMPLETE");
    const stopped = await continueRun(made, scriptedExecutor({ "2.1": said }), { policy: escalation });
    expect(stopped?.error).toContain(
      'What\'s Needed:\n- The last attempt at task 2.1 was rejected: your last message has no line TASK_COMPLETE; it ended with "Made it. TASK_COMPLETE". What should the agent do differently?\n',
    );
    expect(await continueRun(made, scriptedExecutor(), again)).toEqual(stopped);
  });

  it("is left with guidance, which the next delegation receives, and the whole ladder is available again", async () => {
    const { made } = await atCheckpoint();
    const executor = scriptedExecutor({ "2.1": [says.useState, says.useReducer] });
    const guidance = "Do the cross-field validation on the server";
    const ended = await continueRun(made, executor, answers({ kind: "guided", text: guidance }));
    expect(ended).toMatchObject({ outcome: "complete", exitCode: 0 });
    const prompts = executor.delegations.map(({ prompt }) => prompt);
    const advice = `Guidance from the owner of this spec, to be followed:\n\`\`\`text\n${guidance}\n\`\`\``;
    expect(prompts.map((prompt) => prompt.includes(advice))).toEqual([true, true, true, false]);
    expect(executor.delegations.map(({ key }) => key)).toEqual(["2.1#8", "2.1#9", "2.1#10", "2.2#1"]);
    expect(eventsOf(made, "level.changed").slice(7)).toMatchObject([
      { level: "pivot", attempt: 1, max: 3 },
      { level: "pivot", attempt: 2, max: 3 },
    ]);
  });

  it("is left without guidance, and what was tried and found is still reported when it is stuck again", async () => {
    const { made } = await atCheckpoint();
    const executor = scriptedExecutor({ "2.1": [says.useState] });
    const ended = await continueRun(made, executor, answers({ kind: "guided", text: "" }));
    expect(ended).toMatchObject({ outcome: "complete" });
    const [first = "", second = ""] = executor.delegations.map(({ prompt }) => prompt);
    expect(first).not.toContain("Guidance from the owner");
    expect(second).toContain("PIVOT ACTIVATED (Attempt 1/3)");
    expect(second).toContain("❌ Failed Approach: Debounce");
    expect(second).toContain("- No async rule is used anywhere");
  });

  it("is reached again after the same number of attempts, with counts since the answer", async () => {
    const { made, stopped } = await atCheckpoint();
    // Makes each approach new, because a repeated approach would also count as stuck.
    const said = toCheckpoint.map((text) => text.replaceAll(/(Trying: |New Approach: |fix: )/g, "$1Once more "));
    const ended = await continueRun(
      made,
      scriptedExecutor({ "2.1": said }),
      answers({ kind: "guided", text: "Go on" }),
    );
    expect(ended?.outcome).toBe("checkpoint");
    const told = stopped?.error ?? "";
    expect(told).toContain("After 7 failed attempts on task 2.1, fixpoint");
    expect(ended?.error).toBe(
      told
        .replace("7 failed attempts on task 2.1", "14 failed attempts on task 2.1 (7 since the last answer)")
        .replace("before these\n", "before these\n- 7 attempts before the last answer\n"),
    );
    expect(ended?.attempts).toBe(14);
    expect(escalationIn(made, "2.1")).toMatchObject({ pivots: 3, researches: 3, failures: 7 });
  });

  it.each([
    ["retry", { outcome: "complete", skipped: [] }],
    ["skip", { outcome: "skipped", exitCode: 3, skipped: ["2.1"] }],
    ["stop", { outcome: "cancelled", exitCode: 3 }],
  ] as const)("also accepts %s as an answer", async (decision, expected) => {
    const { made } = await atCheckpoint();
    expect(await continueRun(made, scriptedExecutor(), answers({ kind: "decided", decision }))).toMatchObject(expected);
  });
});
