import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMachine, initialTransition, transition } from "xstate";
import { charts } from "../../../../machines/charts.ts";
import type { OptionValues } from "../../../../src/hosts/cli/cli-command.ts";
import { diagram } from "../../../../src/hosts/cli/commands/diagram.ts";
import type { LeanChart } from "../../../../src/runtime/lean-chart.ts";
import { fakeTerminal } from "../fake-terminal.ts";

async function draw(name?: string, values: OptionValues = {}): Promise<string> {
  const terminal = fakeTerminal();
  const surroundings = { terminal, folder: "/", signal: new AbortController().signal };
  expect(await diagram.run({ words: name === undefined ? [] : [name], values, commands: [], surroundings })).toBe(0);
  return terminal.printed.out;
}

describe("fixpoint diagram", () => {
  it("draws the task machine by default", async () => {
    expect(await draw()).toMatch(/^stateDiagram-v2\n[\s\S]*checkingLimit[\s\S]*[^\n]\n$/);
    expect(await draw("task")).toBe(await draw());
  });

  it.each([
    ["escalation", "leftPivoting"],
    ["batch", "merging"],
    ["pullRequest", "rerunning"],
    ["spec", "confirming"],
  ])("draws the %s machine", async (name, state) => {
    expect(await draw(name)).toMatch(new RegExp(`^stateDiagram-v2\\n[\\s\\S]*${state}`));
    expect(await draw("task")).not.toContain(state);
  });

  it("lists final and stop states in labels in the lean form, and draws them in the full form", async () => {
    const lean = await draw();
    const full = await draw("task", { full: true });
    expect(lean).toContain("\n  verifying: verifying<br/>⇥ gated\n");
    expect(lean).not.toMatch(/--> gated|note right|--> .*cancel$/m);
    expect(full).toMatch(/verifying --> gated[\s\S]*delegating --> cancelled: cancel/);
    expect(full).toContain("note right of verifying");
  });

  it.each(Object.entries(charts))("draws every state of %s, as a node or in a label", async (name, create) => {
    const lean = JSON.parse(await draw(name, { format: "json" })) as LeanChart;
    const { definition } = create();
    const drawn = lean.states.flatMap(({ name: state, stops }) => [state, ...stops]);
    const led = lean.heard.flatMap(({ to }) => (to === definition.key ? [] : [to]));
    expect([...new Set([...drawn, ...led])].sort()).toEqual(Object.keys(definition.states).sort());
    expect(JSON.parse(await draw(name, { format: "json", full: true }))).toEqual(
      JSON.parse(JSON.stringify(definition)),
    );
    const svg = await draw(name, { format: "svg" });
    expect([...svg.matchAll(/data-state="(\w+)"/g)].map(([, state]) => state).sort()).toEqual(
      lean.states.map(({ name: state }) => state).sort(),
    );
    expect(svg).toBe(readFileSync(new URL(`../../../../docs/charts/${name}.svg`, import.meta.url), "utf8"));
  });

  it("writes a configuration for Stately from which XState builds the same machine", async () => {
    const config = JSON.parse(await draw("task", { format: "stately" }));
    const machine = createMachine(config).provide({
      guards: { is: (_: unknown, { kinds }: { kinds: string[] }) => kinds.includes("repair") } as never,
    });
    const [first] = initialTransition(machine);
    expect(first.value).toBe("checkingLimit");
    expect(transition(machine, first, { type: "xstate.done.actor.decide" } as never)[0].value).toBe("repairing");
  });

  it.each([
    [{ format: "png" }, "Cannot use --format `png`, expected one of mermaid, svg, stately, json"],
    [{ format: "svg", full: true }, "Cannot use --full with --format svg, expected mermaid or json"],
  ])("refuses %o", async (values, message) => {
    await expect(draw("task", values)).rejects.toMatchObject({ code: "bad-option", message });
  });

  it("lists the machines if the name is unknown", async () => {
    await expect(draw("chart")).rejects.toMatchObject({
      code: "machine-unknown",
      message: "Cannot draw machine `chart`, expected one of task, escalation, batch, pullRequest, spec",
    });
  });
});
