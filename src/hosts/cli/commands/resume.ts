import type { CliCommand } from "../cli-command.ts";
import { resumeFlags } from "../options/resume-flags.ts";
import { runFlags } from "../options/run-flags.ts";

/** Go on with a run that was stopped or paused. Options given again override those it recorded. */
export const resume: CliCommand = {
  options: [...resumeFlags, ...runFlags],
  example: 'fixpoint resume my-feature --executor claude --guidance "Use the parser of the core package"',
  run: async (spec, values, surroundings) =>
    (await import("../perform-run.ts")).performRun(spec, values, surroundings, { resume: true }),
};
