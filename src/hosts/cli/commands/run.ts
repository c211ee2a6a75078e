import type { CliCommand } from "../cli-command.ts";
import { runFlags } from "../options/run-flags.ts";
import { keepRunsFlag } from "../options/shared-flags.ts";

/** Run a spec, or go on with one, to its outcome. */
export const run: CliCommand = {
  options: [...runFlags, keepRunsFlag],
  example: "fixpoint run my-feature --executor claude --recovery-mode",
  run: async (spec, values, surroundings) =>
    (await import("../perform-run.ts")).performRun(spec, values, surroundings, false),
};
