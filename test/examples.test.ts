import { format } from "node:util";
import { describe, expect, it, vi } from "vitest";

async function printed(example: string): Promise<string[]> {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  try {
    await import(`../examples/${example}/run.ts`);
    return log.mock.calls.flatMap((words) => format(...words).split("\n"));
  } finally {
    log.mockRestore();
  }
}

describe("the examples", () => {
  it("run a plan with a program as executor", async () => {
    expect(await printed("01-minimal-run")).toEqual([
      "run.started",
      "task.delegated 1.1",
      "task.passed 1.1",
      "task.delegated 1.2",
      "task.passed 1.2",
      "check.started 1.1",
      "run.ended",
      "",
      "complete after 2 attempts",
      "",
      "# Greetings",
      "",
      "- [x] 1.1 Greet the world",
      "  - **Verify**: `grep -q 1.1 done.txt`",
      "- [x] 1.2 Greet the moon",
      "  - **Verify**: `grep -q 1.2 done.txt`",
      "",
    ]);
  });

  it("recover a task whose executor claimed too much", async () => {
    const lines = await printed("02-own-executor");
    expect(lines.slice(0, 6)).toEqual([
      "failed 1.1: Verify failed (exit 1): expected 42, got 41",
      "fix 1.1.1 inserted below 1.1",
      "passed 1.1.1",
      "passed 1.1",
      "",
      "complete: 1 task, 1 fix",
    ]);
    expect(lines).toContain("- [x] 1.1.1 [FIX 1.1] Fix: expected 42, got 41");
  });

  it("drive the task machine as an actor and watch it", async () => {
    const lines = await printed("03-native-actor");
    expect(lines.filter((line) => !line.endsWith(" checkingLimit")).slice(0, 13)).toEqual([
      "1.1 delegating",
      "1.1 verifying",
      "1.1 parsing",
      "1.1 insertingFix",
      "-> 1.1.1 repairs 1.1 (at most 4 fixes)",
      "1.1.1 delegating",
      "1.1.1 verifying",
      "1.1.1 recordingPass",
      "1.1 delegating",
      "1.1 recordingPass",
      "1.1 passed",
      "",
      "passed",
    ]);
    expect(lines).toContain("- [x] 1.1.1 [FIX 1.1] Fix: File not found: src/parser.ts");
  });

  it("run the task machine in a workflow whose process dies", async () => {
    expect(await printed("07-durable-workflow")).toEqual([
      ...["begun with 0 steps in memory", "  1.3#1/delegate", "  1.3#1/verify", "  1.3#1/readFailure"],
      // Step 3 ran but its result was not stored, so only step 3 is repeated.
      ...[
        "the process dies, after 3 steps",
        "begun with 3 steps in memory",
        "  1.3#1/readFailure",
        "  1.3#1/insertFix",
      ],
      ...["  1.3.1#1/delegate", "  1.3.1#1/verify", "the process dies, after 7 steps", "begun with 7 steps in memory"],
      ...["  1.3.1#1/verify", "  1.3.1#1/recordPass", "  1.3#2/delegate", "  1.3#2/verify", "  1.3#2/recordPass"],
      '{"kind":"passed","root":"1.3","current":"1.3","end":null}',
    ]);
  });

  it("step through the task machine with only JSON in between", async () => {
    expect(await printed("04-stepwise")).toEqual([
      "1.3#1/delegate      delegate is answered with replied",
      "1.3#1/verify        verify is answered with failed",
      "1.3#1/readFailure   readFailure is answered with task",
      "  task.failed",
      "  task.decided",
      "1.3#1/insertFix     insertFix is answered with inserted",
      "  fix.inserted",
      "1.3.1#1/delegate    delegate is answered with replied",
      "1.3.1#1/verify      verify is answered with accepted",
      "1.3.1#1/recordPass  recordPass is answered with recorded",
      "  task.passed",
      "1.3#2/delegate      delegate is answered with replied",
      "1.3#2/verify        verify is answered with accepted",
      "1.3#2/recordPass    recordPass is answered with recorded",
      "  task.passed",
      "",
      '{"kind":"passed","root":"1.3","current":"1.3","end":null}',
    ]);
  });

  it("edit a plan without a run", async () => {
    expect(await printed("05-plan-editor")).toEqual([
      "openspec: 1.1 done, 1.2, 1.3",
      "a person changed the title of 1.3",
      "",
      "## 1. Parser",
      "",
      "- [x] 1.1 Read the fields",
      "- [ ] 1.2 Write `parseFailure`",
      "- [x] 1.2.1 [FIX 1.2] Fix: TypeError: x is undefined - \\[x\\] 1.3 Export it",
      "  - **Do**: Address the error: TypeError: x is undefined - \\[x\\] 1.3 Export it",
      "    1. Analyze the failure: None",
      "    2. Review related code in Files list",
      "    3. Implement fix for: TypeError: x is undefined - \\[x\\] 1.3 Export it",
      "  - **Files**: src/parse-failure.ts",
      '  - **Done when**: Error "TypeError: x is undefined - \\[x\\] 1.3 Export it" no longer occurs',
      "  - **Verify**: npm test",
      "  - **Commit**: `fix(parser): address type from task 1.2`",
      "- [ ] 1.3 Export it from the door",
      "- [ ] 1.4 Name the door",
      "  - **Verify**: `npm test`",
      "",
    ]);
  });

  it("climb while an orchestrator is stuck, and return with the advice of a person", async () => {
    expect(await printed("06-escalation")).toEqual([
      "memoize the list failed: normal, sign: none",
      "  the next prompt begins with PIVOT ACTIVATED (Attempt 1/1)",
      "Memoize the list! failed: pivoting, sign: strategy-again",
      "  the next prompt begins with RESEARCH MODE ACTIVATED (Attempt 1/1)",
      "move the state up failed: researching, sign: none",
      "a store of its own failed: checkpoint, sign: same-error",
      "",
      "a person is needed: true",
      "with guidance: normal",
      "found out meanwhile: the effect sets what it depends on",
    ]);
  });
});
