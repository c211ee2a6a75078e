import { resolve } from "node:path";
import { type SpecAddress, sameAgain } from "../../model/command-line.ts";
import type { Task } from "../../model/task.ts";
import type { SpecFolder } from "../node/find-spec.ts";
import { readForeignSettings } from "../node/foreign-settings.ts";
import { readPlanFile } from "../node/reading/read-plan-file.ts";
import type { ExecutorOption, RunOptions } from "../node/run-options.ts";
import { readConfig } from "./options/config.ts";
import { recallExecutors } from "./options/executor-memory.ts";
import { argsIn, chooseWorkspace, mergeSettings, tellShells } from "./options/merge-settings.ts";
import type { ReporterName, Settings } from "./options/settings.ts";

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

/**
 * Put together what a run of a spec is told.
 *
 * @param folder The workspace where neither the command line nor the file names one, absolute.
 * @param executor Who does the tasks, whoever is named for that.
 * @param standIn Who does them where nobody is named.
 * @param current The current folder, from which `--cwd` is given; the same when not given.
 * @throws {InputError} `no-executor`, and all that reading options, config and spec throws
 * @throws {EnvironmentError} `user-folder-unusable`, `file-refused`
 */
export async function prepareRun(
  spec: SpecFolder,
  said: Settings,
  {
    folder,
    current = folder,
    address,
    ...who
  }: {
    readonly folder: string;
    readonly current?: string;
    readonly address: SpecAddress;
    readonly executor?: ExecutorOption;
    readonly standIn?: ExecutorOption | undefined;
  },
): Promise<PreparedRun> {
  const given = { ...said, ...(said.cwd !== undefined && { cwd: resolve(current, said.cwd) }) };
  const config = await readConfig([spec.folder, given.cwd ?? folder]);
  const place = chooseWorkspace(given.cwd, config, folder);
  const recalled = await recallExecutors(given, spec, place);
  const ladder = given.ladder ?? config?.settings.ladder ?? config?.settings.policy.recovery;
  const foreign = await readForeignSettings(spec, place, ladder !== undefined);
  const example = sameAgain(address, "--executor", "claude");
  const settings = mergeSettings(recalled.settings, config, folder, foreign, {
    example,
    doubt: recalled.doubt,
    ...who,
  });
  const { cwd: workspace, reporter, ...options } = settings;
  return {
    options: {
      ...options,
      ...{ spec: spec.folder, workspace, address: { ...address, args: argsIn(recalled.settings, config) } },
    },
    reporter,
    get tasks() {
      return readPlanFile(spec.tasksPath).plan.tasks;
    },
    notices: [...recalled.notices, ...tellShells(recalled.settings, config)],
    keep: () => recalled.keep(),
  };
}
