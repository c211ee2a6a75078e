import { charts } from "../../../../machines/charts.ts";
import { InputError } from "../../../model/errors.ts";
import { leanChart } from "../../../runtime/lean-chart.ts";
import { statelyDefinition } from "../../../runtime/stately-definition.ts";
import { toMermaid } from "../../../runtime/to-mermaid.ts";
import type { CliCommand } from "../cli-command.ts";
import { readChart } from "../read-chart.ts";

type Machine = ReturnType<(typeof charts)[keyof typeof charts]>;

/** Each form of a diagram, lean or in full. */
const formats = {
  mermaid: (machine: Machine, full: boolean) => toMermaid(machine, { full }),
  svg: ({ id }: Machine) => readChart(id),
  stately: (machine: Machine) => statelyDefinition(machine, 2),
  json: (machine: Machine, full: boolean) =>
    JSON.stringify(full ? machine.definition : leanChart(machine), undefined, 2),
} satisfies Readonly<Record<string, (machine: Machine, full: boolean) => string>>;

const isFormat = (name: string): name is keyof typeof formats => Object.hasOwn(formats, name);
const isChart = (name: string): name is keyof typeof charts => Object.hasOwn(charts, name);

/** A statechart, to look at or to take elsewhere. */
export const diagram: CliCommand = {
  options: [
    {
      flags: "--format <name>",
      summary: "mermaid (default), svg, stately (to paste into Stately's editor) or json",
    },
    {
      flags: "--full",
      summary: "draw every state, note and event (mermaid and json); by default what can be read at a glance",
    },
  ],
  example: "fixpoint diagram task --format svg > task.svg",
  async run(name = "task", { format = "mermaid", full }, { terminal }) {
    if (!isChart(name)) {
      const names = Object.keys(charts).join(", ");
      throw new InputError(`Cannot draw machine \`${name}\`, expected one of ${names}`, { code: "machine-unknown" });
    }
    if (typeof format !== "string" || !isFormat(format)) {
      const expected = `expected one of ${Object.keys(formats).join(", ")}`;
      throw new InputError(`Cannot use --format \`${String(format)}\`, ${expected}`, { code: "bad-option" });
    }
    if (full === true && (format === "svg" || format === "stately")) {
      throw new InputError(`Cannot use --full with --format ${format}, expected mermaid or json`, {
        code: "bad-option",
      });
    }
    terminal.out(`${formats[format](charts[name](), full === true).trimEnd()}\n`);
    return 0;
  },
};
