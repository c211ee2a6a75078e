import { createBatchMachine } from "../../../../machines/batch.ts";
import { createEscalationMachine } from "../../../../machines/escalation.ts";
import { createRepairMachine } from "../../../../machines/repair.ts";
import { createSpecMachine } from "../../../../machines/spec.ts";
import { createTaskMachine } from "../../../../machines/task.ts";
import { InputError } from "../../../model/errors.ts";
import { toMermaid } from "../../../runtime/to-mermaid.ts";
import type { CliCommand } from "../cli-command.ts";

const diagrams = new Map([
  ["task", () => toMermaid(createTaskMachine())],
  ["escalation", () => toMermaid(createEscalationMachine())],
  ["repair", () => toMermaid(createRepairMachine())],
  ["batch", () => toMermaid(createBatchMachine())],
  ["spec", () => toMermaid(createSpecMachine())],
]);

/** Mermaid of a statechart. */
export const diagram: CliCommand = {
  options: [],
  example: "fixpoint diagram task",
  async run(name = "task", _values, { terminal }) {
    const draw = diagrams.get(name);
    if (draw === undefined) {
      const names = [...diagrams.keys()].join(", ");
      throw new InputError(`Cannot draw machine \`${name}\`, expected one of ${names}`, { code: "machine-unknown" });
    }
    terminal.out(`${draw().trimEnd()}\n`);
    return 0;
  },
};
