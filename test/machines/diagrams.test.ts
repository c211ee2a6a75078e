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
  const charts = [
    createTaskMachine,
    createBatchMachine,
    createSpecMachine,
    createEscalationMachine,
    createRepairMachine,
  ] as const;

  it.each(charts)("shows a chart as it is: %s", (create) => {
    const machine = create();
    expect(page).toContain(`## ${machine.id}\n`);
    expect(page).toContain(`\`\`\`mermaid\n${toMermaid(machine).trimEnd()}\n\`\`\``);
    for (const { key, description } of Object.values(machine.root.states)) {
      expect(page).toContain(`| \`${key}\` | ${description} |`);
    }
  });
});
