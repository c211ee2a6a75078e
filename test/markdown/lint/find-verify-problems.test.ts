import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { findVerifyProblems, proseVerify } from "../../../src/markdown/lint/find-verify-problems.ts";

const check = (title: string, verify: string) =>
  findVerifyProblems(readPlan(`- [ ] 1.1 One\n- [ ] ${title}\n  - **Verify**: ${verify}\n`).tasks);

describe("findVerifyProblems", () => {
  it("explains why a Verify is not run", () => {
    expect(check("1.2 Two", "`npm test` passes on CI")).toMatchObject([
      {
        rule: "unrunnable-verify",
        line: 2,
        message: "The Verify of task `1.2` is not run: there is text outside of its code: passes on CI",
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
  ])("explains why %s proves nothing", (verify, reason) => {
    expect(check("1.2 Two", verify)).toMatchObject([
      {
        rule: "vacuous-verify",
        line: 2,
        message: `The Verify of task \`1.2\` passes whatever the task did: ${reason}`,
      },
    ]);
  });

  it("advises to remove the last command of a pipe, or to write one that can fail", () => {
    expect(check("1.2 Two", "`npm test | tail -5`")).toMatchObject([
      { hint: "Remove the part after the last `|`: only the exit code of the last command counts." },
    ]);
    const canFail = { hint: "Write a command that fails until the task is done." };
    expect(check("1.2 Two", "`npm test || true`")).toMatchObject([canFail]);
    expect(check("1.2 Two", "`true`")).toMatchObject([canFail]);
  });

  it.each([
    ["`cd . && npm test 2>&1 | tail -5`", "vacuous-verify", "only the exit code of `tail -5` counts"],
    ["`make test passes`", "prose-verify", "is a sentence, not a command: `make test passes`"],
    ["npm test passes", "prose-verify", "is a sentence, not a command: `npm test passes`"],
    ["`$ npm test`", "prose-verify", "is preceded by a terminal prompt: `$ npm test`"],
    ["`npx vitest`", "endless-verify", "does not end by itself: `npx vitest`"],
    ["`grep -q Two src`", "inverted-verify", "passes when `grep -q Two src` finds something"],
  ])("reports the problem with %s", (verify, rule, message) => {
    const [problem] = check("1.2 Remove Two", verify);
    expect(problem).toMatchObject({ rule, message: expect.stringContaining(message) });
  });

  it("does not read text next to code as a sentence that would be run", () => {
    expect(proseVerify({ id: "1.1", line: 1, fields: { verify: "`npm test` passes on CI" } })).toBeNull();
  });

  it("names the command that may be intended", () => {
    expect(check("1.2 Two", "make test passes")).toMatchObject([
      { hint: "Write the command alone, in a code span: `make test`" },
    ]);
    expect(check("1.2 Two", "make sure the page loads")).toMatchObject([
      { hint: "Write a command in a code span, and move the sentence to `Done when`." },
    ]);
    expect(check("1.2 Remove Two", "`grep -q Two src`")).toMatchObject([{ hint: "Negate it: `! grep -q Two src`" }]);
  });

  it("finds a failing test that is expected to pass", () => {
    expect(check("1.2 [RED] Two", "`npm test`")).toMatchObject([
      {
        rule: "red-verify",
        line: 2,
        message:
          "The Verify of task `1.2` exits with 0 only if its tests pass, but a task marked [RED] writes one that fails",
        hint: "Negate it, as in `! npm test`, or look for the failure: `npm test 2>&1 | grep -q FAIL && echo RED_PASS`.",
      },
    ]);
    expect(check("1.2 [GREEN] Two", "`npm test`")).toEqual([]);
    expect(check("1.2 [RED] Two", "`! npm test`")).toEqual([]);
  });

  it("reports nothing for fix tasks, which have the Verify of their original", () => {
    expect(check("1.1.1 [FIX 1.1] Two", "`echo 'Verify manually'`")).toEqual([]);
  });
});
