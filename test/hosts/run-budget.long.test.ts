import { describe, expect, it } from "vitest";
import { launch, run as runApart } from "../support/cli.ts";
import { run } from "../support/cli-here.ts";
import { projectWith } from "../support/project.ts";
import { delegations, read } from "../support/traces.ts";

const tasks = (count: number): string =>
  Array.from({ length: count }, (_, index) => `- [ ] 1.${index + 1} Task ${index + 1}\n`).join("");
const result = JSON.stringify({
  type: "result",
  subtype: "success",
  is_error: false,
  result: "Done\nTASK_COMPLETE",
  total_cost_usd: 0.4,
  usage: { input_tokens: 900, output_tokens: 100 },
});
const speaksStream = `cat <<'END'\n${result}\nEND`;

describe.concurrent("a run with a budget", () => {
  const runAs = (words: readonly string[]) => {
    const project = projectWith({ plan: tasks(5), script: speaksStream });
    const started = ["run", project.spec, "--executor", "claude", "--exec", "./executor.sh", "--yes", ...words];
    return { project, end: launch(project.workspace, [...started, "--reporter", "plain"]).end };
  };

  it("adds up the costs that the tool reports, and stops before the delegation that would exceed the budget", async () => {
    const { project, end } = runAs(["--max-cost", "1"]);
    const { exitCode, out, err } = await end;
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: expect.stringContaining("ERROR: Maximum cost ($1) reached"),
    });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.3#1"]);
    expect(out).not.toContain("does not report its usage");
    expect(out).toContain("Cost: $1.20");
  });

  it("adds up the tokens that the tool reports", async () => {
    const { project, end } = runAs(["--max-tokens", "2000"]);
    expect((await end).err).toContain("ERROR: Maximum tokens (2000) reached");
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
  });

  it("reports once that a limit cannot be counted without usage data", async () => {
    const project = projectWith({ plan: tasks(3), script: "made" });
    const { exitCode, out } = await run(project, "--max-cost", "1", "--max-tokens", "10");
    expect(exitCode).toBe(0);
    expect(out.match(/does not report its usage/g)).toHaveLength(1);
  });

  it("stops when its working time is spent", async () => {
    const project = projectWith({ plan: tasks(3), script: "sleep 1.1; made" });
    const { exitCode, err } = await run(project, "--max-run-time", "1s");
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: expect.stringContaining("ERROR: Maximum run time (1s) reached"),
    });
    expect(delegations(project)).toEqual(["1.1#1"]);
    expect(read(project.tasks)).toContain("- [x] 1.1");
  });

  it.each([
    ["ended", "sleep 1.1; made", ["1.1#1"]],
    ["was killed", "[ $id = 1.1 ] || kill -9 $PPID; sleep 1.1; made", ["1.1#1", "1.2#1"]],
  ])("counts the working time of a start that %s", async (_, script, begun) => {
    const project = projectWith({ plan: tasks(3), script });
    const limit = begun.length;
    await runApart(project, "--max-global-iterations", String(limit));
    const { exitCode, err } = await run(project, "--max-global-iterations", "9", "--max-run-time", "1s");
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: expect.stringContaining("ERROR: Maximum run time (1s) reached"),
    });
    expect(delegations(project)).toEqual(begun);
  });
});
