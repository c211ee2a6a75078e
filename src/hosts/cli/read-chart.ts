import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { EnvironmentError } from "../../model/errors.ts";

/**
 * The drawing of a machine that this package brings with it.
 *
 * @param machine Its id.
 * @throws {EnvironmentError} `chart-unreadable`
 */
export function readChart(machine: string): string {
  const folder = dirname(createRequire(import.meta.url).resolve("fixpoint/package.json"));
  const file = join(folder, "docs", "charts", `${machine}.svg`);
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new EnvironmentError(`Cannot read \`${file}\`, expected the drawing that is installed with fixpoint`, {
      code: "chart-unreadable",
      hint: "Install fixpoint again",
      cause,
    });
  }
}
