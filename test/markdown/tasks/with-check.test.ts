import { describe, expect, it } from "vitest";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { readVerify } from "../../../src/markdown/tasks/read-verify.ts";
import { withCheck, writeCommand } from "../../../src/markdown/tasks/with-check.ts";

const verifyOf = (line: string, check: string | null): string | undefined =>
  withCheck(openPlan(`${line}\n`).plan.tasks[0] as Parameters<typeof withCheck>[0], check).fields.verify;

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

describe("writeCommand", () => {
  it.each(["npm test", "echo `date`", "echo ``a`` `b`", "cd a\nmake ```x```", "a && b"])(
    "reads back as %j",
    (command) => {
      expect(readVerify(writeCommand(command))).toMatchObject({ kind: "command", command });
    },
  );
});
