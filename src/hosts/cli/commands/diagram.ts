import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { charts } from "../../../../machines/charts.ts";
import { EnvironmentError, InputError } from "../../../model/errors.ts";
import { leanChart } from "../../../runtime/lean-chart.ts";
import { statelyDefinition } from "../../../runtime/stately-message.ts";
import { toMermaid } from "../../../runtime/to-mermaid.ts";
import { command } from "../command.ts";
import { flag } from "../options/read-flag.ts";

type Machine = ReturnType<(typeof charts)[keyof typeof charts]>;

/** Renderers by format. `full` adds details if the format has them. */
const formats = {
  mermaid: (machine: Machine, full: boolean) => toMermaid(machine, { full }),
  svg: ({ id }: Machine) => readChart(id),
  stately: (machine: Machine) => statelyDefinition(machine, 2),
  json: (machine: Machine, full: boolean) =>
    JSON.stringify(full ? machine.definition : leanChart(machine), undefined, 2),
};

const isChart = (name: string): name is keyof typeof charts => Object.hasOwn(charts, name);

export const diagram = command({
  options: {
    format: flag(
      z.enum(["mermaid", "svg", "stately", "json"]),
      "--format <name>",
      "mermaid (default), svg, stately (to paste into Stately's editor) or json",
    ),
    full: flag(z.boolean(), "--full", "draw every state, note and event (mermaid and json); by default a short form"),
  },
  choices: { machine: Object.keys(charts) },
  example: "fixpoint diagram task --format svg > task.svg",
  run({ words: [name = "task"], given: { format = "mermaid", full }, surroundings: { terminal } }) {
    if (!isChart(name)) {
      const names = Object.keys(charts).join(", ");
      throw new InputError(`Cannot draw machine \`${name}\`, expected one of ${names}`, { code: "machine-unknown" });
    }
    if (full === true && (format === "svg" || format === "stately")) {
      throw new InputError(`Cannot use --full with --format ${format}, expected mermaid or json`, {
        code: "bad-option",
      });
    }
    terminal.out(`${formats[format](charts[name](), full === true).trimEnd()}\n`);
  },
});

/**
 * Read the drawing of a chart from the files of this package.
 *
 * @param machine Id of the chart.
 * @throws {EnvironmentError} `chart-unreadable`
 */
export function readChart(machine: string): string {
  try {
    return readFileSync(fileAbove(import.meta.dirname, join("docs", "charts", `${machine}.svg`)), "utf8");
  } catch (cause) {
    throw new EnvironmentError(`Cannot read the chart of \`${machine}\`, expected it to be installed with fixpoint`, {
      code: "chart-unreadable",
      hint: "Install fixpoint again",
      cause,
    });
  }
}

/** Find a file in a parent folder: the depth of the package root differs between sources and bundle. */
function fileAbove(folder: string, name: string): string {
  const file = join(folder, name);
  return existsSync(file) || dirname(folder) === folder ? file : fileAbove(dirname(folder), name);
}
