import type { CliOption, CliWords } from "./cli-command.ts";
import { parseCount } from "./parse-count.ts";

/** Which run of a spec is told of. */
export const runNumberFlag: CliOption = { flags: "--run <n>", summary: "which run of the spec (default: the latest)" };

/**
 * What `--run` says; undefined when it is not given.
 *
 * @throws {InputError} `bad-number`
 */
export const readRunNumber = ({ run }: CliWords): number | undefined =>
  typeof run === "string" ? parseCount("--run", run, 1) : undefined;
