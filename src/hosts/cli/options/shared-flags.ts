import type { CliOption, OptionValues } from "../cli-command.ts";
import { parseCount } from "./parse-value.ts";

/** Which run of a spec is told of. */
export const runNumberFlag: CliOption = { flags: "--run <n>", summary: "which run of the spec (default: the latest)" };

/**
 * What `--run` says; undefined when it is not given.
 *
 * @throws {InputError} `bad-number`
 */
export const readRunNumber = ({ run }: OptionValues): number | undefined =>
  typeof run === "string" ? parseCount("--run", run, 1) : undefined;

/** How many runs are kept. `resume` does not have it: it begins no run. */
export const keepRunsFlag: CliOption = {
  flags: "--keep-runs <n>",
  summary: "keep only the last n runs in .fixpoint, the new one included (default: all)",
  group: "This start",
};

/**
 * What `--keep-runs` says; undefined when it is not given.
 *
 * @throws {InputError} `bad-number`
 */
export const readKeepRuns = ({ keepRuns }: OptionValues): number | undefined =>
  typeof keepRuns === "string" ? parseCount("--keep-runs", keepRuns, 1) : undefined;
