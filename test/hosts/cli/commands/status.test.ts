import { describe, expect, it } from "vitest";
import { runCli } from "../../../../src/hosts/cli/run-cli.ts";
import { fakeTerminal } from "../fake-terminal.ts";
import { clumsy, planText, workspaceWith } from "../sample-spec.ts";

async function call(folder: string, ...words: string[]): Promise<string> {
  const terminal = fakeTerminal();
  await runCli(words, { terminal, folder, signal: new AbortController().signal }, "0.0.0");
  return terminal.printed.out;
}

describe("fixpoint status", () => {
  it("lists a plan that was never run", async () => {
    expect(await call(workspaceWith(), "status")).toBe(
      "1/3 completed\npassed 1.1 First\nopen 1.2 Second\nopen 1.3 Third\n",
    );
  });

  it("tells where a run stopped, with its fixes", async () => {
    const workspace = workspaceWith(planText.replaceAll("test -f", "test -d"));
    const limits = ["--recovery-mode", "--max-fix-tasks", "1", "--max-fix-depth", "1"];
    await call(workspace, "run", "--exec", clumsy(workspace), "--yes", ...limits);
    const found = await call(workspace, "status", "demo");
    expect(found).toMatch(/^1\/4 completed, last run: limit, 2 delegations\npassed 1\.1 First\n/);
    expect(found).toMatch(/^open 1\.2 Second \(1 attempt\): Verify failed \(exit 1\).*$/m);
    expect(found).toMatch(/^ {2}failed 1\.2\.1 .*\(1 attempt\)/m);
    const json: unknown = JSON.parse(await call(workspace, "status", "--json"));
    expect(json).toMatchObject({ spec: "demo", total: 4, completed: 1, outcome: "limit", running: null });
  });
});
