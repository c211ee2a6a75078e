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

  it("draws the spec machine", async () => {
    expect(await draw("spec")).toMatch(/^stateDiagram-v2\n/);
    expect(await draw("spec")).not.toBe(await draw("task"));
  });

  it("lists the machines when it is asked for another", async () => {
    await expect(draw("batch")).rejects.toMatchObject({
      code: "machine-unknown",
      message: "Cannot draw machine `batch`, expected one of task, spec",
    });
  });
});
