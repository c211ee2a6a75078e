import { resolve } from "node:path";
import { type SpecAddress, sameAgain } from "../../model/command-line.ts";
import type { Task } from "../../model/task.ts";
import type { SpecFolder } from "../node/find-spec.ts";
import { readForeignSettings } from "../node/foreign-settings.ts";
import { readPlanFile } from "../node/reading/read-plan-file.ts";
import type { ExecutorOption, RunOptions } from "../node/run-options.ts";
import { readConfig } from "./options/config.ts";
import { recallExecutors } from "./options/executor-memory.ts";
import { argsIn, chooseWorkspace, mergeSettings, renderShells } from "./options/merge-settings.ts";
import type { ReporterName, Settings } from "./options/settings.ts";

export interface PreparedRun {
  readonly options: RunOptions & { readonly workspace: string };
  readonly reporter: ReporterName | undefined;
  readonly tasks: readonly Task[];
  /** Notices: one line per role with a remembered executor, and warnings. */
  readonly notices: readonly string[];
  /** Remember the executor of each role. */
  keep(): void;
}

/**
 * Collect the settings of a run.
 *
 * @param folder The default workspace, absolute.
 * @param executor Replaces any named executor.
 * @param standIn Used if no executor is named.
 * @param current The current folder, to which `--cwd` is relative; default `folder`.
 * @throws {InputError} `no-executor`, and the errors of reading options, config and spec
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
    notices: [...recalled.notices, ...renderShells(recalled.settings, config)],
    keep: () => recalled.keep(),
  };
}
