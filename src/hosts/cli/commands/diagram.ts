import { charts } from "../../../../machines/charts.ts";
import { InputError } from "../../../model/errors.ts";
import { toMermaid } from "../../../runtime/to-mermaid.ts";
import type { CliCommand } from "../cli-command.ts";

const diagrams = new Map(Object.entries(charts).map(([name, create]) => [name, () => toMermaid(create())]));

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
