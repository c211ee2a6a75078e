import { describe, expect, it } from "vitest";
import type { PolicyInput } from "../../../src/model/policy.ts";
import type { CommandResult } from "../../../src/ports/shell.ts";
import { failedReply, scriptedExecutor, scriptedShell } from "../../../src/testing/scripted-ports.ts";
import { continueRun, newRun } from "../../support/memory-run.ts";
import { escalation, eventsOf } from "../fixtures/form-spec.ts";

const plan = "- [ ] 1.1 Build it\n";
const checked = `${plan}  - **Verify**: \`npm test\`\n`;

interface Given {
  readonly said?: readonly string[];
  /** One hash before each attempt, and one after each failed attempt. */
  readonly files?: readonly string[];
  readonly verify?: readonly Partial<CommandResult>[];
  readonly policy?: PolicyInput;
}

async function decisions({ said = [], files, verify = [], policy }: Given): Promise<string[]> {
  const made = newRun(verify.length > 0 ? checked : plan);
  const looks = [...(files ?? [])];
  await continueRun(made, scriptedExecutor({ "1.1": said }), {
    // Limits are high, so only a stuck task climbs the ladder.
    policy: { ...escalation, maxTaskIterations: 50, maxTotalAttempts: 50, ...policy },
    shell: scriptedShell({ "npm test": verify }),
    ...(files !== undefined && { ports: { fileState: async () => looks.shift() ?? "last" } }),
  });
  return eventsOf(made, "task.decided").map(({ decision, stuck }) => `${decision} ${stuck ?? "-"}`);
}

const failed = (error: string, fix?: string): string => failedReply("1.1", error, fix);
const different = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => failed(`error ${"abcdefgh"[index]}`, `way ${"abcdefgh"[index]}`));
const exit = (stderr: string): Partial<CommandResult> => ({ exitCode: 1, stderr });
const times = (decision: string, count: number): string[] => Array.from({ length: count }, () => decision);
const retries = (count: number): string[] => times("retry -", count);
const fixes = (count: number): string[] => times("fix -", count);
const fixing = ["fix" as const, "pivot" as const, "research" as const, "checkpoint" as const];

describe("each sign of being stuck, in a run of its own", () => {
  it("is absent while errors, fixes and files differ", async () => {
    const files = ["a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f", "g", "g", "h"];
    expect(await decisions({ said: different(6), files })).toEqual(retries(6));
  });

  it("is the same error 4 times in a row, whatever its line numbers and times", async () => {
    const said = ["12", "70", "9", "31"].map((line, index) =>
      failed(`src/form.ts:${line}:1 Too many re-renders after ${index + 3} ms`, `way ${index}`),
    );
    expect(await decisions({ said })).toEqual([...retries(3), "pivot same-error"]);
  });

  it("is the same error as many times as the policy says", async () => {
    const said = ["a", "a", "a"].map((error, index) => failed(error, `way ${index}`));
    expect(await decisions({ said, policy: { stuckAfterSameErrors: 3 } })).toEqual([...retries(2), "pivot same-error"]);
  });

  it("is not the same error 4 times with another in between", async () => {
    const said = [..."aaabaaa"].map((error, index) => failed(error, `way ${index}`));
    expect(await decisions({ said })).toEqual(retries(7));
  });

  it("is the same build error, found by Verify after claims of completion", async () => {
    const verify = Array.from({ length: 4 }, () => exit("error TS2304\n"));
    expect(await decisions({ verify })).toEqual([...retries(3), "pivot same-error"]);
  });

  it("is a test that still fails after 4 fix tasks were done", async () => {
    // Each fix passes, but then the task fails with another error.
    const verify = [..."abcde"].flatMap((error) => [exit(`${error} failing\n`), {}]);
    expect(await decisions({ verify, policy: { recovery: fixing } })).toEqual([...fixes(4), "pivot -"]);
  });

  it("is a test that fails in the same way in the task and in 3 fixes of it", async () => {
    const verify = Array.from({ length: 4 }, () => exit("2 failing\n"));
    expect(await decisions({ verify, policy: { recovery: fixing } })).toEqual([...fixes(3), "pivot same-error"]);
  });

  it("is 4 attempts without a new minimum of failed tests, whatever the failures", async () => {
    const verify = [3, 4, 3, 5].map((count) => exit(`${count} failing\n`));
    expect(await decisions({ verify })).toEqual([...retries(3), "pivot no-progress"]);
  });

  it("is absent after a new minimum of failed tests", async () => {
    const verify = [9, 9, 9, 8, 8, 8, 7].map((count) => exit(`${count} failing\n`));
    expect(await decisions({ verify })).toEqual(retries(7));
  });

  it("is 5 attempts without a changed file", async () => {
    const files = Array.from({ length: 12 }, () => "same");
    expect(await decisions({ said: different(5), files })).toEqual([...retries(4), "pivot no-change"]);
  });

  it("restarts the count of attempts without a changed file at a change", async () => {
    const files = ["a", "a", "a", "a", "a", "a", "a", "b", "b", "b", "b", "b", "b", "b", "b", "b"];
    expect(await decisions({ said: different(8), files })).toEqual(retries(8));
  });

  it("is code that is written and deleted again", async () => {
    const files = ["before", "with it", "with it", "without it", "without it", "with it"];
    expect(await decisions({ said: different(3), files })).toEqual(["retry -", "retry -", "pivot state-again"]);
  });

  it("is a fix that was tried before, even between two others", async () => {
    const said = [failed("a", "Mocked the clock"), failed("b", "Raised the limit"), failed("c", "mocked the clock!")];
    expect(await decisions({ said })).toEqual(["retry -", "retry -", "pivot strategy-again"]);
  });

  it.each([
    "I don't know how to make these tests pass.",
    "I'm not sure what's causing the failure.",
    "I've tried everything I can think of.",
  ])("is the admission: %s", async (admission) => {
    expect(await decisions({ said: [`${admission}\n\n${failed("a")}`] })).toEqual(["pivot admission"]);
  });

  it("is no admission in code or in a quote", async () => {
    const said = [`> I don't know how to\n\n\`I'm not sure what's causing\`\n\n${failed("a")}`];
    expect(await decisions({ said })).toEqual(["retry -"]);
  });

  it("is not searched for if it has no effect", async () => {
    const said = ["a", "a", "a", "a"].map((error) => failed(error));
    const alone = { recovery: ["retry" as const] };
    expect(await decisions({ said, policy: alone })).toEqual(retries(4));
  });
});
