import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkVerify } from "../../../../src/hosts/node/doctor/check-verify.ts";
import { readPlan } from "../../../../src/markdown/document/plan-document.ts";
import { temporaryFolder, writeScript } from "../../../support/folder.ts";

const task = (title: string, verify: string): string => `- [ ] ${title}\n  - **Verify**: ${verify}\n`;

async function check(plan: string, folder = temporaryFolder()): Promise<string[]> {
  const found = await checkVerify(readPlan(plan).tasks, folder, new AbortController().signal);
  return found.map(({ rule, line, message }) => `${line} ${rule}: ${message}`);
}

describe("checkVerify", () => {
  it("reports nothing for executable commands", async () => {
    expect(
      await check(
        task("1.1 A", "`test -f a && echo ok`") +
          task("1.2 B", "test -f a") +
          task("1.3 C", "`for a in b; do echo $a; done`"),
      ),
    ).toEqual([]);
  });

  it("reports the missing program", async () => {
    expect(await check(task("1.1 A", "`cd app && no-such-tool --all`") + task("1.2 B", "All well"))).toEqual([
      "1 broken-verify: The Verify of task `1.1` cannot work here: there is no program `no-such-tool`",
      "3 unrunnable-verify: The Verify of task `1.2` is not run: it reads like a sentence, not a command",
    ]);
  });

  it("reports a command that is too long for a shell", async () => {
    const [fits, tooLong] = [`echo ${"x".repeat(131_066)}`, `echo ${"ü".repeat(65_534)}`];
    expect(await check(task("1.1 A", `\`${fits}\``) + task("1.2 B", `\`${tooLong}\``))).toEqual([
      "3 broken-verify: The Verify of task `1.2` cannot work here: it has 131073 bytes, and a shell accepts at most 131071",
    ]);
  });

  it("reports syntax errors of the shell, and executes nothing", async () => {
    const folder = temporaryFolder();
    const [found = "", ...others] = await check(
      task("1.1 A", "`touch made; echo 'a`") + task("1.2 B", "`touch made`"),
      folder,
    );
    expect(found).toMatch(
      /^1 broken-verify: The Verify of task `1\.1` cannot work here: the shell cannot parse it: \S/,
    );
    expect(found).not.toMatch(/: sh: |: \d+: /);
    expect(others).toEqual([]);
    expect(existsSync(join(folder, "made"))).toBe(false);
  });

  it("ignores programs of the workspace, which tasks may create", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "bin"));
    writeScript(join(folder, "bin"), "here", "exit 0");
    expect(
      await check(task("1.1 A", "`bin/here`") + task("1.2 B", "bin/there") + task("1.3 C", "`bin/there`"), folder),
    ).toEqual([]);
  });

  it("ignores done tasks, fix tasks and tasks without a command", async () => {
    const broken = "`no-such-tool`";
    expect(
      await check(
        task("1.1 A", broken).replace("[ ]", "[x]") +
          task("1.1.1 [FIX 1.1] B", broken) +
          task("1.2 C", `${broken} passes on CI`),
      ),
    ).toEqual([]);
  });

  it("checks all of many tasks", async () => {
    const plan = Array.from({ length: 20 }, (_, index) => task(`1.${index + 1} A`, "`no-such-tool`")).join("");
    expect(await check(plan)).toHaveLength(20);
  });

  it("refuses a missing workspace", async () => {
    await expect(check(task("1.1 A", "`true`"), "/nowhere/at/all")).rejects.toMatchObject({
      code: "command-not-started",
    });
  });
});
