import { describe, expect, it } from "vitest";
import { findVerifyProblems } from "../../../src/markdown/lint/find-verify-problems.ts";
import { readPlan } from "../../../src/markdown/read-plan.ts";

const check = (title: string, verify: string) =>
  findVerifyProblems(readPlan(`- [ ] 1.1 One\n- [ ] ${title}\n  - **Verify**: ${verify}\n`).tasks);

describe("findVerifyProblems", () => {
  it("says why a Verify is not run", () => {
    expect(check("1.2 Two", "`npm test` passes")).toMatchObject([
      {
        rule: "unrunnable-verify",
        line: 2,
        message: "The Verify of task `1.2` is not run: other text stands beside its code: passes",
        hint: "Write one command in a code span or a fence, and what to expect under Done when.",
      },
    ]);
  });

  it.each([
    ["`true`", "`true` always exits with 0"],
    ["`npm test || true`", "`true` after `||` always exits with 0"],
    ["`npm test | tail -5`", "`tail -5` after `|` always exits with 0"],
    ["`# look at it`", "it has no command"],
    [`\`echo ${"x".repeat(55)}\``, `\`echo ${"x".repeat(55)}\` always exits with 0`],
    [`\`echo ${"x".repeat(80)}\``, `\`echo ${"x".repeat(54)}…\` always exits with 0`],
  ])("says why %s proves nothing", (verify, reason) => {
    expect(check("1.2 Two", verify)).toMatchObject([
      {
        rule: "vacuous-verify",
        line: 2,
        message: `The Verify of task \`1.2\` passes whatever the task did: ${reason}`,
      },
    ]);
  });

  it("advises to leave out a last command of a pipe, and else to write one that can fail", () => {
    expect(check("1.2 Two", "`npm test | tail -5`")).toMatchObject([
      { hint: "Remove the part after the last `|`: only the exit code of the last command counts." },
    ]);
    const canFail = { hint: "Write a command that fails as long as the task is not done." };
    expect(check("1.2 Two", "`npm test || true`")).toMatchObject([canFail]);
    expect(check("1.2 Two", "`true`")).toMatchObject([canFail]);
  });

  it("finds a failing test that has to pass", () => {
    expect(check("1.2 [RED] Two", "`npm test`")).toMatchObject([
      {
        rule: "red-verify",
        line: 2,
        message:
          "The Verify of task `1.2` exits with 0 only if its tests pass, but a task marked [RED] writes one that fails",
        hint: "Turn it round, as in `! npm test`, or look for the failure: `npm test 2>&1 | grep -q FAIL && echo RED_PASS`.",
      },
    ]);
    expect(check("1.2 [GREEN] Two", "`npm test`")).toEqual([]);
    expect(check("1.2 [RED] Two", "`! npm test`")).toEqual([]);
  });

  it("has nothing to say about fix tasks, whose Verify is their original's", () => {
    expect(check("1.1.1 [FIX 1.1] Two", "`echo 'Verify manually'`")).toEqual([]);
  });
});
