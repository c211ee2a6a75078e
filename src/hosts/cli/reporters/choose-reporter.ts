import type { Task } from "../../../model/task.ts";
import type { ReporterName } from "../options/settings.ts";
import type { Terminal } from "../terminal.ts";
import { plainReporter } from "./plain-reporter.ts";
import type { Reporter } from "./reporter.ts";
import { jsonReporter } from "./reporter.ts";
import { treeReporter } from "./tree-reporter.ts";

/**
 * The reporter that was asked for. A tree needs a terminal to be drawn on; elsewhere it is plain lines.
 *
 * @param folder Paths are told from there.
 */
export function chooseReporter(
  name: ReporterName | undefined,
  terminal: Terminal,
  tasks: readonly Task[],
  folder: string,
): Reporter {
  if (name === "json") return jsonReporter(terminal);
  if (name === "plain" || !terminal.isTTY) return plainReporter(terminal, tasks, folder);
  return treeReporter(terminal, tasks, folder);
}
