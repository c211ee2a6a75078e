import { resolve } from "node:path";
import { type SpecAddress, sameAgain } from "../../model/command-line.ts";
import type { Task } from "../../model/task.ts";
import type { SpecFolder } from "../node/find-spec.ts";
import { readForeignSettings } from "../node/foreign-settings.ts";
import { readPlanFile } from "../node/reading/read-plan-file.ts";
import type { RunOptions } from "../node/run-options.ts";
import type { OptionValues } from "./cli-command.ts";
import { chooseWorkspace } from "./options/choose-workspace.ts";
import { readConfig } from "./options/config.ts";
import { recallExecutors } from "./options/executor-memory.ts";
import { argsIn, mergeSettings } from "./options/merge-settings.ts";
import { readPauseAfter, readRunFlags } from "./options/run-flags.ts";
import type { ReporterName, Settings } from "./options/settings.ts";
import { readKeepRuns } from "./options/shared-flags.ts";

/** What a command line says of a run, whichever spec it is of. */
export interface SaidOfRun {
  readonly given: Settings;
  readonly options: Pick<RunOptions, "keepRuns" | "pauseAfter" | "takeOver" | "yes" | "accept" | "newRun">;
}

/** A run that is told all that it is told by the command line and by files. */
export interface PreparedRun {
  readonly options: RunOptions & { readonly workspace: string };
  readonly reporter: ReporterName | undefined;
  readonly tasks: readonly Task[];
  /** A line for each role that is played as before, and what is to be known about that. */
  readonly notices: readonly string[];
  /** Remember who plays which role. */
  keep(): void;
}

/** @throws {InputError} `bad-number`, `bad-duration`, `bad-option`, `preset-unknown` */
export function readSaid(values: OptionValues): SaidOfRun {
  const given = readRunFlags(values);
  const keepRuns = readKeepRuns(values);
  const pauseAfter = readPauseAfter(values);
  const { yes, accept, newRun, takeOver } = values;
  return {
    given,
    options: {
      ...(keepRuns !== undefined && { keepRuns }),
      ...(pauseAfter !== undefined && { pauseAfter }),
      ...(takeOver === true && { takeOver }),
      ...(yes === true && { yes }),
      ...(typeof accept === "string" && { accept }),
      ...(newRun === true && { newRun }),
    },
  };
}

/**
 * Put together what a run of a spec is told.
 *
 * @param folder The workspace where neither the command line nor the file names one, absolute.
 * @param current The current folder, from which `--cwd` is given; the same when not given.
 * @throws {InputError} `no-executor`, and all that reading options, config and spec throws
 * @throws {EnvironmentError} `user-folder-unusable`, `file-refused`
 */
export async function prepareRun(
  spec: SpecFolder,
  said: SaidOfRun,
  {
    folder,
    current = folder,
    address,
  }: { readonly folder: string; readonly current?: string; readonly address: SpecAddress },
): Promise<PreparedRun> {
  const cwd = said.given.cwd === undefined ? {} : { cwd: resolve(current, said.given.cwd) };
  const given = { ...said.given, ...cwd };
  const config = await readConfig([spec.folder, given.cwd ?? folder]);
  const place = chooseWorkspace(given.cwd, config, folder);
  const who = await recallExecutors(given, spec, place);
  const ladder = given.ladder ?? config?.settings.ladder ?? config?.settings.policy.recovery;
  const foreign = await readForeignSettings(spec, place, ladder !== undefined);
  const example = sameAgain(address, "--executor", "claude");
  const settings = mergeSettings(who.settings, config, folder, foreign, { example, doubt: who.doubt });
  const { executors, shareWorkspace, notify, reporter, policy, fromFiles } = settings;
  return {
    options: {
      ...said.options,
      ...{ spec: spec.folder, workspace: settings.cwd, executors, policy, ladder: settings.ladder, fromFiles },
      ...(shareWorkspace === true && { shareWorkspace }),
      ...(notify !== undefined && { notify }),
      address: { ...address, args: argsIn(who.settings, config) },
    },
    reporter,
    tasks: readPlanFile(spec.tasksPath).plan.tasks,
    notices: who.notices,
    keep: () => who.keep(),
  };
}
