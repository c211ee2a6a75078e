import { describe, expect, it } from "vitest";
import { diagram } from "../../../../src/hosts/cli/commands/diagram.ts";
import { fakeTerminal } from "../fake-terminal.ts";

async function draw(name?: string): Promise<string> {
  const terminal = fakeTerminal();
  expect(await diagram.run(name, {}, { terminal, folder: "/", signal: new AbortController().signal })).toBe(0);
  return terminal.printed.out;
}

describe("fixpoint diagram", () => {
  it("draws the task machine unless told otherwise", async () => {
    expect(await draw()).toMatch(/^stateDiagram-v2\n[\s\S]*checkingLimit[\s\S]*[^\n]\n$/);
    expect(await draw("task")).toBe(await draw());
  });

  it.each([
    ["escalation", "leftPivoting"],
    ["repair", "askingAgain"],
    ["batch", "merging"],
    ["spec", "confirming"],
  ])("draws the %s machine", async (name, state) => {
    expect(await draw(name)).toMatch(new RegExp(`^stateDiagram-v2\\n[\\s\\S]*${state}`));
    expect(await draw("task")).not.toContain(state);
  });

  it("lists the machines when it is asked for another", async () => {
    await expect(draw("chart")).rejects.toMatchObject({
      code: "machine-unknown",
      message: "Cannot draw machine `chart`, expected one of task, escalation, repair, batch, pullRequest, spec",
    });
  });
});
