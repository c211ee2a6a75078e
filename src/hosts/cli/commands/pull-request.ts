import { resolve } from "node:path";
import { interpreted } from "../../../model/interpreted.ts";
import { PullRequestPolicy } from "../../../model/pull-request-policy.ts";
import { findPullRequest, namesPullRequest, specForPullRequest } from "../../node/find-pull-request.ts";
import type { CliCommand } from "../cli-command.ts";
import { readPullRequestFlags } from "../options/pull-request-flags.ts";
import { runFlags } from "../options/run-flags.ts";
import { keepRunsFlag } from "../options/shared-flags.ts";

/** Watch a pull request that exists until it is green, with the tasks that this takes. */
export const pullRequest: CliCommand = {
  options: [...runFlags.filter(({ flags }) => flags !== "--pull-request"), keepRunsFlag],
  example: "fixpoint pull-request 12 --executor claude --permissions edit",
  async run(given, values, surroundings) {
    const { folder, signal } = surroundings;
    const asked = { ...values, pullRequest: true };
    const { remote } = PullRequestPolicy.parse(readPullRequestFlags(asked), interpreted);
    const workspace = resolve(folder, typeof values["cwd"] === "string" ? values["cwd"] : ".");
    const isNamed = given !== undefined && namesPullRequest(given);
    const number = await findPullRequest(isNamed ? given : undefined, { workspace, remote, signal });
    const spec = isNamed ? values["spec"] : given;
    const own = typeof spec === "string" ? null : specForPullRequest(number, workspace);
    const { performRun } = await import("../perform-run.ts");
    try {
      return await performRun(own?.folder ?? (spec as string), asked, surroundings, { number });
    } finally {
      own?.leave();
    }
  },
};
