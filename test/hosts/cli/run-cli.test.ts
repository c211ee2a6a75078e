import { describe, expect, it } from "vitest";
import type { Terminal } from "../../../src/hosts/cli/cli-command.ts";
import { FixpointError } from "../../../src/model/errors.ts";
import { Policy } from "../../../src/model/policy.ts";
import { renderDuration } from "../../../src/wording/render-time.ts";
import { callCli } from "./call-cli.ts";

const call = (words: readonly string[], look: Partial<Terminal> = {}, folder = "/") => callCli(folder, words, { look });

async function refusal(...words: string[]): Promise<{ code: string; message: string; hint: string | undefined }> {
  const error: unknown = await call(words).catch((cause: unknown) => cause);
  if (!(error instanceof FixpointError)) throw new Error("Expected a refusal");
  return { code: error.code, message: error.message, hint: error.hint };
}

describe("runCli", () => {
  it.each([
    [["--help"]],
    [["run", "--help"]],
    [["resume", "-h"]],
    [["pause", "--help"]],
    [["status", "--help"]],
    [["lint", "--help"]],
    [["diagram", "--help"]],
    [["help", "run"]],
    [["help"]],
  ])("shows an example in the help of %j", async (words) => {
    const { exitCode, out, err } = await call(words);
    expect(out).toMatch(/^Usage: fixpoint .*\n[\s\S]*\nExample:\n {2}\$ fixpoint \w+ /);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
  });

  it("lists its commands", async () => {
    const { out } = await call(["--help"]);
    for (const name of [
      "run [spec]",
      "resume [spec]",
      "pause [spec]",
      "status [spec]",
      "lint [spec]",
      "diagram [machine]",
    ]) {
      expect(out).toContain(`\n  ${name} `);
    }
  });

  it("lists the defaults of the policy in the help of run", async () => {
    const { out } = await call(["run", "--help-all"], { columns: 200 });
    const { maxTaskIterations, maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot, ...rest } = Policy.parse(
      {},
    );
    expect(out).toMatch(new RegExp(`--max-task-iterations <n> .*default: ${maxTaskIterations}\\)`));
    expect(out).toMatch(new RegExp(`--max-fix-tasks <n> .*default: ${maxFixTasksPerOriginal}\\)`));
    expect(out).toMatch(new RegExp(`--max-fix-depth <n> .*default: ${maxFixTaskDepth}\\)`));
    expect(out).toMatch(new RegExp(`--max-fix-total <n> .*default: ${maxFixTasksPerRoot}\\)`));
    expect(out).toMatch(new RegExp(`--task-timeout <duration> .*default: ${renderDuration(rest.taskTimeout)}\\)`));
    expect(out).toMatch(new RegExp(`--verify-timeout <duration> .*default: ${renderDuration(rest.verifyTimeout)}\\)`));
  });

  it("has a short help of run that fits on a screen and points to the help of all options", async () => {
    const { out } = await call(["run", "--help"]);
    expect(out.split("\n").length).toBeLessThan(50);
    const shown = [...out.matchAll(/^ {2}(?:-h, )?--([a-z-]+)/gm)].map(([, name]) => name);
    expect(shown).toEqual([
      ...["executor", "exec", "permissions", "commit", "recovery-mode", "escalation", "max-run-time", "max-cost"],
      ...["verify", "unattended", "pull-request", "yes", "watch", "plan", "help-all", "help"],
    ]);
    const { exitCode, out: all, err } = await call(["run", "demo", "--help-all"], { columns: 200 });
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    const [, count] = /--help-all +show all (\d+) options/.exec(out) ?? [];
    expect([...all.matchAll(/^ {2}--(?!help)/gm)]).toHaveLength(Number(count));
  });

  it("has a single help of a command with few options", async () => {
    expect((await call(["status", "--help"])).out).not.toContain("--help-all");
    await expect(call(["status", "--help-all"])).rejects.toMatchObject({ message: "Unknown option '--help-all'" });
  });

  it("prints its version", async () => {
    expect(await call(["--version"])).toEqual({ exitCode: 0, out: "1.2.3\n", err: "" });
  });

  it("prints the help on standard error if no command is given", async () => {
    const { exitCode, out, err } = await call([]);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: "" });
    expect(err).toContain("Usage: fixpoint <command>");
  });

  it.each([
    [["rnu"], "Unknown command 'rnu'", "Did you mean run?"],
    [["frobnicate"], "Unknown command 'frobnicate'", "See fixpoint --help"],
    [["--versoin"], "Unknown option '--versoin'", "Did you mean --version?"],
    [["run", "--max-fix-task", "3"], "Unknown option '--max-fix-task'", "Did you mean --max-fix-tasks?"],
    [["run", "--exce=x"], "Unknown option '--exce=x'", "Did you mean --exec?"],
    [["puase"], "Unknown command 'puase'", "Did you mean pause?"],
    [["stauts"], "Unknown command 'stauts'", "Did you mean status?"],
    [["run", "--repair-exec", "x"], "Unknown option '--repair-exec'", "See fixpoint run --help"],
    [["resume", "--guidence", "x"], "Unknown option '--guidence'", "Did you mean --guidance?"],
    [["run", "--guidance", "x"], "Unknown option '--guidance'", "See fixpoint run --help"],
    [["run", "--reapir"], "Unknown option '--reapir'", "Did you mean --repair?"],
    [["status", "--jsn"], "Unknown option '--jsn'", "Did you mean --json?"],
    [["run", "--frobnicate"], "Unknown option '--frobnicate'", "See fixpoint run --help"],
    [["run", "--exec"], "Option '--exec <command>' argument missing", "See fixpoint run --help"],
    [
      ["run", "--all", "--yes"],
      "Option '--all <folder>' argument '--yes' is invalid. Expected a value before --yes",
      "See fixpoint run --help",
    ],
    [["run", "a", "b"], "Too many arguments for 'run'. Expected 1 argument but got 2.", "See fixpoint run --help"],
  ])("refuses %j", async (words, message, hint) => {
    expect(await refusal(...words)).toEqual({ code: "bad-usage", message, hint });
  });
});
