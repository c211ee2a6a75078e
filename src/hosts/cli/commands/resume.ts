import type { CliCommand } from "../cli-command.ts";
import { runFlags } from "../run-flags.ts";

/** Go on with a run that was stopped. Options given again override those it recorded. */
export const resume: CliCommand = {
  options: runFlags,
  example: "fixpoint resume my-feature --executor claude --max-fix-tasks 5",
  run: async (spec, words, surroundings) =>
    (await import("../perform-run.ts")).performRun(spec, words, surroundings, true),
};
