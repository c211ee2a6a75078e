import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createBatchMachine } from "../../machines/batch.ts";
import { createEscalationMachine } from "../../machines/escalation.ts";
import { createRepairMachine } from "../../machines/repair.ts";
import { createSpecMachine } from "../../machines/spec.ts";
import { createTaskMachine } from "../../machines/task.ts";
import { toMermaid } from "../../src/runtime/to-mermaid.ts";

describe("the page of the machines", () => {
  const page = readFileSync(new URL("../../docs/machines.md", import.meta.url), "utf8");
  const charts = {
    task: createTaskMachine,
    batch: createBatchMachine,
    spec: createSpecMachine,
    escalation: createEscalationMachine,
    repair: createRepairMachine,
  } as const;

  it.each(Object.entries(charts))("shows the chart as it is: %s", (id, create) => {
    const machine = create();
    expect(machine.id).toBe(id);
    expect(page).toContain(`\`\`\`mermaid\n${toMermaid(machine).trimEnd()}\n\`\`\``);
    for (const { key, description } of Object.values(machine.root.states)) {
      expect(page).toContain(`| \`${key}\` | ${description} |`);
    }
  });
});
