import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EnvironmentError } from "../../model/errors.ts";

/**
 * The drawing of a machine that this package brings with it.
 *
 * @param machine Its id.
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

/** The package is some folders above this file: how many differs between its sources and the command. */
function fileAbove(folder: string, name: string): string {
  const file = join(folder, name);
  return existsSync(file) || dirname(folder) === folder ? file : fileAbove(dirname(folder), name);
}
