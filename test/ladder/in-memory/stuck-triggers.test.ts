import { describe, expect, it } from "vitest";
import type { PolicyInput } from "../../../src/model/policy.ts";
import type { CommandResult } from "../../../src/ports.ts";
import { failedReply, scriptedExecutor } from "../../../src/testing/scripted-executor.ts";
import { scriptedShell } from "../../../src/testing/scripted-shell.ts";
import { goOn, newRun } from "../../support/memory-run.ts";
import { escalation, eventsOf } from "../fixtures/form-spec.ts";

const plan = "- [ ] 1.1 Build it\n  - **Verify**: `npm test`\n";

interface Given {
  /** What the executor says; then it completes. */
  readonly said?: readonly string[];
  /** State of the files at each look: before an attempt, and behind it when it has failed. */
  readonly files?: readonly string[];
  /** What Verify ends with; then it passes. */
  readonly verify?: readonly Partial<CommandResult>[];
  readonly policy?: PolicyInput;
}

/** How the task is gone on with after each failure: the remedy, and why it counts as stuck. */
async function decisions({ said = [], files, verify = [], policy }: Given): Promise<string[]> {
  const made = newRun(plan);
  const looks = [...(files ?? [])];
  await goOn(made, scriptedExecutor({ "1.1": said }), {
    // Far above what these runs need, so that being stuck is the one reason to climb.
    policy: { ...escalation, maxTaskIterations: 50, maxTotalAttempts: 50, ...policy },
    shell: scriptedShell({ "npm test": verify }),
    ...(files !== undefined && { ports: { fileState: async () => looks.shift() ?? "last" } }),
  });
  return eventsOf(made, "task.decided").map(({ decision, stuck }) => `${decision} ${stuck ?? "-"}`);
}

const failed = (error: string, fix?: string): string => failedReply("1.1", error, fix);
/** Failures that have nothing in common but what a test gives them. */
const different = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => failed(`error ${"abcdefgh"[index]}`, `way ${"abcdefgh"[index]}`));
const exit = (stderr: string): Partial<CommandResult> => ({ exitCode: 1, stderr });

describe("each sign of being stuck, in a run of its own", () => {
  it("is none while errors, fixes and files differ", async () => {
    const files = ["a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f", "g", "g", "h"];
    expect(await decisions({ said: different(6), files })).toEqual(Array.from({ length: 6 }, () => "retry -"));
  });

  it("is the same error 3 times in a row, whatever its line numbers and times", async () => {
    const said = ["12", "70", "9"].map((line, index) =>
      failed(`src/form.ts:${line}:1 Too many re-renders after ${index + 3} ms`, `way ${index}`),
    );
    expect(await decisions({ said })).toEqual(["retry -", "retry -", "pivot same-error"]);
  });

  it("is not the same error 3 times with another between them", async () => {
    const said = ["a", "a", "b", "a", "a"].map((error, index) => failed(error, `way ${index}`));
    expect(await decisions({ said })).toEqual(Array.from({ length: 5 }, () => "retry -"));
  });

  it("is the same build error, found by Verify behind claims to be done", async () => {
    const verify = [exit("error TS2304\n"), exit("error TS2304\n"), exit("error TS2304\n")];
    expect(await decisions({ verify })).toEqual(["retry -", "retry -", "pivot same-error"]);
  });

  it("is a test that still fails after 3 fix tasks were done", async () => {
    // Each fix makes its own error go away, and the task meets another.
    const verify = ["a", "x", "b", "y", "c", "z", "d"].map((error) => exit(`${error} failing\n`));
    const recovery = ["fix" as const, "pivot" as const, "research" as const, "checkpoint" as const];
    expect(await decisions({ verify, policy: { recovery } })).toEqual(["fix -", "fix -", "fix -", "pivot -"]);
  });

  it("is a test that fails just the same in the task, its fix and the fix of that", async () => {
    const verify = [exit("2 failing\n"), exit("2 failing\n"), exit("2 failing\n")];
    const recovery = ["fix" as const, "pivot" as const, "research" as const, "checkpoint" as const];
    expect(await decisions({ verify, policy: { recovery } })).toEqual(["fix -", "fix -", "pivot same-error"]);
  });

  it("is 5 attempts without a changed file", async () => {
    const files = Array.from({ length: 12 }, () => "same");
    expect(await decisions({ said: different(5), files })).toEqual([
      ...Array.from({ length: 4 }, () => "retry -"),
      "pivot no-change",
    ]);
  });

  it("begins to count attempts without a changed file anew at a change", async () => {
    const files = ["a", "a", "a", "a", "a", "a", "a", "b", "b", "b", "b", "b", "b", "b", "b", "b"];
    expect(await decisions({ said: different(8), files })).toEqual(Array.from({ length: 8 }, () => "retry -"));
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

  it("is no admission that stands in code or in a quote", async () => {
    const said = [`> I don't know how to\n\n\`I'm not sure what's causing\`\n\n${failed("a")}`];
    expect(await decisions({ said })).toEqual(["retry -"]);
  });

  it("is not looked for where nothing is to be done about it", async () => {
    const said = ["a", "a", "a", "a"].map((error) => failed(error));
    const alone = { recovery: ["retry" as const] };
    expect(await decisions({ said, policy: alone })).toEqual(Array.from({ length: 4 }, () => "retry -"));
  });
});
