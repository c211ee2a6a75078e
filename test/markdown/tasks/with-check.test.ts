import { describe, expect, it } from "vitest";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { isCheckedLater, readVerify, withCheck, writeCommand } from "../../../src/markdown/tasks/read-verify.ts";

const taskOf = (line: string) => openPlan(`${line}\n`).plan.tasks[0] as Parameters<typeof withCheck>[0];
const verifyOf = (line: string, command: string | null): string | undefined =>
  withCheck(taskOf(line), command === null ? null : { command, every: "task" }).fields.verify;

describe("withCheck", () => {
  it.each([
    ["- [ ] 1.1 Work", "npm test", "`npm test`"],
    ["- [ ] 1.1 Work", null, undefined],
    ["- [ ] 1.1 Work\n  - **Verify**: `true`", "npm test", "`true`"],
    ["- [ ] 1.1 Work\n  - **Verify**: by hand", "npm test", "by hand"],
    ["- [ ] 1.1.1 [FIX 1.1] Fix: it", "npm test", undefined],
    ["- [ ] VF [VERIFY] Goal verification", "npm test", undefined],
    ["- [ ] 1.2 [VERIFY] Quality", "npm test", "`npm test`"],
  ])("gives %j the check %j as %j", (line, check, verify) => {
    expect(verifyOf(line, check)).toBe(verify);
  });
});

describe("isCheckedLater", () => {
  it.each([
    ["- [ ] 1.1 Work", "phase", true],
    ["- [ ] 1.1 Work", "end", true],
    ["- [ ] 1.1 Work", "task", false],
    ["- [ ] 1.1 Work\n  - **Verify**: `true`", "end", false],
    ["- [ ] 1.1.1 [FIX 1.1] Fix: it", "end", false],
    ["- [ ] 1 Group\n  - [ ] 1.1 Work", "end", false],
  ] as const)("of %j by a check for each %s is %j", (line, every, later) => {
    expect(isCheckedLater(taskOf(line), { command: "npm test", every })).toBe(later);
    expect(isCheckedLater(taskOf(line), null)).toBe(false);
    if (later) expect(withCheck(taskOf(line), { command: "npm test", every })).toEqual(taskOf(line));
  });
});

describe("writeCommand", () => {
  it.each(["npm test", "echo `date`", "echo ``a`` `b`", "cd a\nmake ```x```", "a && b"])(
    "reads back as %j",
    (command) => {
      expect(readVerify(writeCommand(command))).toMatchObject({ kind: "command", command });
    },
  );
});
