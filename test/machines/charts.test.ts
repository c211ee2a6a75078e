import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type AnyActorLogic, type AnyStateMachine, createActor, toPromise } from "xstate";
import { charts } from "../../machines/charts.ts";
import { effects } from "../../src/model/effect.ts";
import { toMermaid } from "../../src/runtime/to-mermaid.ts";

const machines = Object.fromEntries(Object.entries(charts).map(([id, create]) => [id, create() as AnyStateMachine]));
const { escalation: _, ...withEffects } = machines;

describe.each(Object.entries(machines))("the chart of %s", (id, machine) => {
  it("is shown unchanged on the page of the machines", () => {
    const page = readFileSync(new URL("../../docs/machines.md", import.meta.url), "utf8");
    expect(machine.id).toBe(id);
    expect(machine.root.description).toMatch(/^[A-Z].*\.$/);
    expect(page).toContain(`\`\`\`mermaid\n${toMermaid(machine).trimEnd()}\n\`\`\``);
    for (const { key, description } of Object.values(machine.root.states)) {
      expect(page).toContain(`| \`${key}\` | ${description} |`);
    }
  });

  it("states by tags what its states wait for", () => {
    for (const { key, type, always, tags } of Object.values(machine.root.states)) {
      const last = always?.at(-1);
      const isPassing = last !== undefined && last.guard === undefined;
      const expected = isPassing ? [] : [type === "final" ? "settled" : (waits[key] ?? "busy")];
      expect({ key, tags }).toEqual({ key, tags: expected });
    }
  });
});

describe.each(Object.entries(withEffects))("the machine %s, created without effects", (_, machine: AnyStateMachine) => {
  const sockets = Object.entries(machine.implementations.actors).filter(([name]) => name in effects);

  it.each(sockets)("cannot perform its effect, and names it: %s", async (name, logic) => {
    const actor = createActor(logic as AnyActorLogic, { input: {} });
    actor.subscribe({ error: () => {} });
    await expect(toPromise(actor.start())).rejects.toMatchObject({
      code: "effect-not-provided",
      message: `Cannot perform effect \`${name}\`, expected the machine to be created with effects`,
    });
  });
});

const waits: Readonly<Record<string, string>> = {
  paused: "waiting",
  waiting: "waiting",
  resting: "waiting",
  atCheckpoint: "waitingForPerson",
  askingPerson: "waitingForPerson",
  checkpoint: "waitingForPerson",
};
