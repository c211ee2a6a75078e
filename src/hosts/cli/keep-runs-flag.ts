import type { CliOption, CliWords } from "./cli-command.ts";
import { parseCount } from "./parse-count.ts";

/** How many runs are kept. `resume` has it not: who resumes begins no run. */
export const keepRunsFlag: CliOption = {
  flags: "--keep-runs <n>",
  summary: "how many runs stay in .fixpoint when one begins, that one included (default: all)",
};

/**
 * What `--keep-runs` says; undefined when it is not given.
 *
 * @throws {InputError} `bad-number`
 */
export const readKeepRuns = ({ keepRuns }: CliWords): number | undefined =>
  typeof keepRuns === "string" ? parseCount("--keep-runs", keepRuns, 1) : undefined;
