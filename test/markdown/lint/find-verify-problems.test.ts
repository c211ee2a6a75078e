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
      },
    ]);
  });

  it.each([
    ["`true`", "`true` always exits with 0"],
    ["`npm test || true`", "`true` behind `||` always exits with 0"],
    ["`npm test | tail -5`", "`tail -5` behind `|` always exits with 0"],
    ["`# look at it`", "it has no command"],
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

  it("finds a failing test that has to pass", () => {
    expect(check("1.2 [RED] Two", "`npm test`")).toMatchObject([{ rule: "red-verify", line: 2 }]);
    expect(check("1.2 [GREEN] Two", "`npm test`")).toEqual([]);
    expect(check("1.2 [RED] Two", "`! npm test`")).toEqual([]);
  });

  it("has nothing to say about fix tasks, whose Verify is their original's", () => {
    expect(check("1.1.1 [FIX 1.1] Two", "`echo 'Verify manually'`")).toEqual([]);
  });
});
