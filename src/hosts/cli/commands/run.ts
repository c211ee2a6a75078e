import { allFlags, readAll } from "../all/all-flags.ts";
import type { CliCommand } from "../cli-command.ts";
import { runFlags } from "../options/run-flags.ts";
import { keepRunsFlag } from "../options/shared-flags.ts";

/** Run a spec, or all below a folder, or go on with them, to their outcome. */
export const run: CliCommand = {
  options: [...runFlags, keepRunsFlag, ...allFlags],
  example: "fixpoint run my-feature --executor claude --recovery-mode",
  run: async (spec, values, surroundings) => {
    const all = readAll(spec, values);
    return all === null
      ? await (await import("../perform-run.ts")).performRun(spec, values, surroundings)
      : await (await import("../all/perform-all.ts")).performAll(all, values, surroundings);
  },
};
