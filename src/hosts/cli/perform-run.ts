import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { refused } from "../../adapters/refused.ts";
import { readPlan } from "../../markdown/read-plan.ts";
import { exitCodes } from "../../model/event.ts";
import { findSpec } from "../node/find-spec.ts";
import type { RunOptions } from "../node/run-options.ts";
import { runSpec } from "../node/run-spec.ts";
import { askPerson } from "./ask-person.ts";
import type { CliWords } from "./cli-command.ts";
import { readConfig } from "./config.ts";
import { mergeSettings } from "./merge-settings.ts";
import { chooseReporter } from "./reporters/choose-reporter.ts";
import type { Reporter } from "./reporters/reporter.ts";
import { readRunFlags } from "./run-flags.ts";
import type { Surroundings, Terminal } from "./terminal.ts";

/**
 * Run a spec as the command line and the config file say, and report it on the terminal.
 *
 * @param resume Whether an earlier run must exist.
 * @returns The exit code of the outcome.
 * @throws {InputError} `no-executor`, and all that reading options, config and spec throws
 * @throws {EnvironmentError} `spec-locked`, and all that `runSpec` throws
 */
export async function performRun(
  spec: string | undefined,
  words: CliWords,
  { terminal, folder, signal }: Surroundings,
  resume: boolean,
): Promise<number> {
  const given = readRunFlags(words);
  const workspace = resolve(folder, given.cwd ?? ".");
  const found = findSpec(spec, workspace);
  const settings = mergeSettings(given, await readConfig([found.folder, workspace]), folder);
  const text = refused("read", found.tasksPath, () => readFileSync(found.tasksPath, "utf8"));
  const reporter = chooseReporter(settings.reporter, terminal, readPlan(text).tasks);
  const { executors, cwd, policy } = settings;
  try {
    const ended = await runSpec({
      spec: found.folder,
      workspace: cwd,
      executors,
      policy,
      signal,
      onEvent: (event) => reporter.event(event),
      ...(resume && { resume }),
      ...(words["takeOver"] === true && { takeOver: true }),
      // Standard output belongs to the JSON lines, so there is no place to ask.
      ...(words["yes"] === true ? { yes: true } : settings.reporter !== "json" && confirmOn(terminal, reporter)),
    });
    return ended.exitCode;
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    terminal.err("Interrupted. Run the same command again to go on.\n");
    return exitCodes.interrupted;
  } finally {
    reporter.close();
  }
}

function confirmOn({ ask, out }: Terminal, reporter: Reporter): Pick<RunOptions, "confirm"> {
  if (ask === undefined) return {};
  return {
    confirm: (question, items) => {
      reporter.close();
      return askPerson(question, items, ask, out);
    },
  };
}
