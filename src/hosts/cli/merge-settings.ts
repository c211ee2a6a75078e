import { InputError } from "../../model/errors.ts";
import { chooseWorkspace } from "./choose-workspace.ts";
import type { Config } from "./config.ts";
import type { Settings } from "./settings.ts";

/** Settings that suffice for a run. */
export interface RunSettings extends Settings {
  readonly exec: string;
  /** Absolute. */
  readonly cwd: string;
}

/**
 * Command line over file over default. Defaults of limits are left to the policy.
 *
 * @param folder The current folder; a workspace in the file is relative to the file instead.
 * @throws {InputError} `no-executor`
 */
export function mergeSettings(words: Settings, config: Config | null, folder: string): RunSettings {
  const file = config?.settings;
  const exec = words.exec ?? file?.exec;
  if (exec === undefined) {
    throw new InputError("Cannot run without an executor, expected --exec or `exec` in fixpoint.config.json", {
      code: "no-executor",
      hint: 'For example: fixpoint run --exec "claude -p"',
    });
  }
  return {
    exec,
    verifierExec: words.verifierExec ?? file?.verifierExec,
    cwd: chooseWorkspace(words.cwd, config, folder),
    reporter: words.reporter ?? file?.reporter,
    policy: { ...file?.policy, ...words.policy },
  };
}
